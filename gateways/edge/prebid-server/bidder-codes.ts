import { isObject, type JsonObject } from '#exchange/openrtb/shape';

/** Names in `imp.ext` that are no bidder's (Prebid Server, "Bidder names"). */
const RESERVED: ReadonlySet<string> = new Set([
  ...['all', 'context', 'data', 'general', 'gpid', 'prebid', 'skadn', 'tid', 'ae', 'igs'],
]);

/** The bidders that an imp asks. */
export interface AskedBidders {
  /** Codes that stand for this exchange, each with its parameters, in the order of the imp. */
  readonly ours: readonly { readonly code: string; readonly params: JsonObject }[];
  /** Codes in `ext.prebid.bidder` that this exchange does not know. */
  readonly unknown: readonly string[];
}

/** The bidder codes that stand for this exchange: its own one, in any case, and the aliases of a request. */
export class BidderCodes {
  readonly #own: string;
  readonly #aliases: JsonObject;

  /** `aliases`: `ext.prebid.aliases` of the request, if it has any. */
  constructor(own: string, aliases?: unknown) {
    this.#own = own.toLowerCase();
    this.#aliases = isObject(aliases) ? aliases : {};
  }

  isOurs(code: string): boolean {
    if (code.toLowerCase() === this.#own) return true;
    const aliased = Object.hasOwn(this.#aliases, code) ? this.#aliases[code] : undefined;
    return typeof aliased === 'string' && aliased.toLowerCase() === this.#own;
  }

  /**
   * The bidders of an imp: those of `ext.prebid.bidder`, and those in `ext` itself, as old clients write them. There,
   * other names are no bidders but data that is passed on.
   */
  askedBy(imp: JsonObject): AskedBidders {
    const ext = isObject(imp.ext) ? imp.ext : {};
    const prebid = isObject(ext.prebid) ? ext.prebid : {};
    const bidders = isObject(prebid.bidder) ? prebid.bidder : {};
    const ours = new Map<string, JsonObject>();
    const unknown: string[] = [];
    for (const [code, params] of Object.entries(bidders)) {
      if (this.isOurs(code)) ours.set(code, isObject(params) ? params : {});
      else unknown.push(code);
    }
    for (const [code, params] of Object.entries(ext)) {
      if (RESERVED.has(code.toLowerCase()) || ours.has(code) || !this.isOurs(code)) continue;
      ours.set(code, isObject(params) ? params : {});
    }
    return { ours: [...ours].map(([code, params]) => ({ code, params })), unknown };
  }
}
