import { type AdBreak, MAX_ADS_OF_BREAK, type Separation } from './ad-break.ts';
import type { PodPlacement } from './pod-placement.ts';

/** A bid that may be placed in a break. */
export interface BreakContender {
  readonly impId: string;
  /** Whole micro-dollars CPM. */
  readonly clearingCpmMicros: number;
  readonly placing: PodPlacement;
}

/**
 * A search compares at most this many pairs of ads, in 1 to 2 ms; after that the best selection found so far stands.
 */
const MAX_SEARCH_COMPARISONS = 20_000;
/**
 * Bound of the first descent of a search, where that is longer than the search; bids that it does not reach are left
 * out.
 */
const MAX_DESCENT_COMPARISONS = 200_000;
/**
 * Until the searches of one auction have compared this many pairs together, in some 10 ms, each may compare as many as
 * a single one. After that only the first descent of each is made.
 */
export const MAX_AUCTION_COMPARISONS = 100_000;
/** A search looks at this many of the highest bids for a break; hundreds are usual. */
const MAX_CONTENDERS = 2_000;

/** The pairs of ads that the searches of one auction have compared so far. */
export interface ComparisonCount {
  comparisons: number;
}

/**
 * Chooses the ads of a break that pay most together, in the order in which they are shown. No slot holds more ads or
 * seconds than it has, no two ads are ones that the break separates, and at most one ad of a slot must be first and one
 * must be last.
 *
 * The search is branch and bound from the highest price down. A result that was cut off at `MAX_SEARCH_COMPARISONS`, or
 * after the first descent, is therefore never worse than taking the highest bid that fits, one after another. Equal
 * bids have equal chances, by `random`. What the search compares is added to `count`.
 */
export function fillBreak<T extends BreakContender>(
  adBreak: AdBreak,
  contenders: readonly T[],
  random: () => number,
  count: ComparisonCount = { comparisons: 0 },
): readonly T[] {
  const ranked = byPrice(contenders, random).slice(0, MAX_CONTENDERS);
  let maxAds = 0;
  for (const slot of adBreak.slots.values()) maxAds += slot.maxAds;
  maxAds = Math.min(maxAds, MAX_ADS_OF_BREAK);
  /** By rank: the sum of the prices from there to the end of the ranking. */
  const rest = new Array<number>(ranked.length + 1).fill(0);
  for (let index = ranked.length - 1; index >= 0; index--) {
    rest[index] = rest[index + 1]! + ranked[index]!.clearingCpmMicros;
  }
  const chosen: T[] = [];
  let best: readonly T[] = [];
  let bestCpmMicros = 0;
  const wayDown = Math.min(ranked.length * (maxAds + 1), MAX_DESCENT_COMPARISONS);
  const searched = Math.min(MAX_SEARCH_COMPARISONS, MAX_AUCTION_COMPARISONS - count.comparisons);
  const comparisonLimit = Math.max(searched, wayDown);
  let comparisons = 0;
  /** The sum of `excessOf` the chosen. */
  let chosenExcess = 0;
  /** The most that contenders from `index` on could add. */
  const roomFor = (index: number) => {
    const adsLeft = maxAds - chosen.length;
    return rest[index]! - (rest[index + adsLeft] ?? 0);
  };
  // The recursion is at most as deep as the break has ads, however many bids there are.
  const search = (from: number, sumCpmMicros: number): void => {
    if (sumCpmMicros > bestCpmMicros) {
      best = [...chosen];
      bestCpmMicros = sumCpmMicros;
    }
    for (let index = from; index < ranked.length; index++) {
      const contender = ranked[index]!;
      const excess = excessOf(contender);
      comparisons += 1 + chosen.length * (1 + excess) + chosenExcess;
      if (comparisons > comparisonLimit || sumCpmMicros + roomFor(index) <= bestCpmMicros) return;
      if (chosen.length === maxAds) return;
      if (!fits(contender, chosen, adBreak)) continue;
      chosen.push(contender);
      chosenExcess += excess;
      search(index + 1, sumCpmMicros + contender.clearingCpmMicros);
      chosenExcess -= excess;
      chosen.pop();
    }
  };
  search(0, 0);
  count.comparisons += comparisons;
  return inOrder(best);
}

/**
 * What comparisons with an ad cost beyond those with usual ads, which have one or two domains and a few categories: in
 * comparisons of such.
 */
function excessOf({ placing: { advertisers, categories } }: BreakContender): number {
  return Math.floor((advertisers.size + categories.size) / USUAL_NAMES);
}
const USUAL_NAMES = 10;

/** Whether an ad may join the chosen ones. */
function fits(one: BreakContender, chosen: readonly BreakContender[], { slots, separated }: AdBreak): boolean {
  const { maxAds, maxSeconds } = slots.get(one.impId)!;
  let ads = 1;
  let { seconds } = one.placing;
  let ends = one.placing.position === 0 ? 0 : 1;
  for (const { impId, placing } of chosen) {
    if (impId === one.impId) {
      ads += 1;
      seconds += placing.seconds;
      if (placing.position !== 0 && placing.position === one.placing.position && placing.position !== 2) return false;
      if (placing.position !== 0) ends += 1;
    }
    if (isSeparated(one.placing, placing, separated)) return false;
  }
  return ads <= maxAds && seconds <= maxSeconds && ends <= 2;
}

/** Whether the break separates these two ads. An advertiser is also separated from those of domains above its own. */
export function isSeparated(a: PodPlacement, b: PodPlacement, separated: ReadonlySet<Separation>): boolean {
  if (separated.has('advertiser')) {
    if (haveCommon(a.advertisers, b.advertisersAndAbove)) return true;
    if (haveCommon(b.advertisers, a.advertisersAndAbove)) return true;
  }
  if (separated.has('category') && a.taxonomy === b.taxonomy && haveCommon(a.categories, b.categories)) return true;
  return separated.has('creative') && isSameCreative(a, b);
}

function haveCommon(names: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  for (const name of names) if (others.has(name)) return true;
  return false;
}

function isSameCreative(a: PodPlacement, b: PodPlacement): boolean {
  return a.creative !== null && a.creative === b.creative && a.dspId === b.dspId && a.campaign === b.campaign;
}

/** The contenders from the highest price down; equal prices are shuffled. */
function byPrice<T extends BreakContender>(contenders: readonly T[], random: () => number): T[] {
  const ranked = [...contenders].sort((a, b) => b.clearingCpmMicros - a.clearingCpmMicros);
  for (let from = 0; from < ranked.length; ) {
    let to = from + 1;
    while (to < ranked.length && ranked[to]!.clearingCpmMicros === ranked[from]!.clearingCpmMicros) to++;
    for (let index = to - 1; index > from; index--) {
      const other = from + Math.floor(random() * (index - from + 1));
      [ranked[index], ranked[other]] = [ranked[other]!, ranked[index]!];
    }
    from = to;
  }
  return ranked;
}

/** Orders the ads: first ones first, last ones last. An ad that may be either goes first where that place is free. */
function inOrder<T extends BreakContender>(ads: readonly T[]): readonly T[] {
  const hasFirst = new Set(ads.filter(({ placing }) => placing.position === 1).map(({ impId }) => impId));
  const place = (ad: T): number => {
    const { position } = ad.placing;
    if (position !== 2) return position === 1 ? 0 : position === -1 ? 2 : 1;
    if (hasFirst.has(ad.impId)) return 2;
    hasFirst.add(ad.impId);
    return 0;
  };
  const placed = ads.map((ad) => ({ ad, at: place(ad) }));
  return placed.sort((a, b) => a.at - b.at).map(({ ad }) => ad);
}
