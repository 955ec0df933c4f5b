import type { Bid } from '../openrtb/bid-response.ts';
import type { Imp } from '../openrtb/fields/imp.ts';
import { shallowCopy } from '../openrtb/shallow-copy.ts';
import type { AdFormat } from './ad-format.ts';
import type { LossReason } from './loss-reason.ts';
import { isKnownTaxonomy, prohibitedGroup, prohibitedIds } from './prohibited-categories.ts';

/*
 * What this exchange never sells to (specification, "Blocked categories"), as far as the field's lists can say it: categories by
 * our own table, creative attributes beside them. No list tells licensed gambling or regulated currencies from others: whoever
 * cannot be told apart is not shown.
 */

/** The taxonomy of `cat` and `bcat` where none is named (OpenRTB 2.6 §3.2.1, §4.2.3): IAB Content Taxonomy 1.0. */
const CONTENT_TAXONOMY_1 = 1;

/** IAB Content Taxonomy 1.0, with all that lies below. */
export const PROHIBITED_CATEGORIES: readonly string[] = prohibitedIds(CONTENT_TAXONOMY_1);

const AUTO_PLAY_AUDIO = 1;
/** Made to look like the system's own, which is how deceptive installs begin. */
const WINDOWS_DIALOG = 14;

/** AdCOM's creative attributes. Sound that begins by itself is what video and audio are. */
const PROHIBITED_ATTRIBUTES: Readonly<Record<AdFormat, readonly number[]>> = {
  banner: [AUTO_PLAY_AUDIO, WINDOWS_DIALOG],
  native: [AUTO_PLAY_AUDIO, WINDOWS_DIALOG],
  video: [WINDOWS_DIALOG],
  audio: [WINDOWS_DIALOG],
};

/** Why a bid must be shown nowhere on this exchange, or undefined. */
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

/** Whether a bid names its categories in a taxonomy that the table does not have: it is judged by the rest of it. */
export function isOfUnknownTaxonomy({ cat, cattax }: Bid): boolean {
  return cattax !== undefined && cat !== undefined && cat.length > 0 && !isKnownTaxonomy(cattax);
}

/** Of IAB Content Taxonomy 1.0. */
export function isProhibitedCategory(category: string): boolean {
  const group = prohibitedGroup(category, CONTENT_TAXONOMY_1);
  return group !== undefined && group !== 'politics';
}

/** Of IAB Content Taxonomy 1.0. */
export function isPoliticalCategory(category: string): boolean {
  return prohibitedGroup(category, CONTENT_TAXONOMY_1) === 'politics';
}

/** An imp that tells bidders which attributes it does not take; its own list goes on. */
export function withProhibitedAttributes(imp: Imp): Imp {
  const told = shallowCopy(imp);
  for (const format of ['banner', 'video', 'audio', 'native'] as const) {
    const medium = imp[format];
    if (medium === undefined) continue;
    const { battr = [] } = medium;
    const added = PROHIBITED_ATTRIBUTES[format].filter((attribute) => !battr.includes(attribute));
    if (added.length === 0) continue;
    const copy = shallowCopy<{ battr?: readonly number[] }>(medium);
    copy.battr = [...battr, ...added];
    (told as Record<string, unknown>)[format] = copy;
  }
  return told;
}

/** Names whom the ad is for or who has paid: the IAB's transparency object of the Digital Services Act. */
function isDisclosed({ ext }: Bid): boolean {
  const dsa = ext?.dsa as { readonly behalf?: unknown; readonly paid?: unknown } | null | undefined;
  return isName(dsa?.behalf) || isName(dsa?.paid);
}

function isName(stated: unknown): boolean {
  return typeof stated === 'string' && stated.trim() !== '';
}
