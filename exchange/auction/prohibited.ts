import type { Imp } from '../openrtb/bid-request.ts';
import type { Bid } from '../openrtb/bid-response.ts';
import { shallowCopy } from '../openrtb/shallow-copy.ts';
import type { AdFormat } from './ad-format.ts';
import type { LossReason } from './loss-reason.ts';

/*
 * What this exchange never sells to (specification, "Blocked categories"), as far as the field's lists can say it.
 *
 * The IAB's own mapping of its Ad Product Taxonomy 2.0 to its Content Taxonomy 1.0 puts adult products, gambling,
 * weapons, cryptocurrencies and NFTs all into IAB25 (Non-Standard Content); IAB26 (Illegal Content) holds spyware and malware,
 * warez and what infringes the rights of others. Neither tells licensed gambling or regulated currencies from others: whoever
 * cannot be told apart is not shown.
 */

/** IAB Content Taxonomy 1.0, with all that lies below. */
export const PROHIBITED_CATEGORIES: readonly string[] = ['IAB25', 'IAB26'];

/** AdCOM's Category Taxonomies: IAB Ad Product Taxonomy 2.0. */
const AD_PRODUCT_TAXONOMY_2 = 8;

/** The same in terms of products: adult, gambling but not contests and giveaways, non-fiat currency, guns and ammunition. */
const PROHIBITED_PRODUCTS: ReadonlySet<string> = new Set([
  ...['1001', '1361', '1362', '1363', '1366', '1367'],
  ...['1448', '1449', '1450', '1451', '1576', '1577', '1578', '1580'],
]);

/** Politics, in either taxonomy: sold where the bid says who pays for it. */
const POLITICAL_CATEGORY = 'IAB11-4';
const POLITICAL_PRODUCTS: ReadonlySet<string> = new Set(['1474', '1475', '1476', '1477', '1479', '1480', '1481']);

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
export function prohibition(bid: Bid, format: AdFormat): LossReason | undefined {
  const { cat, cattax = 1, attr } = bid;
  if (cat !== undefined && cattax === AD_PRODUCT_TAXONOMY_2) {
    if (cat.some((product) => PROHIBITED_PRODUCTS.has(product))) return 'blocked-category';
    if (cat.some((product) => POLITICAL_PRODUCTS.has(product)) && !isDisclosed(bid)) return 'blocked-category';
  }
  if (cat !== undefined && cattax === 1) {
    if (cat.some(isProhibitedCategory)) return 'blocked-category';
    if (cat.some(isPoliticalCategory) && !isDisclosed(bid)) return 'blocked-category';
  }
  if (attr?.some((attribute) => PROHIBITED_ATTRIBUTES[format].includes(attribute))) return 'blocked-attribute';
  return undefined;
}

/** Of IAB Content Taxonomy 1.0. */
export function isProhibitedCategory(category: string): boolean {
  const hyphen = category.indexOf('-');
  const parent = hyphen === -1 ? category : category.slice(0, hyphen);
  return PROHIBITED_CATEGORIES.includes(parent.toUpperCase());
}

/** Of IAB Content Taxonomy 1.0. */
export function isPoliticalCategory(category: string): boolean {
  return category.toUpperCase() === POLITICAL_CATEGORY;
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
