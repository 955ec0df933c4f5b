import type { Timer } from './pause.ts';

/**
 * Resolves with what `work` does, or with `late` after `withinMs`: the work goes on by itself then, and its failure is
 * nobody's. Rejects when the work does in time.
 */
export function inTime<T, L>(timer: Timer, withinMs: number, work: Promise<T>, late: L): Promise<T | L> {
  return new Promise((resolve, reject) => {
    const cancel = timer.after(withinMs, () => resolve(late));
    work.finally(cancel).then(resolve, reject);
  });
}
