import type { Match } from '../../exchange/strategy/index/match.ts';

/** Groups matches by DSP. */
export function matchesByDsp(matches: readonly Match[]): ReadonlyMap<string, readonly Match[]> {
  const grouped = new Map<string, Match[]>();
  for (const match of matches) {
    const others = grouped.get(match.owner);
    if (others) others.push(match);
    else grouped.set(match.owner, [match]);
  }
  return grouped;
}

/**
 * One DSP's matches in the order in which they may bid: highest priority, then highest bid, ties at random (readings,
 * "The delegate strategy"). `random` is uniform in [0, 1). The first match nearly always bids, so the others are sorted
 * only when asked for.
 */
export function* inOrder(matches: readonly Match[], random: () => number): Generator<Match> {
  const first = best(matches, random);
  if (first === undefined) return;
  yield first;
  if (matches.length === 1) return;
  const chances = new Map(matches.map((match) => [match, random()]));
  const rest = matches.filter((match) => match !== first);
  yield* rest.sort((a, b) => compare(b, a) || chances.get(a)! - chances.get(b)!);
}

function best(matches: readonly Match[], random: () => number): Match | undefined {
  let found = matches[0];
  let equals = 1;
  for (let index = 1; index < matches.length; index += 1) {
    const match = matches[index]!;
    const order = compare(match, found!);
    if (order > 0) {
      found = match;
      equals = 1;
    } else if (order === 0) {
      // Each of n equal matches is chosen with a probability of 1/n.
      equals += 1;
      if (random() * equals < 1) found = match;
    }
  }
  return found;
}

function compare(a: Match, b: Match): number {
  return a.priority - b.priority || a.bidCpmMicros - b.bidCpmMicros;
}
