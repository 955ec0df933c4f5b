import { expect } from 'chai';
import Type from 'typebox';
import { defineActor } from '#runtime/actor/define-actor';
import { encodeEnvelope } from '#runtime/node/envelope';
import { type BarrierOptions, type BarrierResult, passBarrier } from '#runtime/node/log-barrier';
import { comparePositions, positionOf, positionTimeMs } from '#runtime/ports/position';
import { eventually } from '../../support/eventually.ts';
import { fastClock } from '../../support/fast-clock.ts';
import { PARTITIONS, RunningNodes } from './running-nodes.ts';

const LONG_MS = 60_000;
/** The barrier looks again ten times as soon. */
const clock = fastClock(10);
const tuning = { lazySaveMs: 100 };
const DRIPS = 7;
const Count = Type.Integer();

/** Counts, and sends its count to a pool, as a rollup sends totals to ledgers. */
const drip = defineActor({
  kind: 'drip',
  schemaVersion: 1,
  saving: 'lazy',
  state: Type.Object({ count: Count, changedAt: Type.String() }),
  messages: { fall: Type.Object({}) },
  initial: () => ({ count: 0, changedAt: '0-0' }),
  handlers: {
    fall(state, _, { position }) {
      state.count += 1;
      state.changedAt = position;
    },
  },
  totals({ count, changedAt }, published, id) {
    if (published !== null && comparePositions(changedAt, published) <= 0) return [];
    return [{ to: `pool/${Number(id) % 2}`, type: 'total', body: { id, count } }];
  },
  partitionOf: (id, partitions) => Number(id) % partitions,
});

const pool = defineActor({
  kind: 'pool',
  schemaVersion: 1,
  saving: 'lazy',
  state: Type.Object({ counts: Type.Record(Type.String(), Count) }),
  messages: { total: Type.Object({ id: Type.String(), count: Count }) },
  initial: () => ({ counts: {} }),
  handlers: {
    total(state, { id, count }) {
      state.counts[id] = Math.max(state.counts[id] ?? 0, count);
    },
  },
});

describe('the barrier of the log', () => {
  let nodes: RunningNodes;
  let stop: AbortController;
  beforeEach(async () => {
    nodes = await RunningNodes.open();
    stop = new AbortController();
  });
  afterEach(async () => {
    stop.abort();
    await nodes.close();
  });

  const pass = (options: Partial<BarrierOptions> = {}): Promise<BarrierResult> => {
    const { log, leases } = nodes.embedded.log;
    return passBarrier({ log, leases, clock, signal: stop.signal, ...options });
  };

  async function pooled(id: string): Promise<number> {
    const [document] = await nodes.embedded.store.load([{ kind: 'pool', id: String(Number(id) % 2) }]);
    return (document?.state as { counts: Record<string, number> } | undefined)?.counts[id] ?? 0;
  }

  async function fall(id: string): Promise<string> {
    const payload = encodeEnvelope({ to: `drip/${id}`, type: 'fall', body: {} });
    const [position] = await nodes.embedded.log.log.append(Number(id) % PARTITIONS, [payload]);
    return position!;
  }

  it('passes at once where nothing was ever appended', async () => {
    const beforeMs = Date.now();
    const { throughMs, appended } = await pass();
    expect(throughMs).to.be.within(beforeMs, Date.now());
    expect(appended).to.equal(0);
  });

  it('says that what it covers may be dated later than now, where the clock of the log was set back', async () => {
    const tails = [
      { nowMs: 5_000, last: '5000-3', length: 0, appended: 4 },
      { nowMs: 1_000, last: '900-0', length: 0, appended: 1 },
    ];
    const log = { partitions: 2, tail: async (partition: number) => tails[partition] };
    const leases = { tokens: async () => ['', ''] };
    const { throughMs, latestMs } = await pass({ log, leases } as never);
    expect([throughMs, latestMs]).to.deep.equal([1_000, 5_000]);
  });

  it('is passed when what came before has come to the end of its way, while more keeps coming', async () => {
    await nodes.start([drip, pool], { tuning });
    const fallen: { readonly id: string; readonly position: string }[] = [];
    let falling = true;
    const rain = (async () => {
      for (let at = 0; falling; at++) {
        const id = String(at % DRIPS);
        fallen.push({ id, position: await fall(id) });
      }
    })();
    try {
      await eventually('some drops', () => fallen.length > 20);
      for (let round = 0; round < 3; round++) {
        const knownBefore = fallen.length;
        const { throughMs, latestMs, appended } = await pass();
        expect(appended).to.be.at.least(knownBefore);
        for (const { position } of fallen.slice(0, knownBefore))
          expect(positionTimeMs(position)).to.be.at.most(latestMs);
        const before = fallen.filter(({ position }) => positionTimeMs(position) < throughMs);
        // Several fall within one millisecond; those of the barrier's own are not before it.
        const known = fallen.slice(0, knownBefore);
        expect(Math.max(...known.map(({ position }) => positionTimeMs(position)))).to.be.at.most(throughMs);
        for (let id = 0; id < DRIPS; id++) {
          const expected = before.filter((drop) => drop.id === String(id)).length;
          expect(await pooled(String(id)), `drops of ${id} before ${throughMs}`).to.be.at.least(expected);
        }
      }
    } finally {
      falling = false;
      await rain;
    }
  });

  it('waits for a partition without an owner, names it, and is passed once it has one', async () => {
    const { leases } = nodes.embedded.log;
    const [others] = await leases.acquire([2], 'another process', LONG_MS);
    await nodes.start([drip, pool], { tuning });
    await fall('2');
    const seen: number[][] = [];
    let passed: BarrierResult | undefined;
    const passing = pass({ onWaiting: (waiting) => seen.push(waiting.map(({ partition }) => partition)) }).then(
      (result) => {
        passed = result;
      },
    );
    await eventually('the barrier to wait for that partition for longer than its patience', () => seen.length > 14);
    expect(seen.at(-1)).to.deep.equal([2]);
    expect(passed).to.equal(undefined);
    await leases.release(others!.lease);
    await passing;
    expect(seen.at(-1), 'nothing is waited for any more').to.deep.equal([]);
    expect(await pooled('2')).to.equal(1);
  });

  it('does not wait for positions that were skipped', async () => {
    const { log, leases } = nodes.embedded.log;
    const [position] = await log.append(1, ['an entry']);
    const [acquired] = await leases.acquire([1], 'its owner', LONG_MS);
    const { lease } = acquired!;
    await leases.raise(lease, positionOf(positionTimeMs(position!) + LONG_MS, 0));
    let waits = 0;
    const passing = pass({ onWaiting: () => waits++ });
    await eventually('the barrier to wait for the entry', () => waits > 0);
    await leases.commit(lease, position!);
    await passing;
  });

  it('ends when it is aborted, with the reason', async () => {
    await nodes.embedded.log.log.append(0, ['nobody reads this']);
    let waits = 0;
    const passing = pass({ onWaiting: () => waits++ }).catch((error: unknown) => error);
    await eventually('the barrier to wait', () => waits > 0);
    const reason = new Error('the process ends');
    stop.abort(reason);
    expect(await passing).to.equal(reason);
  });
});
