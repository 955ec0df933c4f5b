import type { Bid } from '../openrtb/bid-response.ts';
import type { Imp } from '../openrtb/fields/imp.ts';
import { shallowCopy } from '../openrtb/shallow-copy.ts';
import type { AdFormat } from './ad-format.ts';
import type { LossReason } from './loss-reason.ts';
import { isKnownTaxonomy, prohibitedGroup, prohibitedIds } from './prohibited-categories.ts';

/*
 * What this exchange sells to no one (specification, "Blocked categories"), as far as the field's lists can say it:
 * categories by a table of the exchange's own, and creative attributes. No list separates licensed gambling from
 * unlicensed, or regulated currencies from others: a bid that cannot be told apart is not shown.
 */

/** IAB Content Taxonomy 1.0: the taxonomy of `cat` and `bcat` where none is named (OpenRTB 2.6 §3.2.1, §4.2.3). */
export const CONTENT_TAXONOMY_1 = 1;

/** Ids of IAB Content Taxonomy 1.0. Each stands for all categories below it, too. */
export const PROHIBITED_CATEGORIES: readonly string[] = prohibitedIds(CONTENT_TAXONOMY_1);

const AUTO_PLAY_AUDIO = 1;
/** A Windows dialog or alert style (AdCOM): deceptive installs begin with such ads. */
const WINDOWS_DIALOG = 14;

/**
 * AdCOM's creative attributes by format. Video and audio have no entry for sound that begins by itself: it is what they
 * are.
 */
const PROHIBITED_ATTRIBUTES: Readonly<Record<AdFormat, readonly number[]>> = {
  banner: [AUTO_PLAY_AUDIO, WINDOWS_DIALOG],
  native: [AUTO_PLAY_AUDIO, WINDOWS_DIALOG],
  video: [WINDOWS_DIALOG],
  audio: [WINDOWS_DIALOG],
};

/** The reason why this exchange must not show the bid anywhere, or undefined. */
export function prohibitedReason(bid: Bid, format: AdFormat): LossReason | undefined {
  const { cat, cattax = CONTENT_TAXONOMY_1, attr } = bid;
  if (cat !== undefined) {
    for (const category of cat) {
      const group = prohibitedGroup(category, cattax);
      if (group !== undefined && (group !== 'politics' || !isDisclosed(bid))) return 'blocked-category';
    }
  }
  if (attr?.some((attribute) => PROHIBITED_ATTRIBUTES[format].includes(attribute))) return 'blocked-attribute';
  return undefined;
}

/**
 * Whether a bid names its categories in a taxonomy that the table does not have. The bid's other fields are still
 * judged.
 */
export function isOfUnknownTaxonomy({ cat, cattax }: Bid): boolean {
  return cattax !== undefined && cat !== undefined && cat.length > 0 && !isKnownTaxonomy(cattax);
}

/** Whether a category of IAB Content Taxonomy 1.0 is prohibited. */
export function isProhibitedCategory(category: string): boolean {
  const group = prohibitedGroup(category, CONTENT_TAXONOMY_1);
  return group !== undefined && group !== 'politics';
}

/** Whether a category of IAB Content Taxonomy 1.0 is political. */
export function isPoliticalCategory(category: string): boolean {
  return prohibitedGroup(category, CONTENT_TAXONOMY_1) === 'politics';
}

/** Adds the prohibited attributes to the imp's `battr`, behind its own list, so that bidders know them. */
export function withProhibitedAttributes(imp: Imp): Imp {
  const changed = shallowCopy(imp);
  for (const format of ['banner', 'video', 'audio', 'native'] as const) {
    const medium = imp[format];
    if (medium === undefined) continue;
    const { battr = [] } = medium;
    const added = PROHIBITED_ATTRIBUTES[format].filter((attribute) => !battr.includes(attribute));
    if (added.length === 0) continue;
    const copy = shallowCopy<{ battr?: readonly number[] }>(medium);
    copy.battr = [...battr, ...added];
    (changed as Record<string, unknown>)[format] = copy;
  }
  return changed;
}

/**
 * Whether the bid names the party that the ad is for or that paid for it (`ext.dsa`, the IAB's transparency object of
 * the Digital Services Act).
 */
function isDisclosed({ ext }: Bid): boolean {
  const dsa = ext?.dsa as { readonly behalf?: unknown; readonly paid?: unknown } | null | undefined;
  return isName(dsa?.behalf) || isName(dsa?.paid);
}

function isName(stated: unknown): boolean {
  return typeof stated === 'string' && stated.trim() !== '';
}
