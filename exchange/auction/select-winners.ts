import { type AdBreak, NO_BREAKS } from './pods/ad-break.ts';
import { type BreakContender, type ComparisonCount, fillBreak, MAX_AUCTION_COMPARISONS } from './pods/fill-break.ts';

/**
 * In each of the first 50 rounds, one group withdraws and winners are chosen again. After them, or as soon as breaks
 * have cost `MAX_AUCTION_COMPARISONS`, every group that does not win all of its imps withdraws in each round.
 */
const MAX_ROUNDS = 50;
/** Groups that still do not win all of their imps, after breaks have cost this much, withdraw with all other groups. */
const MAX_GROUP_COMPARISONS = 2 * MAX_AUCTION_COMPARISONS;

/** A bid that takes part in the choice of winners. */
export interface Contender extends BreakContender {
  /** Contenders of one group win all of the imps that they bid on, or none. Null: the contender belongs to no group. */
  readonly group: string | null;
}

export interface WinnerSelection<T extends Contender> {
  /**
   * The winners by imp, without imps that no contender won. An imp has one winner; a pod's dynamic portion may have
   * several, in the order in which they are shown.
   */
  readonly winners: ReadonlyMap<string, readonly T[]>;
  /** Contenders that withdrew because their group could not win all of its imps. */
  readonly withdrawn: ReadonlySet<T>;
}

/**
 * Chooses the highest contender of every imp and, for every break, the ads that pay most together. Equal contenders
 * have equal chances, by `random` (uniform in [0, 1)).
 *
 * A group that does not win every imp it bids on withdraws (OpenRTB 2.6 §4.2.2), and the rest is chosen again without
 * it. Of several such groups the one with the lowest total withdraws first, so that groups which compete with each
 * other are not all lost. One group withdraws in each of the first `MAX_ROUNDS` rounds; after them, or when breaks
 * have cost too much, all groups that do not win everything withdraw at once.
 */
export function selectWinners<T extends Contender>(
  contenders: readonly T[],
  random: () => number,
  breaks: ReadonlyMap<string, AdBreak> = NO_BREAKS,
): WinnerSelection<T> {
  const withdrawn = new Set<T>();
  const count: ComparisonCount = { comparisons: 0 };
  let remaining = contenders;
  let winners = bestPerImp(remaining, random, breaks, count);
  for (let round = 0; ; round++) {
    const { weakest, unfulfilled } = unfulfilledGroups(remaining, winners);
    if (weakest === undefined) return { winners, withdrawn };
    const isOneByOne = round < MAX_ROUNDS && count.comparisons < MAX_AUCTION_COMPARISONS;
    const mayOthersStay = count.comparisons < MAX_GROUP_COMPARISONS;
    const leaves = ({ group }: T) =>
      isOneByOne ? group === weakest : group !== null && (unfulfilled.has(group) || !mayOthersStay);
    const left: T[] = [];
    for (const contender of remaining) {
      if (leaves(contender)) withdrawn.add(contender);
      else left.push(contender);
    }
    remaining = left;
    winners = bestPerImp(remaining, random, breaks, count);
  }
}

function bestPerImp<T extends Contender>(
  contenders: readonly T[],
  random: () => number,
  breaks: ReadonlyMap<string, AdBreak>,
  count: ComparisonCount,
): ReadonlyMap<string, readonly T[]> {
  if (breaks.size === 0) return highestPerImp(contenders, random);
  const winners = highestPerImp(
    contenders.filter(({ impId }) => !breaks.has(impId)),
    random,
  );
  for (const adBreak of new Set(breaks.values())) {
    const rivals = contenders.filter(({ impId }) => breaks.get(impId) === adBreak);
    for (const ad of fillBreak(adBreak, rivals, random, count)) {
      winners.set(ad.impId, [...(winners.get(ad.impId) ?? []), ad]);
    }
  }
  return winners;
}

function highestPerImp<T extends Contender>(contenders: readonly T[], random: () => number): Map<string, readonly T[]> {
  const highest = new Map<string, T[]>();
  for (const contender of contenders) {
    const best = highest.get(contender.impId);
    if (best === undefined || contender.clearingCpmMicros > best[0]!.clearingCpmMicros) {
      highest.set(contender.impId, [contender]);
    } else if (contender.clearingCpmMicros === best[0]!.clearingCpmMicros) {
      best.push(contender);
    }
  }
  const winners = new Map<string, readonly T[]>();
  for (const [impId, equals] of highest) {
    winners.set(impId, equals.length === 1 ? equals : [equals[Math.floor(random() * equals.length)]!]);
  }
  return winners;
}

interface Unfulfilled {
  /** The unfulfilled group with the lowest total price; undefined where there is none. */
  readonly weakest: string | undefined;
  readonly unfulfilled: ReadonlySet<string>;
}

const ALL_FULFILLED: Unfulfilled = { weakest: undefined, unfulfilled: new Set() };

function unfulfilledGroups<T extends Contender>(
  contenders: readonly T[],
  winners: ReadonlyMap<string, readonly T[]>,
): Unfulfilled {
  if (contenders.every(({ group }) => group === null)) return ALL_FULFILLED;
  const totals = new Map<string, number>();
  const unfulfilled = new Set<string>();
  for (const { group, impId, clearingCpmMicros } of contenders) {
    if (group === null) continue;
    totals.set(group, (totals.get(group) ?? 0) + clearingCpmMicros);
    if (!winners.get(impId)?.some((winner) => winner.group === group)) unfulfilled.add(group);
  }
  let weakest: string | undefined;
  for (const group of unfulfilled) {
    if (weakest === undefined || totals.get(group)! < totals.get(weakest)!) weakest = group;
  }
  return { weakest, unfulfilled };
}
