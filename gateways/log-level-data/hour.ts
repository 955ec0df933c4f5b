/** One UTC hour of the log's clock, as partitions of files name it. */
export interface Hour {
  /** Its beginning and its end, ms since the epoch. */
  readonly startMs: number;
  readonly endMs: number;
  /** `yyyy-mm-dd`. */
  readonly day: string;
  /** `00` to `23`. */
  readonly hour: string;
}

export const HOUR_MS = 3_600_000;

/** The hour that contains an instant, ms since the epoch. */
export function hourOf(atMs: number): Hour {
  const startMs = Math.floor(atMs / HOUR_MS) * HOUR_MS;
  const text = new Date(startMs).toISOString();
  return { startMs, endMs: startMs + HOUR_MS, day: text.slice(0, 10), hour: text.slice(11, 13) };
}
