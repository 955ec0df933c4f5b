import type { SeededRandom } from '#runtime/simulator/seeded-random';

/** Share of runs with regions that have logs of their own. */
const WITH_REGIONS = 0.4;
/** One way to home, each of one region at most: round trips of 10, 80, 150 and 300 ms. */
const ONE_WAY_MS = [5, 40, 75, 150];
const ONE_WAY_DIFFERS_BY = 0.2;
/** Edges of each region, by the number of regions. */
const LAYOUTS: readonly (readonly (readonly number[])[])[] = [
  [[2], [2], [1]],
  [
    [1, 1],
    [2, 1],
  ],
  [
    [1, 1, 1],
    [1, 1, 1],
    [2, 1, 1],
  ],
];
const NAMES = ['nyc', 'sin', 'gru'] as const;

/** A region with a log of its own. */
export interface RegionPlan {
  readonly name: string;
  readonly edges: number;
  /** The time of one way between the region and home, ms. */
  readonly oneWayMs: number;
}

/** Draws the regions of a run beside home. `wanted`: whether there are any; undefined: by chance. */
export function drawRegions(random: SeededRandom, wanted: boolean | undefined): readonly RegionPlan[] {
  const drawn = random.chance(WITH_REGIONS);
  if (!(wanted ?? drawn)) return [];
  const waysMs = [...ONE_WAY_MS];
  return random.pick(random.pick(LAYOUTS)).map((edges, index) => {
    const [wayMs] = waysMs.splice(random.below(waysMs.length), 1);
    const oneWayMs = wayMs! * random.between(1 - ONE_WAY_DIFFERS_BY, 1 + ONE_WAY_DIFFERS_BY);
    return { name: NAMES[index]!, edges, oneWayMs };
  });
}
