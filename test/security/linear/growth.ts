/**
 * What is sixteen times as long may take sixteen times as long; half as much again fourfold, for caches and the
 * collector.
 */
const TIMES_LONGER = 16;
const MOST_GROWTH = 64;
const LENGTH = 2_048;
const RUNS = 5;
/** So often all of it is measured before it is believed; what grows with the square always takes 256 times as long. */
const ATTEMPTS = 4;
/** Milliseconds that a run must take to be measured at all; shorter ones are repeated. */
const SHORTEST_RUN_MS = 0.05;
const MOST_REPETITIONS = 4 ** 11;
/** What the clock of the processor is told in. */
const CLOCK_STEP_MS = 0.001;

/** Of something that does its work on an input of `length`. */
export type Work = () => unknown;

/**
 * How many times longer an input takes that is sixteen times as long: the best of five runs of each, or of fewer where
 * one was linear already. `prepare` is not measured.
 */
export function growthOf(prepare: (length: number) => Work, length = LENGTH): number {
  const [short, long] = [prepare(length), prepare(length * TIMES_LONGER)];
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS && least > MOST_GROWTH; attempt++) {
    const { times, shortMs } = measurable(short);
    least = Math.min(least, bestOf(long, times, MOST_GROWTH * shortMs) / shortMs);
  }
  return least;
}

export function isLinear(growth: number): boolean {
  return growth <= MOST_GROWTH;
}

/**
 * How often `short` is repeated so that its best run can be measured, and that run's milliseconds. The best of all runs
 * counts: the first one compiles the pattern, which can take longer than all that follow.
 */
function measurable(short: Work): { readonly times: number; readonly shortMs: number } {
  for (let times = 1; ; times *= 4) {
    const shortMs = bestOf(short, times, SHORTEST_RUN_MS);
    if (shortMs >= SHORTEST_RUN_MS || times >= MOST_REPETITIONS)
      return { times, shortMs: Math.max(shortMs, CLOCK_STEP_MS) };
  }
}

/** The runs end with the first one below `enoughMs`: further runs could only lower the best, and change no answer. */
function bestOf(work: Work, times: number, enoughMs: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < RUNS && best >= enoughMs; run++) best = Math.min(best, millisecondsOf(work, times));
  return best;
}

/** Of the processor, which does not run while another process has it. */
function millisecondsOf(work: Work, times: number): number {
  const began = process.cpuUsage();
  for (let done = 0; done < times; done++) work();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1_000;
}
