import type { Cluster } from '#runtime/simulator/cluster';
import type { LogServer } from '#runtime/simulator/log-server';
import type { SeededRandom } from '#runtime/simulator/seeded-random';
import { EPOCH_MS } from '#runtime/simulator/virtual-time';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A scene that is to see midnight begins at most so long before it. */
const BEFORE_MIDNIGHT_MS = 3_000;

/** Share of runs with such a day. */
const LONG_DAY = 0.4;
/**
 * Share of scenes that another follows, where regions may be cut off meanwhile: for longer than budgets wait for
 * others.
 */
const DAYS_LATER = 0.5;
const CUT_OFF_MS = [2.2 * HOUR_MS, 4 * DAY_MS] as const;
const SETTLED_AFTER_MS = [2.1 * HOUR_MS, 4 * HOUR_MS] as const;

/** When traffic flows in a run, instants of the log's clock in order; between them the months go by. */
export interface Calendar {
  readonly scenesAtMs: readonly number[];
  /** Starts of the months that traffic can be in, and of the one after. */
  readonly monthsMs: readonly number[];
}

/**
 * Some months with scenes at any time, across some midnights, and across the end of each month, where that is followed
 * by one in which what was sold before is still rendered; sometimes a day with scenes so far apart that what was sold
 * in one and never shown is free again in the next. `regions`: fewer months and more scenes, for regions that are cut
 * off for hours or days between them.
 */
export function drawCalendar(random: SeededRandom, regions: SeededRandom | null): Calendar {
  const drawn = 2 + random.below(3);
  const months = regions === null ? drawn : 1 + regions.below(2);
  const first = new Date(EPOCH_MS);
  const monthsMs = Array.from({ length: months + 1 }, (_, month) =>
    Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + month),
  );
  const scenes: number[] = [];
  if (random.chance(LONG_DAY)) scenes.push(...longDay(monthsMs[0]! + random.below(28) * DAY_MS, random));
  for (let month = 0; month < months; month += 1) {
    const [startMs, endMs] = [monthsMs[month]!, monthsMs[month + 1]!];
    const days = (endMs - startMs) / DAY_MS;
    for (let any = random.below(3); any > 0; any -= 1) scenes.push(random.between(startMs, endMs - DAY_MS));
    for (let night = random.below(2); night > 0; night -= 1) {
      const midnightMs = startMs + (1 + random.below(days - 2)) * DAY_MS;
      scenes.push(midnightMs - random.between(0, BEFORE_MIDNIGHT_MS));
      if (random.chance(0.5)) scenes.push(midnightMs + random.between(0.1, 1.9) * HOUR_MS);
    }
    scenes.push(endMs - random.between(0, BEFORE_MIDNIGHT_MS));
    scenes.push(endMs + random.between(0.05, 1.9) * HOUR_MS);
  }
  const days = regions === null ? [] : scenes.filter(() => regions.chance(DAYS_LATER));
  scenes.push(...days.map((atMs) => atMs + regions!.between(...CUT_OFF_MS)));
  return { scenesAtMs: scenes.map(Math.floor).sort((a, b) => a - b), monthsMs };
}

function longDay(dayMs: number, random: SeededRandom): number[] {
  const scenes = [dayMs + random.between(0.5, 3) * HOUR_MS];
  for (let more = random.between(2, 5); more > 0; more -= 1)
    scenes.push(scenes.at(-1)! + random.between(...SETTLED_AFTER_MS));
  return scenes;
}

/** How long the UTC day of an instant still lasts. */
export function untilMidnightMs(atMs: number): number {
  return DAY_MS - (atMs % DAY_MS);
}

/** A call that its caller has given up arrives within this time or never. */
const CALLS_END_WITHIN_MS = HOUR_MS;

/** Lets the clocks of all logs and of all processes leap, as if nothing had happened anywhere meanwhile. */
export class Clocks {
  readonly #cluster: Cluster;
  readonly #logsOfRegions: readonly LogServer[];
  #leaptMs = 0;

  constructor(cluster: Cluster, logsOfRegions: readonly LogServer[]) {
    this.#cluster = cluster;
    this.#logsOfRegions = logsOfRegions;
  }

  /** What the wall clock of a process that starts now must be ahead by. */
  get leaptMs(): number {
    return this.#leaptMs;
  }

  /** Forward to this instant of the log's clock; never back. */
  leapTo(atMs: number): void {
    const { log, members, world } = this.#cluster;
    const leapMs = Math.max(0, atMs - log.nowMs);
    if (leapMs > CALLS_END_WITHIN_MS) world.faults.loseLateCalls();
    this.#leaptMs += leapMs;
    log.clockSkewMs += leapMs;
    for (const region of this.#logsOfRegions) region.clockSkewMs += leapMs;
    for (const { process } of members) process.wallSkewMs += leapMs;
  }
}
