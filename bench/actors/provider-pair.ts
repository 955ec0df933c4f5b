import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbedded } from '../../runtime/providers/embedded/open-embedded.ts';
import { openMongodbStore } from '../../runtime/providers/mongodb/open-mongodb-store.ts';
import { openRedisLog } from '../../runtime/providers/redis/open-redis-log.ts';
import { systemClock } from '../../runtime/providers/system/system-clock.ts';
import type { Ports } from './message-rate.ts';

/** A log and a store; the embedded one where there is no URL. */
export interface ProviderPair {
  readonly redisUrl: string | null;
  readonly mongodbUrl: string | null;
  /** Replicas of Redis that writes wait for; none when absent. */
  readonly waitReplicas?: number;
}

const PARTITIONS = 64;

/** Runs `work` on a fresh log and store. */
export async function withProviderPair<T>(
  { redisUrl, mongodbUrl, waitReplicas = 0 }: ProviderPair,
  work: (ports: Ports) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-actors-'));
  const embedded = await openEmbedded({ folder, partitions: PARTITIONS, clock: systemClock });
  const closing = [() => embedded.close()];
  try {
    const log =
      redisUrl === null
        ? embedded.log
        : await openRedisLog({
            ...{ url: redisUrl, prefix: `bench-${randomUUID()}`, partitions: PARTITIONS },
            replication: { waitReplicas, minReplicas: waitReplicas, store: embedded.store, writer: randomUUID() },
          });
    if (log !== embedded.log) closing.push(() => log.close());
    if (mongodbUrl === null) return await work({ log, store: embedded.store });
    const url = new URL(mongodbUrl);
    url.pathname = `/bench_${randomUUID().replaceAll('-', '').slice(0, 16)}`;
    const writeBatch = Number(process.env.MONGODB_WRITE_BATCH ?? 1000);
    const store = await openMongodbStore({ url: url.href, writeBatch });
    closing.push(() => store.close());
    return await work({ log, store });
  } finally {
    for (const close of closing.reverse()) await close();
    await rm(folder, { recursive: true, force: true });
  }
}
