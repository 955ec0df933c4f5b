import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { MoveRefused, moveToPartitions } from '#composition/partitions/move-to-partitions';
import { impressionPartition } from '#edge/impressions/impression-entry';
import { ImpressionSpool } from '#edge/impressions/spool';
import { SpoolReplay } from '#edge/impressions/spool-replay';
import { decodeEnvelope, encodeEnvelope } from '#runtime/node/envelope';
import type { LogProvider } from '#runtime/ports/log-provider';
import { comparePositions, positionOf, START } from '#runtime/ports/position';
import type { Repartitioning } from '#runtime/ports/repartitioning';
import type { StateStore } from '#runtime/ports/store';
import { openEmbedded } from '#runtime/providers/embedded/open-embedded';
import { openRedisLog } from '#runtime/providers/redis/open-redis-log';
import { openRedisRepartitioning } from '#runtime/providers/redis/repartitioning/open-redis-repartitioning';
import { systemClock } from '#runtime/providers/system/system-clock';
import { redisUrl } from '../../support/real-servers.ts';

const [BEFORE, AFTER] = [4, 9];
const HOUR_MS = 3_600_000;
const IDS = 60;

/** A log that is opened in turn as a process of the exchange has it, and stopped. */
interface MovableLog {
  use<T>(work: (log: LogProvider) => Promise<T>, partitions: number): Promise<T>;
  stopped<T>(work: (log: Repartitioning, store: StateStore) => Promise<T>): Promise<T>;
}

function embeddedIn(folder: string): MovableLog {
  const open = async <T>(partitions: number, work: (all: Awaited<ReturnType<typeof openEmbedded>>) => Promise<T>) => {
    const embedded = await openEmbedded({ folder, partitions, clock: systemClock });
    return work(embedded).finally(() => embedded.close());
  };
  return {
    use: (work, partitions) => open(partitions, ({ log }) => work(log)),
    stopped: (work) => open(BEFORE, ({ repartitioning, store }) => work(repartitioning, store)),
  };
}

function redisAt(url: string, folder: string): MovableLog {
  const prefix = `test-${randomUUID()}`;
  const { stopped } = embeddedIn(folder);
  return {
    async use(work, partitions) {
      const log = await openRedisLog({ url, prefix, partitions });
      return work(log).finally(() => log.close());
    },
    stopped: (work) =>
      stopped(async (_, store) => {
        const log = await openRedisRepartitioning({ url, prefix });
        return work(log, store).finally(() => log.close());
      }),
  };
}

/** The log, of which the call of this number fails, before or after it has taken effect. */
function failingAt(log: Repartitioning, call: number, before: boolean): Repartitioning {
  let calls = 0;
  return new Proxy(log, {
    get:
      (target, name: keyof Repartitioning) =>
      async (...given: unknown[]) => {
        const fails = calls++ === call;
        if (fails && before) throw new Error('injected');
        const result = await (target[name] as (...all: unknown[]) => Promise<unknown>).apply(target, given);
        if (fails) throw new Error('injected');
        return result;
      },
  });
}

for (const provider of ['embedded', 'redis'] as const) {
  describe(`the move to more partitions, of a log on ${provider}`, () => {
    const bucketMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
    const expiresAtMs = bucketMs + 2 * HOUR_MS;
    const ids = Array.from({ length: IDS }, (_, at) => `${'0123456789abcdefghij'.slice(0, 20)}${at + 10}`);
    const deadLetter = { id: 'dead-letter/3:1-0', bucketMs: 0 };
    let folder: string;
    let movable: MovableLog;

    beforeEach(async function () {
      folder = await mkdtemp(join(tmpdir(), 'exchange-partitions-'));
      movable = provider === 'embedded' ? embeddedIn(folder) : redisAt(redisUrl(this), folder);
    });
    afterEach(() => rm(folder, { recursive: true, force: true }));

    const move = (log: Repartitioning, store: StateStore, to: number = AFTER) =>
      moveToPartitions({ logs: [{ name: 'the log', log }], store, tell: () => {} }, to);

    /** Impressions, the last a provisional one, a mark, and a replay; all are handled when `drains`. */
    const fill = (drains = true) =>
      movable.use(async ({ log, leases }) => {
        for (const [at, id] of ids.entries()) {
          const provisional = at === IDS - 1 ? { provisional: ',"a":1' } : {};
          const entry = { id, bucketMs, expiresAtMs, payload: '{}', ...provisional };
          await log.appendOnce(impressionPartition(id, BEFORE), [entry]);
        }
        const mark = { id: ids[0]!, bucketMs, mark: 'viewed' };
        expect(await log.markOnce(impressionPartition(ids[0]!, BEFORE), [mark])).to.deep.equal(['marked']);
        await log.appendOnce(2, [{ ...deadLetter, expiresAtMs: Date.UTC(9999, 0), payload: '{}' }]);
        if (!drains) return;
        for (const { lease, last } of await leases.acquire([0, 1, 2, 3], 'owner', 60_000)) {
          await leases.commit(lease, last);
          await leases.release(lease);
        }
      }, BEFORE);

    async function expectMoved(highest: string): Promise<void> {
      await movable.use(async ({ log, leases, warnings }) => {
        expect(log.partitions).to.equal(AFTER);
        expect(warnings.filter((warning) => warning.includes('partitions'))).to.deep.equal([]);
        for (const [at, id] of ids.entries()) {
          const place = impressionPartition(id, AFTER);
          const isFinal = at < IDS - 1;
          expect(await log.remembers(place, [{ id, bucketMs }]), id).to.deep.equal([isFinal]);
          const again = { id, bucketMs, expiresAtMs, payload: '{}', ...(!isFinal && { provisional: ',"b":2' }) };
          expect(await log.appendOnce(place, [again]), id).to.deep.equal(['repeated']);
        }
        const mark = { id: ids[0]!, bucketMs, mark: 'viewed' };
        expect(await log.markOnce(impressionPartition(ids[0]!, AFTER), [mark])).to.deep.equal(['repeated']);
        for (let partition = 0; partition < AFTER; partition++) {
          expect(await log.remembers(partition, [deadLetter])).to.deep.equal([true]);
          const [position] = await log.append(partition, ['{}']);
          expect(comparePositions(position!, highest), `partition ${partition}`).to.be.above(0);
          const { appended, length } = await log.tail(partition);
          expect([length, appended > length]).to.deep.equal([1, true]);
        }
        const acquired = await leases.acquire([...Array(AFTER).keys()], 'owner', 60_000);
        expect(acquired).to.have.length(AFTER);
        for (const { cursor, last } of acquired) expect(comparePositions(last, cursor)).to.be.above(0);
      }, AFTER);
    }

    it('raises all positions and marks, and remembers each id where it is asked for', async () => {
      await fill();
      const [highest, marks] = await movable.stopped(async (log, store) => {
        const highest = await log.highest(BEFORE);
        await move(log, store);
        return [
          highest,
          await Promise.all([...Array(AFTER).keys()].map((partition) => store.highWater({ partition }))),
        ];
      });
      expect(new Set(marks).size).to.equal(1);
      expect(comparePositions(marks[0]!, highest)).to.be.above(0);
      await expectMoved(marks[0]!);
    });

    it('takes the marks of a log with a name for its own, beside those of the log with the money', async () => {
      await fill();
      const marks = (store: StateStore, log?: string) =>
        Promise.all([...Array(AFTER).keys()].map((partition) => store.highWater({ partition, ...(log && { log }) })));
      const ahead = positionOf(Date.now() + 60_000, 7);
      await movable.stopped(async (log, store) => {
        await store.raiseHighWater({ partition: 1, log: 'facts', position: ahead });
        await moveToPartitions({ logs: [{ name: 'the log', log, marks: 'facts' }], store, tell: () => {} }, AFTER);
        expect(await marks(store, 'facts')).to.deep.equal(Array(AFTER).fill(ahead));
        expect(await marks(store)).to.deep.equal(Array(AFTER).fill(START));
      });
      await expectMoved(ahead);
    });

    it('bills what waited in a spool once, where its id is asked for', async () => {
      await fill();
      const spool = new ImpressionSpool({ folder: join(folder, 'spool') });
      const unknown = Array.from({ length: 20 }, (_, at) => `${'klmnopqrstuvwxyzabcd'.slice(0, 20)}${at + 10}`);
      // Some that the log has taken, though the edge was not told so, and some that it has not.
      const spooled = [...ids.slice(0, 20), ...unknown];
      for (const id of spooled) {
        const partition = impressionPartition(id, BEFORE);
        const payload = encodeEnvelope({ to: `impression-rollup/${partition}`, type: 'impression', body: { id } });
        const entry = { id, bucketMs, expiresAtMs, payload };
        const of = { publisherId: 'p', sandbox: false, noticeUrl: null };
        await spool.append({ partition, entry, judgedAtMs: bucketMs, ...of });
      }
      await movable.stopped((log, store) => move(log, store));
      await movable.use(async ({ log }) => {
        const outcomes = new Map<string, string>();
        await new SpoolReplay(log, spool, ({ entry }, outcome) => outcomes.set(entry.id, outcome)).run();
        expect([...outcomes].sort()).to.deep.equal(
          spooled.map((id) => [id, unknown.includes(id) ? 'appended' : 'repeated']).sort(),
        );
        for (const id of unknown) {
          const place = impressionPartition(id, AFTER);
          const entries = (await log.read(new Map([[place, START]]), 100, 0)).get(place)!;
          const found = entries.filter(({ payload }) => decodeEnvelope(payload).to === `impression-rollup/${place}`);
          expect(found.map(({ payload }) => (decodeEnvelope(payload).body as { id: string }).id)).to.include(id);
          expect(await log.remembers(place, [{ id, bucketMs }])).to.deep.equal([true]);
        }
      }, AFTER);
    });

    it('comes to the same when it is run again after a failure at any call', async function () {
      this.timeout(30_000);
      await fill();
      let failures = 0;
      for (let call = 0; ; call++) {
        // The number is written by the last call, and only what comes after it is done.
        const outcome = await movable.stopped((log, store) =>
          move(failingAt(log, call, call % 2 === 0), store).then(
            () => 'done',
            (error: Error) => error.message,
          ),
        );
        if (outcome === 'done') break;
        failures += 1;
        const kept = await movable.use(async ({ log }) => log.partitions, BEFORE);
        if (kept === AFTER) break;
        expect([outcome, kept]).to.deep.equal(['injected', BEFORE]);
      }
      expect(failures).to.be.above(6);
      await expectMoved('0-0');
    });

    it('refuses a log with messages, and one that is in use', async () => {
      await fill(false);
      const refusal = (to?: number) =>
        movable.stopped((log, store) =>
          move(log, store, to).then(
            () => '',
            (error) => (error instanceof MoveRefused ? error.message : `not refused: ${error}`),
          ),
        );
      expect(await refusal()).to.include('Messages wait in 4 partitions');
      expect(await refusal(BEFORE)).to.include('There are 4 partitions already');
      expect(await refusal(BEFORE - 1)).to.include('never fewer');
      expect(await refusal(257)).to.include('from 1 to 256');
      if (provider === 'redis') {
        const inUse = await movable.use(() => refusal(), BEFORE);
        expect(inUse).to.include('1 processes have it open');
      }
    });

    it('refuses a log that takes impressions of a region, until that is written off', async () => {
      await fill();
      const source = 'fra#log';
      await movable.use(async ({ relayed }) => {
        for (let partition = 0; partition < BEFORE; partition++) {
          await relayed.appendRelayed(partition, source, { after: '0-0', entries: [], throughMs: 5 });
        }
      }, BEFORE);
      const moved = () => movable.stopped((log, store) => move(log, store).then(() => '', String));
      expect(await moved()).to.include(source);
      await movable.use(async ({ relayed }) => {
        for (let partition = 0; partition < BEFORE; partition++) await relayed.writeOff(partition, source, 'moved');
      }, BEFORE);
      expect(await moved()).to.equal('');
      await movable.use(async ({ relayed }) => {
        const [known] = await relayed.sources(AFTER - 1);
        expect(known).to.deep.include({ source, throughMs: 5, writtenOff: 'moved' });
      }, AFTER);
    });
  });
}
