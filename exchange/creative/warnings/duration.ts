/** The durations of video and audio are 15, 30 or 60 s (specification, "Creative specifications"). */
const LENGTHS_MS = [15_000, 30_000, 60_000];
/** Encoders complete the last frame, so durations differ slightly. */
const TOLERANCE_MS = 500;

/** Yields `non_standard_duration:Ns`, in whole seconds. */
export function* durationWarnings(durationMs: number | undefined): Generator<string> {
  if (durationMs === undefined || LENGTHS_MS.some((length) => Math.abs(durationMs - length) <= TOLERANCE_MS)) return;
  yield `non_standard_duration:${Math.round(durationMs / 1000)}s`;
}
