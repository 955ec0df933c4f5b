import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOUR_MS } from '#actors/ledger/ledger-id';
import { encodeEnvelope } from '#runtime/node/envelope';
import { createNode } from '#runtime/node/node';
import type { IdempotentEntry, MessageLog } from '#runtime/ports/log';
import type { ActorDocument, StateStore } from '#runtime/ports/store';
import { openEmbedded } from '#runtime/providers/embedded/open-embedded';
import { openRedisLog } from '#runtime/providers/redis/open-redis-log';
import { systemClock } from '#runtime/providers/system/system-clock';
import { systemRandom } from '#runtime/providers/system/system-random';
import { jobOf, sendToParent } from '../../processes/child.ts';
import { Market } from '../market.ts';
import { TARGET } from '../target.ts';
import { dividedLog } from './divided-log.ts';
import type { NodeCommand, NodeJob, RestResult, SentImpression } from './jobs.ts';
import { MONEY_KINDS, Relevance } from './measured-partitions.ts';

/**
 * The rest of the exchange, as the measured partitions see it: the edges, which append the impressions of those
 * partitions to their Redis, and the nodes of all other partitions, whose rollups tell the ledgers there. Of the other
 * partitions it folds only the impressions that are booked in those ledgers, and drops what else they cause.
 */
const TICK_MS = 10;
const RENDER_WINDOW_MS = HOUR_MS;
/** Where messages go that concern no measured partition. */
const NOWHERE: Pick<MessageLog, 'append'> = { append: async () => [] };

const job = jobOf<NodeJob>();
const { partitions, impressionsPerSecond } = TARGET;
const folder = await mkdtemp(join(tmpdir(), 'bench-scale-rest-'));
const embedded = await openEmbedded({ folder, partitions, clock: systemClock });
const measured = await openRedisLog({ url: job.redisUrl, prefix: job.prefix, partitions });
const measuredPartitions = new Set(job.partitions);
const market = new Market(job.seed);
const relevance = new Relevance(job.partitions);
/** Saves nothing: nobody reads the rollups of the other partitions, and their writes would keep the disk busy. */
function forgetting(store: StateStore): StateStore {
  return new Proxy(store, {
    get(target, name) {
      if (name === 'save') return async (documents: readonly ActorDocument[]) => documents.map(() => 'saved');
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

const node = createNode({
  name: 'rest',
  provider: dividedLog(
    embedded.log,
    (partition) => !measuredPartitions.has(partition),
    (partition) => (measuredPartitions.has(partition) ? measured.log : NOWHERE),
  ),
  store: forgetting(embedded.store),
  clock: systemClock,
  random: systemRandom,
  definitions: MONEY_KINDS,
  hostsActors: true,
  replicates: [],
});
await node.start();

const sent: SentImpression[] = [];
let impressions = 0;
let counting = false;
let nextMs = Date.now();
let failure: unknown = null;
const prefix = `${process.pid}-${nextMs}-`;

function tick(): void {
  const entries = new Map<number, IdempotentEntry[]>();
  const payloads = new Map<number, string[]>();
  const nowMs = Date.now();
  for (; nextMs <= nowMs; nextMs += market.gapMs(impressionsPerSecond)) {
    const partition = market.partition();
    const impression = market.next(nextMs);
    const isMeasured = measuredPartitions.has(partition);
    if (!isMeasured && !relevance.of(impression, nowMs)) continue;
    const to = `tally/${partition}`;
    if (counting && relevance.ofPublisher(impression, nowMs))
      sent.push({ publisher: impression.publisher, partition, sentAtMs: nowMs });
    if (!isMeasured) {
      append(payloads, partition, encodeEnvelope({ to, type: 'impression', body: impression }));
      continue;
    }
    if (counting) impressions += 1;
    const id = prefix + impression.id;
    const bucketMs = impression.soldAtMs! - (impression.soldAtMs! % HOUR_MS);
    const payload = encodeEnvelope({ to, type: 'impression', body: { ...impression, id } });
    append(entries, partition, { id, bucketMs, expiresAtMs: impression.soldAtMs! + RENDER_WINDOW_MS, payload });
  }
  const note = (error: unknown) => {
    failure ??= error;
  };
  for (const [partition, batch] of entries) measured.log.appendOnce(partition, batch).catch(note);
  for (const [partition, batch] of payloads) embedded.log.log.append(partition, batch).catch(note);
}

function append<T>(lists: Map<number, T[]>, partition: number, item: T): void {
  const list = lists.get(partition);
  if (list) list.push(item);
  else lists.set(partition, [item]);
}

const timer = setInterval(tick, TICK_MS);

async function end(): Promise<void> {
  if (failure !== null) throw failure;
  sendToParent({ impressions, sent } satisfies RestResult);
  counting = false;
  // The load goes on while the last impressions of the window are saved.
  await new Promise((resolve) => process.once('disconnect', resolve));
  clearInterval(timer);
  await node.stop();
  await measured.close();
  await embedded.close();
  await rm(folder, { recursive: true, force: true });
}

process.on('message', ({ command }: { command: NodeCommand }) => {
  if (command === 'begin') counting = true;
  else void end();
});
sendToParent({});
