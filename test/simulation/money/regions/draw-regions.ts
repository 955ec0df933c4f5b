import type { SeededRandom } from '#runtime/simulator/seeded-random';

/** Share of runs with regions that have logs of their own. */
const WITH_REGIONS = 0.4;
const ONE_WAY_MS = [5, 75] as const;
/** Edges of each region. */
const LAYOUTS: readonly (readonly number[])[] = [[2], [2], [1], [1, 1], [2, 1]];
const NAMES = ['nyc', 'sin'] as const;

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
  return random
    .pick(LAYOUTS)
    .map((edges, index) => ({ name: NAMES[index]!, edges, oneWayMs: random.between(...ONE_WAY_MS) }));
}
