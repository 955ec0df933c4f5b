import type { Creative } from './document/creative.ts';

export type Rotation = 'weighted' | 'round_robin' | 'random';

/** What the choice of a creative depends on besides the creatives. */
export interface RotationState {
  /** The number of earlier choices among the same creatives. */
  readonly sequence: number;
  /** Uniform in [0, 1). */
  readonly random: number;
}

/**
 * Chooses the creative to show next (specification, "Campaign (delegate) and creative", rules 2 and 3). Weights are
 * relative. A missing weight counts as the mean of the given ones; without any weight, or with zeros alone, all are
 * equal.
 */
export function chooseCreative<T extends Pick<Creative, 'weight'>>(
  creatives: readonly [T, ...T[]],
  rotation: Rotation,
  { sequence, random }: RotationState,
): T {
  if (rotation === 'round_robin') return creatives[sequence % creatives.length]!;
  if (rotation === 'random') return creatives[Math.floor(random * creatives.length)]!;
  const weights = weightsOf(creatives);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let rest = random * total;
  let last = 0;
  for (const [index, weight] of weights.entries()) {
    if (weight === 0) continue;
    if (rest < weight) return creatives[index]!;
    rest -= weight;
    last = index;
  }
  // The sum of fractions can be below its total by the last bit.
  return creatives[last]!;
}

function weightsOf(creatives: readonly Pick<Creative, 'weight'>[]): readonly number[] {
  const given = creatives.flatMap(({ weight }) => weight ?? []);
  const sum = given.reduce((total, weight) => total + weight, 0);
  if (sum === 0) return creatives.map(() => 1);
  const mean = sum / given.length;
  return creatives.map(({ weight }) => weight ?? mean);
}
