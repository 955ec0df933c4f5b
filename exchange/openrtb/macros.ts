import { MAX_MARKUP } from './bid-response-shape.ts';

/**
 * The values that a bid's notices and markup can receive: OpenRTB 2.6 §4.4. Each is the text that replaces its macro;
 * an absent value becomes the empty string, as the standard demands for data that was not specified.
 *
 * Prices are CPM in the bid's currency, as decimals (`2.5`).
 */
export interface MacroValues {
  /** `${AUCTION_ID}`: BidRequest.id. */
  readonly auctionId?: string | undefined;
  /** `${AUCTION_BID_ID}`: BidResponse.bidid. */
  readonly bidId?: string | undefined;
  /** `${AUCTION_IMP_ID}`: imp.id. */
  readonly impId?: string | undefined;
  /** `${AUCTION_SEAT_ID}`: seatbid.seat. */
  readonly seatId?: string | undefined;
  /** `${AUCTION_AD_ID}`: bid.adid. */
  readonly adId?: string | undefined;
  /** `${AUCTION_PRICE}`: the clearing price. */
  readonly price?: string | undefined;
  /** `${AUCTION_CURRENCY}`: BidResponse.cur. */
  readonly currency?: string | undefined;
  /** `${AUCTION_MBR}`: clearing price ÷ bid price. */
  readonly marketBidRatio?: string | undefined;
  /** `${AUCTION_LOSS}`: a loss reason code of OpenRTB 3.0. */
  readonly loss?: string | undefined;
  /** `${AUCTION_MIN_TO_WIN}`: §4.4.1. */
  readonly minToWin?: string | undefined;
  /** `${AUCTION_MULTIPLIER}`: impressions won. */
  readonly multiplier?: string | undefined;
  /** `${AUCTION_IMP_TS}`: when the impression was fulfilled, ms since the Unix epoch. */
  readonly impressionMs?: string | undefined;
  /** `${AUCTION_DISCOUNT_PCT}`: the seller's discount, per cent of the bid. */
  readonly discountPercent?: string | undefined;
  /** `${AUCTION_DISCOUNT_CPM}`: the seller's discount. */
  readonly discountCpm?: string | undefined;
}

/** The value of each macro, by the part of its name that follows `AUCTION_`. */
export const MACROS: Readonly<Record<string, keyof MacroValues>> = {
  ID: 'auctionId',
  BID_ID: 'bidId',
  IMP_ID: 'impId',
  SEAT_ID: 'seatId',
  AD_ID: 'adId',
  PRICE: 'price',
  CURRENCY: 'currency',
  MBR: 'marketBidRatio',
  LOSS: 'loss',
  MIN_TO_WIN: 'minToWin',
  MULTIPLIER: 'multiplier',
  IMP_TS: 'impressionMs',
  DISCOUNT_PCT: 'discountPercent',
  DISCOUNT_CPM: 'discountCpm',
};

/**
 * The values that come from callers and bidders. Macros stand in URLs, in markup and in scripts: an id that is encoded
 * as a URL component cannot break out of any of them. All other values are numbers and words of the exchange's own, in
 * which there is nothing to encode.
 */
const FOREIGN: ReadonlySet<keyof MacroValues> = new Set(['auctionId', 'bidId', 'impId', 'seatId', 'adId', 'currency']);

/**
 * The most macros that are filled in one text; no ad needs more. Further ones become empty, so that the result is
 * bounded.
 */
const MAX_MACROS = 1_000;

/** The most characters that markup has once its macros are filled; a thousand ids of usual length fit in. */
export const MAX_FILLED_MARKUP = 2 * MAX_MARKUP;
/** The longest notice URL that is sent. */
export const MAX_NOTICE_URL = 8_192;

/** Matches `${AUCTION_X}`, `${AUCTION_X:ALG}`, and either with its delimiters percent-encoded. */
const MACRO = /(\$|%24)(?:\{|%7[Bb])AUCTION_([A-Z_]+)(?:(?::|%3[Aa])([A-Za-z0-9]+))?(?:\}|%7[Dd])/g;

/**
 * Replaces every macro of OpenRTB 2.6 §4.4 in a notice URL or in markup, wherever it stands and without regard to the
 * syntax around it (decision 0037). Names that the standard does not list are no macros and stay as they are.
 *
 * - `${AUCTION_PRICE}` becomes the value. An id is encoded as a URL component; letters, digits and `-._~` stay as they
 *   are.
 * - `%24%7BAUCTION_PRICE%7D` stands inside an encoded URL: it becomes what the plain macro becomes, encoded once more.
 * - `${AUCTION_PRICE:B64}` becomes the value in Base64. The standard leaves encodings to agreement; this is the one
 *   that the exchange offers. A macro with any other suffix becomes empty: the buyer wanted the value hidden, so it
 *   must not appear in the clear.
 *
 * Macros of the value named by `later` stay as they are, to be filled when the value is known.
 *
 * Once the result has more than `maxChars` characters, the macros that follow become empty: it is too long to be used,
 * which its length tells the caller, and making it costs no more.
 */
export function substituteMacros(
  text: string,
  values: MacroValues,
  maxChars: number = MAX_FILLED_MARKUP,
  later?: keyof MacroValues,
): string {
  if (!mayHoldMacros(text)) return text;
  let filled = 0;
  let grownBy = 0;
  const replaced = (whole: string, dollar: string, name: string, coding: string | undefined, at: number): string => {
    const key = Object.hasOwn(MACROS, name) ? MACROS[name] : undefined;
    if (key === undefined || key === later) return whole;
    const isFull = at + grownBy > maxChars || ++filled > MAX_MACROS;
    const value = isFull ? '' : written(key, values[key] ?? '', coding, dollar);
    grownBy += value.length - whole.length;
    return value;
  };
  return text.replace(MACRO, replaced);
}

/** The value as it stands in the place of a macro. */
function written(key: keyof MacroValues, value: string, coding: string | undefined, dollar: string): string {
  let text = value;
  if (coding !== undefined) text = coding === 'B64' ? Buffer.from(value).toString('base64') : '';
  else if (FOREIGN.has(key)) text = encoded(value);
  return dollar === '$' ? text : encoded(text);
}

/** Encodes a value as a URL component. Half a surrogate pair, which JSON can carry, has no encoding. */
function encoded(value: string): string {
  return UNRESERVED.test(value) ? value : encodeURIComponent(value.replace(/\p{Surrogate}/gu, '\ufffd'));
}

/** Text that a URL component holds unencoded (RFC 3986 §2.3); nearly every value is. */
const UNRESERVED = /^[\w.~-]*$/;

/** Two substring searches are much cheaper than the expression on markup without macros, which is the usual case. */
function mayHoldMacros(text: string): boolean {
  return text.includes('AUCTION_') && (text.includes('$') || text.includes('%24'));
}
