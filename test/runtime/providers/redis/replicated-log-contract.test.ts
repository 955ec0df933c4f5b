import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbedded } from '#runtime/providers/embedded/open-embedded';
import { systemClock } from '#runtime/providers/system/system-clock';
import { requireRedisServer } from '#test/support/redis-server';
import { logContract } from '../../log.contract.ts';
import { openRedisHarness } from './redis-log-harness.ts';
import { type ReplicatedServers, startReplicatedServers } from './replicated-servers.ts';

describe('on servers with replicas', () => {
  let servers: ReplicatedServers;
  before(async function () {
    requireRedisServer(this);
    servers = await startReplicatedServers(1);
  });
  after(() => servers?.remove());

  logContract('Redis Streams that are waited for', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'exchange-in-sync-'));
    const { store, close } = await openEmbedded({ folder, partitions: 4, clock: systemClock });
    const harness = await openRedisHarness(servers.primary.url, {
      replication: { waitReplicas: 1, minReplicas: 1, store, writer: randomUUID() },
    });
    return {
      ...harness,
      async close() {
        await harness.close();
        await close();
        await rm(folder, { recursive: true, force: true });
      },
    };
  });
});
