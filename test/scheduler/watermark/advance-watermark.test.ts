import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { MongoClient } from 'mongodb';
import { Registry } from 'prom-client';
import { PLATFORM_OWNER_ID } from '#actors/ledger/ledger-id';
import { readLedgers } from '#actors/ledger/read-ledgers';
import { actorKinds } from '#composition/actor-kinds';
import { passBarrier } from '#runtime/node/log-barrier';
import { type ActorNode, createNode } from '#runtime/node/node';
import { positionTimeMs } from '#runtime/ports/position';
import type { StateStore } from '#runtime/ports/store';
import { openMongodbStore } from '#runtime/providers/mongodb/open-mongodb-store';
import { openRedisLog } from '#runtime/providers/redis/open-redis-log';
import { systemClock } from '#runtime/providers/system/system-clock';
import { systemRandom } from '#runtime/providers/system/system-random';
import { eventually } from '../../support/eventually.ts';
import { mongodbUrl, redisUrl } from '../../support/real-servers.ts';
import { bill } from './impressions.ts';

const PARTITIONS = 8;
const WRITERS = 16;
const DSPS = 3;
/** All share this process and two servers with other tests: what is slow here is not away. */
const REQUEST_TIMEOUT_MS = 30_000;
const GROWING = { timeoutMs: 60_000 };

/** Impressions that all ledgers of a scope and of two days hold. */
async function billedIn(store: StateStore, scope: 'dsp' | 'platform', id: string, atMs: number): Promise<number> {
  const stretch = { owner: { scope, id, sandbox: false }, fromMs: atMs, toMs: atMs + 86_400_000 };
  let sum = 0;
  for (const { state } of await readLedgers(store, [stretch], ['hours', 'slots'])) {
    const { slots = {}, hours = {} } = state;
    if (scope === 'dsp') for (const { impressions } of Object.values(slots)) sum += impressions;
    else for (const page of Object.values(hours)) for (const { impressions } of Object.values(page)) sum += impressions;
  }
  return sum;
}

describe('what the barrier says of the ledgers, on Redis and MongoDB, under load', () => {
  it('holds: every earlier impression is in the ledgers, by budget window too, while partitions change owners', async function () {
    const redis = redisUrl(this);
    const mongodb = mongodbUrl(this);
    const prefix = `test-${randomUUID()}`;
    const database = `test-${randomUUID()}`;
    const openLog = (name: string) =>
      openRedisLog({ url: redis, prefix, partitions: PARTITIONS, requestTimeoutMs: REQUEST_TIMEOUT_MS, name });
    const writeBatch = Number(process.env.MONGODB_WRITE_BATCH ?? 1_000);
    const openStore = () =>
      openMongodbStore({ url: mongodb, database, writeBatch, requestTimeoutMs: REQUEST_TIMEOUT_MS });
    const outside = await openLog('outside');
    const store = await openStore();
    const closing: (() => Promise<void>)[] = [];
    const startNode = async (name: string): Promise<ActorNode> => {
      const [log, itsStore] = [await openLog(name), await openStore()];
      const node = createNode({
        name,
        provider: log,
        store: itsStore,
        clock: systemClock,
        random: systemRandom,
        definitions: actorKinds,
        hostsActors: true,
        replicates: [],
        logger: { debug() {}, info() {}, warn() {}, error() {} },
        registry: new Registry(),
      });
      await node.start();
      closing.push(async () => {
        await node.stop();
        await log.close();
        await itsStore.close();
      });
      return node;
    };

    const billed: { readonly dsp: string; readonly atMs: number }[] = [];
    const beganAtMs = Date.now();
    let writing = true;
    const writers: Promise<void>[] = [];
    try {
      const first = await startNode('first');
      await eventually('a node to own partitions', () => first.ownedPartitions.length > 0, GROWING);
      for (let writer = 0; writer < WRITERS; writer++) {
        writers.push(
          (async () => {
            for (let at = writer; writing; at++) {
              const dsp = `d${at % DSPS}`;
              const position = await bill(outside.log, at % PARTITIONS, { dsp, soldAtMs: beganAtMs });
              billed.push({ dsp, atMs: positionTimeMs(position) });
            }
          })(),
        );
      }
      for (let round = 0; round < 4; round++) {
        const goal = billed.length + 500;
        await eventually('500 more impressions', () => billed.length >= goal, GROWING);
        const newestMs = Math.max(...billed.slice(-100).map(({ atMs }) => atMs));
        // Partitions move while a barrier is waited for.
        const joining = round === 1 ? startNode('second') : null;
        const { throughMs } = await passBarrier({
          ...outside,
          clock: systemClock,
          signal: AbortSignal.timeout(60_000),
        });
        await joining;
        const due = billed.filter(({ atMs }) => atMs < throughMs);
        // A log's positions may be ahead of its clock, when that was set back.
        expect(throughMs, 'the barrier follows the load').to.be.above(newestMs - 2_000);
        for (let number = 0; number < DSPS; number++) {
          const dsp = `d${number}`;
          const expected = due.filter((one) => one.dsp === dsp).length;
          expect(await billedIn(store, 'dsp', dsp, beganAtMs), `${dsp}, round ${round}`).to.be.at.least(expected);
        }
        expect(await billedIn(store, 'platform', PLATFORM_OWNER_ID, beganAtMs)).to.be.at.least(due.length);
      }
      writing = false;
      await Promise.all(writers);
      await passBarrier({ ...outside, clock: systemClock, signal: AbortSignal.timeout(60_000) });
      expect(await billedIn(store, 'platform', PLATFORM_OWNER_ID, beganAtMs), 'and not one more').to.equal(
        billed.length,
      );
    } finally {
      writing = false;
      await Promise.allSettled(writers);
      for (const close of closing) await close();
      await outside.close();
      await store.close();
      const cleaner = new Redis(redis);
      const left = await cleaner.keys(`{${prefix}*`);
      if (left.length > 0) await cleaner.unlink(left);
      await cleaner.quit();
      const client = await new MongoClient(mongodb).connect();
      await client.db(database).dropDatabase();
      await client.close();
    }
  });
});
