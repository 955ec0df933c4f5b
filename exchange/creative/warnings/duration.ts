/** Specification, "Creative specifications": video and audio last 15, 30 or 60 s. */
const LENGTHS_MS = [15_000, 30_000, 60_000];
/** Encoders fill up the last frame. */
const TOLERANCE_MS = 500;

/** `non_standard_duration:Ns`, in whole seconds. */
export function* durationWarnings(durationMs: number | undefined): Generator<string> {
  if (durationMs === undefined || LENGTHS_MS.some((length) => Math.abs(durationMs - length) <= TOLERANCE_MS)) return;
  yield `non_standard_duration:${Math.round(durationMs / 1000)}s`;
}
