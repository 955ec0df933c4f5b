// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are macros of markup

/** The values of one auction that bidders write into their markup themselves, in place of macros. */
export interface AuctionValues {
  /** BidRequest.id. */
  readonly auctionId: string;
  readonly impId: string;
  /** BidResponse.bidid. */
  readonly responseId: string | null;
  /** Bid.id. */
  readonly bidId: string;
}

/** Where a template has the `id` of the bid itself, for which OpenRTB has no macro. */
export const BID_ID_PLACEHOLDER = '${EXCHANGE_BID_ID}';
/** Where a template has a number that kept caches from answering. */
export const CACHE_BUSTER_PLACEHOLDER = '${EXCHANGE_CACHE_BUSTER}';
/** Where hosted markup has the address of the exchange's hosted files, such as `https://cdn.example`. */
export const CREATIVES_URL_PLACEHOLDER = '${EXCHANGE_CREATIVES_URL}';

/** A shorter value may stand in markup by chance. */
const SHORTEST_VALUE = 8;
/** Ids that no encoding changes; any other is not looked for. */
const PLAIN_ID = /^[\w.~-]*$/;
/** Bidders choose these ids themselves: none is looked for that could be a host, or a word of HTML or of a script. */
const BIDDERS_ID = /^[\w-]*$/;
/**
 * What stands before such an id, at the end: what makes it a value or a step of a path. Anywhere else, in a host above
 * all, a bidder could call its bid so and swap what the markup loads, after it was approved.
 */
const BEFORE_BIDDERS_ID = /(?:[=?&|,"']|%3D|[\w.~)}-]\/)$/i;
const LONGEST_BEFORE = 3;

/** Numbers in queries whose names say that they only keep caches from answering. */
const CACHE_BUSTER =
  /([?&;](?:cb|cachebuster|cachebusting|cache_buster|correlator|nocache|ord|rand|random|rnd|timestamp|ts|_)=)\d{6,20}(?![\w.-])/gi;

/**
 * Takes out of a bid's markup what differs from auction to auction: the auction's own ids become macros, and cache
 * busters placeholders. Markup of one creative gives the same template in every auction, unless the bidder writes other
 * values into it. What stays in: ids of the bidder's own, of which nobody can tell whether they name an auction or
 * another creative.
 */
export function creativeTemplate(adm: string, { auctionId, impId, responseId, bidId }: AuctionValues): string {
  let template = replaced(adm, auctionId, '${AUCTION_ID}');
  if (bidId !== auctionId) template = bidderReplaced(template, bidId, BID_ID_PLACEHOLDER);
  if (responseId !== null) template = bidderReplaced(template, responseId, '${AUCTION_BID_ID}');
  template = replaced(template, impId, '${AUCTION_IMP_ID}');
  return template.replace(CACHE_BUSTER, `$1${CACHE_BUSTER_PLACEHOLDER}`);
}

function replaced(text: string, value: string, placeholder: string): string {
  if (value.length < SHORTEST_VALUE || !text.includes(value) || !PLAIN_ID.test(value)) return text;
  return text.replaceAll(value, () => placeholder);
}

function bidderReplaced(text: string, value: string, placeholder: string): string {
  if (value.length < SHORTEST_VALUE || !text.includes(value)) return text;
  if (!BIDDERS_ID.test(value) || !/\d/.test(value)) return text;
  return text.replaceAll(value, (_, at: number) =>
    BEFORE_BIDDERS_ID.test(text.slice(Math.max(0, at - LONGEST_BEFORE), at)) ? placeholder : value,
  );
}

/** What fills the placeholders of a template that are no macros of OpenRTB. */
export interface PlaceholderValues {
  readonly bidId: string;
  /** Digits. */
  readonly cacheBuster: string;
}

/** Fills a template for another auction. The macros of OpenRTB stay, to be filled as in any markup. */
export function fillPlaceholders(template: string, { bidId, cacheBuster }: PlaceholderValues): string {
  if (!template.includes('${EXCHANGE_')) return template;
  return template
    .replaceAll(BID_ID_PLACEHOLDER, () => encodeURIComponent(bidId.replace(/\p{Surrogate}/gu, '\ufffd')))
    .replaceAll(CACHE_BUSTER_PLACEHOLDER, () => cacheBuster);
}
