import { expect } from 'chai';
import Type from 'typebox';
import { defineActor } from '#runtime/actor/define-actor';
import { encodeEnvelope } from '#runtime/node/envelope';
import { KindRegistry } from '#runtime/node/kind-registry';
import { LogReader } from '#runtime/node/log-reader';
import type { NodeDeps } from '#runtime/node/node-deps';
import type { PartitionSession } from '#runtime/node/partition-session';
import { DEFAULT_TUNING } from '#runtime/node/tuning';
import type { LogEntry } from '#runtime/ports/log';
import { SteppedClock } from './stepped-clock.ts';

const PARTITIONS = 64;
const kindOf = (kind: string, saving: 'eager' | 'lazy') =>
  defineActor({
    kind,
    schemaVersion: 1,
    saving,
    state: Type.Object({}),
    messages: { told: Type.Null() },
    initial: () => ({}),
    handlers: { told: () => {} },
  });
const kinds = new KindRegistry([kindOf('desk', 'eager'), kindOf('sum', 'lazy')], PARTITIONS);

describe('the reading loop', () => {
  let clock: SteppedClock;
  let reader: LogReader;
  let answer: (read: Map<number, LogEntry[]>) => void;
  let reads: number;
  let delivered: number;

  beforeEach(() => {
    clock = new SteppedClock();
    reads = 0;
    delivered = 0;
    const log = {
      read: () => {
        reads += 1;
        return new Promise<Map<number, LogEntry[]>>((resolve) => {
          answer = resolve;
        });
      },
      wake: () => answer(new Map()),
    };
    const parts = { clock, kinds, tuning: DEFAULT_TUNING, provider: { log } } as unknown as NodeDeps;
    const sessions = Array.from({ length: PARTITIONS }, (_, partition) => ({
      ...{ wantsEntries: true, readPosition: '0-0', lease: { partition } },
      deliver: (entries: readonly LogEntry[]) => {
        delivered += entries.length;
      },
    }));
    reader = new LogReader(parts, () => sessions as unknown as PartitionSession[]);
    reader.start();
  });
  afterEach(() => reader.stop());

  /** Answers the read with so many entries for each of so many partitions, the last of each for `lastTo`. */
  async function bring(partitions: number, entries: number, to = 'desk/1', lastTo = to): Promise<void> {
    const run = Array.from({ length: entries }, (_, sequence) => ({
      position: `1-${sequence}`,
      payload: encodeEnvelope({ to: sequence === entries - 1 ? lastTo : to, type: 'told', body: null }),
    }));
    answer(new Map(Array.from({ length: partitions }, (_, partition) => [partition, run])));
    await new Promise((resolve) => setImmediate(resolve));
  }

  it('reads on at once after a few messages, and after many for each partition', async () => {
    await bring(3, 5);
    await bring(1, 1);
    await bring(16, 4);
    expect({ reads, delivered, timers: clock.timers }).to.deep.equal({ reads: 4, delivered: 80, timers: 0 });
  });

  it('lets messages gather that come one by one to many partitions, ten milliseconds and no longer', async () => {
    await bring(16, 1);
    expect({ reads, delivered }).to.deep.equal({ reads: 1, delivered: 16 });
    await clock.step();
    expect({ reads, atMs: clock.monotonic() }).to.deep.equal({ reads: 2, atMs: 10 });
  });

  it('lets messages that nobody waits for gather longer, however many come to each partition', async () => {
    await bring(16, 40, 'sum/1');
    expect({ reads, delivered }).to.deep.equal({ reads: 1, delivered: 640 });
    await clock.step();
    expect({ reads, atMs: clock.monotonic() }).to.deep.equal({ reads: 2, atMs: 25 });
  });

  it('reads on at once when there is one among them that somebody may wait for, or when they come in hundreds', async () => {
    await bring(16, 4, 'sum/1', 'desk/1');
    await bring(2, 64, 'sum/1');
    await bring(3, 5, 'sum/1');
    expect({ reads, timers: clock.timers }).to.deep.equal({ reads: 4, timers: 0 });
  });

  it('reads at once when it is woken meanwhile', async () => {
    await bring(40, 2);
    reader.wake();
    await new Promise((resolve) => setImmediate(resolve));
    expect({ reads, timers: clock.timers }).to.deep.equal({ reads: 2, timers: 0 });
  });
});
