import { facts } from '#actors/facts/facts';
import { CountsSum } from '#edge/facts/counts-sum';
import { isHeldEnough } from '#edge/facts/hold-policy';
import { KindRegistry } from '#runtime/node/kind-registry';
import { SILENT } from '#runtime/node/logger';
import { openRedisLog } from '#runtime/providers/redis/open-redis-log';
import { systemClock } from '#runtime/providers/system/system-clock';
import { SummingRelay } from '#runtime/relay/summing-relay';
import { jobOf, sendToParent } from '../../processes/child.ts';
import { TARGET } from '../target.ts';

/** What the relay of one edge's share of a region's partitions is given. */
export interface SummingJob {
  readonly regionUrl: string;
  readonly homeUrl: string;
  readonly prefix: string;
  /** The number of partitions; home has as many, the first of the target's. */
  readonly partitions: number;
}

const { regionUrl, homeUrl, prefix, partitions } = jobOf<SummingJob>();
const region = await openRedisLog({ url: regionUrl, prefix: `${prefix}-region`, partitions });
const home = await openRedisLog({ url: homeUrl, prefix: `${prefix}-home`, partitions });
const kinds = new KindRegistry([facts], TARGET.partitions);
const relay = new SummingRelay({
  region,
  home: {
    partitionOf: (to) => kinds.partitionOf(to),
    append: (partition, payloads) => home.log.append(partition, payloads, { maxLength: 1_000_000 }),
  },
  regionName: 'nyc',
  newSum: () => new CountsSum(),
  isDue: (batch) => isHeldEnough(batch, TARGET.partitions),
  owner: 'relay',
  clock: systemClock,
  logger: SILENT,
});
relay.start();
while (relay.figures.partitions < partitions) await new Promise((resolve) => setTimeout(resolve, 20));
sendToParent({});
process.on('message', () => sendToParent(relay.figures));
