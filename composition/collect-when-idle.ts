import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The interval of the check, ms. V8 looks at the allocations of the last five seconds. */
const LOOK_EVERY_MS = 5_000;

/** The share of one core below which the process counts as idle. An idle process uses 0.02 to 0.04. */
const IDLE_BELOW = 0.1;

/** A young generation below this size counts as small; V8 shrinks it to one or two MB. */
const SMALL_BYTES = 8 * 1024 * 1024;

/**
 * The most collections. V8 shrinks the young generation in a collection before which little was allocated, by its own
 * measure, so the first may come too soon.
 */
const MOST_COLLECTIONS = 6;

/**
 * Collects all garbage when the process has had little to do for 5 s, until V8 has made the young generation small.
 * Loading the program makes it as large as it may become under load, and V8 by itself shrinks it only after about a
 * minute. Under load it grows as it must. `requests`: those that have come to the edge so far.
 */
export function collectWhenIdle(requests: () => number): void {
  const idle = new IdleWatch(requests, cpuMicros);
  let collections = 0;
  const looking = setInterval(() => {
    if (!idle.wasIdle(LOOK_EVERY_MS)) return;
    collectAll();
    collections += 1;
    if (youngGenerationBytes() < SMALL_BYTES || collections === MOST_COLLECTIONS) clearInterval(looking);
  }, LOOK_EVERY_MS).unref();
}

/**
 * Knows whether the process was idle since it was asked last: it used little of a core, and nobody called the edge. A
 * collection takes a twentieth of a second, in which every auction waits, and a few hundred auctions a second use
 * little of a core.
 */
export class IdleWatch {
  readonly #requests: () => number;
  readonly #cpuMicros: () => number;
  #requestsBefore: number;
  #cpuBefore: number;

  /** `requests` and `cpuMicros`: of the process, since its start. */
  constructor(requests: () => number, cpuMicros: () => number) {
    this.#requests = requests;
    this.#cpuMicros = cpuMicros;
    this.#requestsBefore = requests();
    this.#cpuBefore = cpuMicros();
  }

  /** `ms`: the time since it was asked last, or made. */
  wasIdle(ms: number): boolean {
    const came = this.#requests() - this.#requestsBefore;
    const used = this.#cpuMicros() - this.#cpuBefore;
    this.#requestsBefore += came;
    this.#cpuBefore += used;
    return came === 0 && used < IDLE_BELOW * ms * 1_000;
  }
}

function cpuMicros(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

function collectAll(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  collect();
}

function youngGenerationBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0;
}
