import type { Timer } from './pause.ts';
import { waitAtMost } from './wait-at-most.ts';

/**
 * Resolves with what `work` does, or with `late` after `withinMs`: the work goes on by itself then, and its failure is
 * nobody's. Rejects when the work does in time.
 */
export async function inTime<T, L>(timer: Timer, withinMs: number, work: Promise<T>, late: L): Promise<T | L> {
  let outcome: T | L = late;
  const noted = work.then((value) => {
    outcome = value;
  });
  await waitAtMost(timer, withinMs, noted);
  return outcome;
}
