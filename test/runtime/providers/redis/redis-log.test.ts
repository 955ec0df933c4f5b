import { redisUrl } from '#test/support/real-servers';
import { logContract } from '../../log.contract.ts';
import { openRedisHarness } from './redis-log-harness.ts';

logContract('Redis Streams', (test) => openRedisHarness(redisUrl(test)));
