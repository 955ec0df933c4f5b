import { expect } from 'chai';
import type { Activation } from '#runtime/node/activation';
import { ActiveActors } from '#runtime/node/active-actors';
import type { NodeDeps } from '#runtime/node/node-deps';
import { DEFAULT_TUNING } from '#runtime/node/tuning';

const PARTITIONS = 64;
const { lazySaveMs } = DEFAULT_TUNING;

describe('lazy actors of a partition', () => {
  let nowMs: number;
  const clock = { now: () => nowMs, monotonic: () => nowMs, after: () => () => {} };
  const parts = { clock, tuning: DEFAULT_TUNING } as unknown as NodeDeps;
  const unused = undefined as never;
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
