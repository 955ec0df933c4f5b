import type { AdFormat } from '#exchange/auction/ad-format';
import { isObject } from '#exchange/openrtb/shape';
import { MEDIUM, type PriceGranularity, priceBucket, readPriceGranularity } from './price-granularity.ts';

/** Which key values a request wants for its ad server (`ext.prebid.targeting`). */
export interface TargetingPolicy {
  readonly granularity: PriceGranularity;
  /** Where a format has a granularity of its own. */
  readonly byFormat: Readonly<Partial<Record<AdFormat, PriceGranularity>>>;
  /** Keys without the bidder's code, for the highest bid of an imp. */
  readonly winnerKeys: boolean;
  /** Keys that end with the bidder's code. */
  readonly bidderKeys: boolean;
  /** Bidders' keys for a bid with a deal, even where `bidderKeys` is false. */
  readonly dealKeys: boolean;
  readonly formatKey: boolean;
  readonly prefix: string;
  /** Characters of a key; longer ones are cut. */
  readonly longestKey: number;
}

/** A bid as targeting tells of it. */
export interface TargetedBid {
  /** The bidder's code that was asked for. */
  readonly code: string;
  readonly priceCpmMicros: number;
  readonly format: AdFormat;
  readonly size: { readonly w: number; readonly h: number } | null;
  readonly dealId: string | undefined;
  readonly isHighest: boolean;
  readonly cached: CachedBid | null;
}

/** Where a bid can be fetched; see `BidCache`. */
export interface CachedBid {
  readonly host: string;
  readonly path: string;
  /** Id of the bid's JSON. */
  readonly bidId: string | null;
  /** Id of its VAST. */
  readonly vastId: string | null;
}

const PREFIX = 'hb';
const LONGEST_KEY = 20;
const MOST_CHARACTERS = 255;
/** The longest key without its prefix: `_cache_host` and the like. */
const LONGEST_NAME = 12;
const FORMATS: readonly AdFormat[] = ['banner', 'video', 'audio', 'native'];

/** Null where a request wants no targeting. Throws VALIDATION_ERROR for a granularity that says nothing. */
export function readTargeting(stated: unknown): TargetingPolicy | null {
  if (!isObject(stated)) return null;
  const at = 'ext.prebid.targeting';
  const { pricegranularity, mediatypepricegranularity: stateds, prefix, truncateattrchars: longest } = stated;
  const byFormat: Partial<Record<AdFormat, PriceGranularity>> = {};
  for (const format of FORMATS) {
    const own = isObject(stateds) ? stateds[format] : undefined;
    if (own === undefined || own === null) continue;
    byFormat[format] = readPriceGranularity(own, `${at}.mediatypepricegranularity.${format}`);
  }
  const isLength = Number.isInteger(longest) && (longest as number) > 0 && (longest as number) <= MOST_CHARACTERS;
  const longestKey = isLength ? (longest as number) : LONGEST_KEY;
  const fits = typeof prefix === 'string' && prefix !== '' && prefix.length + LONGEST_NAME <= longestKey;
  return {
    granularity:
      pricegranularity === undefined || pricegranularity === null
        ? MEDIUM
        : readPriceGranularity(pricegranularity, `${at}.pricegranularity`),
    byFormat,
    winnerKeys: stated.includewinners !== false,
    bidderKeys: stated.includebidderkeys !== false,
    dealKeys: stated.alwaysincludedeals === true,
    formatKey: stated.includeformat === true,
    prefix: fits ? prefix : PREFIX,
    longestKey,
  };
}

/** The key values of a bid, for the ad server. `environment` tells which creative code will render it, if any does. */
export function targetingOf(
  policy: TargetingPolicy,
  bid: TargetedBid,
  environment: 'amp' | 'mobile-app' | null,
): Record<string, string> {
  const { size, cached, dealId } = bid;
  const values: (readonly [name: string, value: string | null | undefined])[] = [
    ['pb', priceBucket(bid.priceCpmMicros, policy.byFormat[bid.format] ?? policy.granularity)],
    ['bidder', bid.code],
    ['size', size === null ? null : `${size.w}x${size.h}`],
    ['format', policy.formatKey ? bid.format : null],
    ['cache_id', cached?.bidId],
    ['uuid', cached?.vastId],
    ['cache_host', cached?.host],
    ['cache_path', cached?.path],
    ['deal', dealId],
    ['env', environment],
  ];
  const keys: Record<string, string> = {};
  const withBidder = policy.bidderKeys || (policy.dealKeys && dealId !== undefined);
  for (const [name, value] of values) {
    if (value === null || value === undefined || value === '') continue;
    const key = `${policy.prefix}_${name}`;
    if (withBidder) keys[`${key}_${bid.code}`.slice(0, policy.longestKey)] = value;
    if (policy.winnerKeys && bid.isHighest) keys[key.slice(0, policy.longestKey)] = value;
  }
  return keys;
}
