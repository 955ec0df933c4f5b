import { BroadcastTable } from '../../expiring/broadcast-table.ts';
import { MarkTable } from '../../expiring/mark-table.ts';
import { assertWholeAmounts, SumTable } from '../../expiring/sum-table.ts';
import { TextTable } from '../../expiring/text-table.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Counters } from '../../ports/counters.ts';
import { CountersUnavailable } from '../../ports/errors.ts';

const SWEEP_EVERY_MS = 60_000;

/** Counters of one process, which end with it: for tests and simulations, under any clock. */
export function createMemoryCounters(clock: Clock): Counters {
  const marks = new MarkTable();
  const sums = new SumTable();
  const texts = new TextTable(clock);
  const broadcasts = new BroadcastTable();
  let closed = false;
  const assertOpen = () => {
    if (closed) throw new CountersUnavailable('the counters are closed');
  };
  let cancelSweep = clock.after(SWEEP_EVERY_MS, sweep);
  function sweep(): void {
    for (const _ of marks.sweep(clock.now()));
    sums.sweep(clock.now());
    cancelSweep = clock.after(SWEEP_EVERY_MS, sweep);
  }
  return {
    marks: {
      async put(at, mark, untilMs) {
        assertOpen();
        marks.put(at, mark, untilMs);
      },
      async putWithin(at, mark, untilMs, limit, nowMs) {
        assertOpen();
        const room = marks.hasRoom(at, mark, limit, nowMs);
        if (room) marks.put(at, mark, untilMs);
        return room;
      },
      async remove(at, mark) {
        assertOpen();
        marks.remove({ at, mark });
      },
      async count(group, keys, nowMs) {
        assertOpen();
        return keys.map((key) => marks.count({ group, key }, nowMs));
      },
    },
    sums: {
      async add(changes) {
        assertWholeAmounts(changes);
        if (!closed) for (const change of changes) sums.add(change, clock.now());
        return changes.map(() => !closed);
      },
      async read(keys) {
        return keys.map((key) => (closed ? null : sums.read(key, clock.now())));
      },
    },
    texts,
    broadcasts,
    async close() {
      closed = true;
      texts.close();
      broadcasts.close();
      cancelSweep();
    },
  };
}
