import { pause, type Timer } from './pause.ts';

/**
 * Resolves when `work` does, or after `withinMs` at the latest: the work goes on by itself then. Rejects when it does
 * first.
 */
export async function waitAtMost(timer: Timer, withinMs: number, work: Promise<unknown>): Promise<void> {
  const ended = new AbortController();
  const waiting = pause(timer, withinMs, ended.signal);
  await Promise.race([work, waiting]).finally(() => ended.abort());
}
