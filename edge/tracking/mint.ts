import type { ViewabilityUrl } from '../../exchange/creative/viewability-url.ts';
import { signedQuery, signedWon, wonParameter } from './query.ts';
import { type RequestOrigin, UNKNOWN_ORIGIN } from './request-origin.ts';
import type { Sale, SoldImpression } from './sale.ts';
import { SEALED_PREFIX } from './sealed.ts';
import { sign, signTwice } from './signature.ts';
import { TRACE_PARAMETER } from './trace-parameter.ts';
import { newTrackingId } from './tracking-id.ts';
import { TrackingKeys } from './tracking-keys.ts';
import { VIEW_PATH } from './view-event.ts';

export interface MintOptions {
  readonly secretKey: string;
  /** PUBLIC_EDGE_URL, without a slash at its end. */
  readonly publicEdgeUrl: string;
}

export interface Tracking {
  /** Id of the impression, by which it is billed once. */
  readonly trackingId: string;
  /** `{PUBLIC_EDGE_URL}/track/impression?…`: the pixel in the markup, for the viewer's device to call. */
  readonly url: string;
  /**
   * `burl` in the exchange's answer, for servers to call: the same URL, with the proof that its caller has read that
   * answer. Either URL bills the impression, whose id is the same.
   */
  readonly billingUrl: string;
  /**
   * URL for viewability reports: the same query at another path, without the DSP's `nurl`. Undefined where it is too
   * long to be repeated in markup.
   */
  readonly viewUrl: ViewabilityUrl | undefined;
  /**
   * The URL that {@link TrackingMint.mintWin} makes for a win without a DSP's `nurl`, if it can be made with the
   * pixel's URL: both carry the same query in nearly every sale, and a separate MAC costs 3 µs. Else null.
   */
  readonly quietWinUrl: string | null;
}

/**
 * Upper bound, in characters, of a query that markup repeats for viewability, which it does three times. A sale takes
 * 300 to 700 characters, and thousands with a long `burl`.
 */
const LONGEST_REPEATED = 2_000;

/**
 * Makes the URLs that callers report back to. A MAC covers everything in them, so an edge that never saw the auction
 * can bill it. Synchronous; a few microseconds each.
 */
export class TrackingMint {
  readonly #keys: TrackingKeys;
  readonly #impressionUrl: string;
  readonly #winUrl: string;
  readonly #viewUrl: string;

  constructor(options: MintOptions) {
    this.#keys = new TrackingKeys(options.secretKey);
    this.#impressionUrl = `${options.publicEdgeUrl}/track/impression?`;
    this.#winUrl = `${options.publicEdgeUrl}/track/win?`;
    this.#viewUrl = `${options.publicEdgeUrl}${VIEW_PATH}?event=`;
  }

  /**
   * Makes the pixel URL of a sale, under a unique tracking id. `origin`: of the request that the imp was sold for.
   * `traceparent`: of a traced auction, whose impression goes on with the trace; no MAC covers it, since it bills
   * nothing.
   */
  mintTracking(
    sale: Sale,
    trackingId = newTrackingId(),
    origin: RequestOrigin = UNKNOWN_ORIGIN,
    traceparent?: string,
  ): Tracking {
    const { id, caps, origins, of, pads } = this.#keys;
    const { stream, proof } = pads.padOf(trackingId);
    const { billingNoticeUrl, winNoticeUrl = null, capped } = sale;
    let sealed = `${SEALED_PREFIX}${id}${origins.seal(origin, stream)}`;
    if (capped !== null) sealed += caps.seal(capped, trackingId);
    const token = tokenOf(sale, trackingId);
    const text = signedQuery(sale, billingNoticeUrl, sealed, token);
    const [mac, quietWinMac] = signTwice(of.impression, text);
    const query = `${text}.${mac}`;
    const carried = winNoticeUrl === null ? query : `${query}${this.#carried(winNoticeUrl, token)}`;
    const called = traceparent === undefined ? carried : `${carried}&${TRACE_PARAMETER}=${traceparent}`;
    const isAlike = billingNoticeUrl === null && winNoticeUrl === null && capped === null;
    return {
      trackingId,
      url: this.#impressionUrl + called,
      billingUrl: `${this.#impressionUrl}${called}&burl=${proof}`,
      viewUrl: query.length > LONGEST_REPEATED ? undefined : (event) => `${this.#viewUrl}${event}&${query}`,
      quietWinUrl: isAlike ? `${this.#winUrl}${text}.${quietWinMac}` : null,
    };
  }

  /**
   * Makes the exchange's `nurl` for a sold imp. A call of it makes the exchange call `winNoticeUrl`, the DSP's own
   * `nurl` with its macros filled in (null: the DSP gave none, and the call is only noted). It bills nothing.
   */
  mintWin(sale: SoldImpression, trackingId: string, winNoticeUrl: string | null): string {
    const query = signedQuery(sale, winNoticeUrl, null, tokenOf(sale, trackingId));
    const mac = winNoticeUrl === null ? signTwice(this.#keys.of.impression, query)[1] : sign(this.#keys.of.win, query);
    return `${this.#winUrl}${query}.${mac}`;
  }

  #carried(winNoticeUrl: string, token: string): string {
    const won = wonParameter(winNoticeUrl);
    return `&${won}&wonmac=${sign(this.#keys.of.win, signedWon(won, token))}`;
  }
}

function tokenOf(sale: SoldImpression, trackingId: string): string {
  return `${sale.issuedAtMs.toString(36)}.${trackingId}`;
}
