import { expect } from 'chai';
import type { Activation } from '#runtime/node/activation';
import { ActiveActors } from '#runtime/node/active-actors';
import type { Addressed } from '#runtime/node/address-entries';
import { KindRegistry } from '#runtime/node/kind-registry';
import type { NodeDeps } from '#runtime/node/node-deps';
import { DEFAULT_TUNING } from '#runtime/node/tuning';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { counter } from './counter.ts';

const unused = undefined as never;
const PARTITIONS = 64;
const { lazySaveMs } = DEFAULT_TUNING;

describe('lazy actors of a partition', () => {
  let nowMs: number;
  const clock = { now: () => nowMs, monotonic: () => nowMs, after: () => () => {} };
  const parts = { clock, tuning: DEFAULT_TUNING } as unknown as NodeDeps;
  const dirty = { kind: { lazy: true } } as unknown as Activation;

  /** When each partition saves what it has just handled. */
  function dueAt(): number[] {
    return Array.from({ length: PARTITIONS }, (_, partition) => {
      const actors = new ActiveActors(parts, partition, unused, unused, '');
      expect(actors.lazySaveDueAt).to.equal(null);
      actors.noteDirty(dirty);
      return actors.lazySaveDueAt!;
    });
  }

  it('are saved at most a second after their first unsaved message', () => {
    for (nowMs of [0, 0.5, 62.5, 999.9, 1_000, 123_456.7]) {
      for (const dueMs of dueAt())
        expect(dueMs)
          .to.be.above(nowMs)
          .and.at.most(nowMs + lazySaveMs);
    }
  });

  it('are saved in rotation, however many messages come at once', () => {
    nowMs = 5_000.1;
    const first = dueAt();
    const atOnce = new Map<number, number>();
    for (const dueMs of first) atOnce.set(dueMs, (atOnce.get(dueMs) ?? 0) + 1);
    expect(Math.max(...atOnce.values())).to.equal(PARTITIONS / 16);
    nowMs += 3 * lazySaveMs;
    for (const [partition, dueMs] of dueAt().entries()) {
      expect(dueMs - first[partition]!).to.be.closeTo(3 * lazySaveMs, 1e-6);
    }
  });

  it('are saved less often where a turn writes many documents, and at most twenty times as late', () => {
    nowMs = 7_777;
    const actors = new ActiveActors(parts, 3, unused, unused, '');
    const turnMs = (saved: number) => {
      const many = Array.from({ length: saved }, () => ({ kind: { lazy: true } }) as unknown as Activation);
      for (const one of many) actors.noteDirty(one);
      actors.noteSaved(many);
      // The length of the turn that follows: its next two dates.
      actors.noteDirty(dirty);
      const firstMs = actors.lazySaveDueAt!;
      expect(firstMs).to.be.above(nowMs);
      actors.noteSaved([dirty, ...many]);
      nowMs = firstMs;
      for (const one of many) actors.noteDirty(one);
      actors.noteSaved(many);
      actors.noteDirty(dirty);
      const lengthMs = actors.lazySaveDueAt! - firstMs;
      actors.noteSaved([dirty]);
      return lengthMs;
    };
    expect([1, 50].map(turnMs)).to.deep.equal([lazySaveMs, lazySaveMs]);
    expect(turnMs(120)).to.be.closeTo(2.4 * lazySaveMs, 1e-6);
    expect(turnMs(1_000)).to.be.closeTo(20 * lazySaveMs, 1e-6);
    expect(turnMs(5_000)).to.be.closeTo(20 * lazySaveMs, 1e-6);
    expect(turnMs(2), 'and again each second').to.be.closeTo(lazySaveMs, 1e-6);
  });
});

describe('idle actors of a partition', () => {
  const clock = new VirtualClock();
  const tuning = { ...DEFAULT_TUNING, idleMs: 60_000 };
  const kinds = new KindRegistry(
    [counter({ kind: 'lasting' }), counter({ kind: 'brief', idleMs: 10_000 })],
    PARTITIONS,
  );
  const deps = { clock, tuning, store: { load: async () => [] }, brokenLaws: new Set() } as unknown as NodeDeps;

  async function activated(actors: ActiveActors, address: string): Promise<Activation> {
    const target = kinds.parseAddress(address)!;
    await actors.activate([{ address, target } as Addressed], '');
    return actors.get(address)!;
  }

  /** Sweeps whenever that is due, and answers how long an actor that is not used again stays, ms. */
  function staysFor(actors: ActiveActors, address: string, used: readonly Activation[] = []): number {
    const sinceMs = clock.monotonic();
    while (actors.get(address) !== undefined) {
      clock.advance(Math.max(1, actors.sweepDueAt - clock.monotonic()));
      for (const activation of used) activation.usedAtMs = clock.monotonic();
      actors.sweep();
    }
    return clock.monotonic() - sinceMs;
  }

  it('leave soon after their time, and sooner where their kind says so', async () => {
    for (let partition = 0; partition < PARTITIONS; partition++) {
      const actors = new ActiveActors(deps, partition, unused, unused, '');
      const used = await activated(actors, 'lasting/used');
      await activated(actors, 'lasting/idle');
      await activated(actors, 'brief/idle');
      expect(staysFor(actors, 'brief/idle', [used]), `partition ${partition}`).to.be.within(10_000, 17_500);
      expect(actors.size).to.equal(2);
      expect(staysFor(actors, 'lasting/idle', [used]) + 10_000, `partition ${partition}`).to.be.within(60_000, 75_000);
      expect(actors.size).to.equal(1);
    }
  });

  it('leave in some of the partitions at a time', async () => {
    const dueAt = new Map<number, number>();
    for (let partition = 0; partition < PARTITIONS; partition++) {
      const actors = new ActiveActors(deps, partition, unused, unused, '');
      await activated(actors, 'lasting/idle');
      dueAt.set(actors.sweepDueAt, (dueAt.get(actors.sweepDueAt) ?? 0) + 1);
    }
    expect(Math.max(...dueAt.values())).to.equal(PARTITIONS / 16);
  });

  it('are looked for once in seven and a half seconds at most, and once a minute at least', async () => {
    const actors = new ActiveActors(deps, 0, unused, unused, '');
    expect(actors.sweepDueAt - clock.monotonic(), 'without any').to.equal(60_000);
    for (let n = 0; n < 50; n++) {
      await activated(actors, `brief/${n}`);
      clock.advance(1_000);
      const sweptAt = clock.monotonic();
      if (sweptAt < actors.sweepDueAt) continue;
      actors.sweep();
      expect(actors.sweepDueAt - sweptAt).to.be.within(7_500, 60_000);
    }
    expect(actors.size, 'those of the last ten seconds, and of the sweep').to.be.at.most(18);
  });
});
