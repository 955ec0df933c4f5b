import type { ViewabilityUrl } from '../../exchange/creative/viewability-url.ts';
import { signedQuery, signedWon, wonParameter } from './query.ts';
import { type RequestOrigin, UNKNOWN_ORIGIN } from './request-origin.ts';
import type { Sale, SoldImpression } from './sale.ts';
import { SEALED_PREFIX } from './sealed.ts';
import { sign, signTwice } from './signature.ts';
import { newTrackingId } from './tracking-id.ts';
import { TrackingKeys } from './tracking-keys.ts';
import { VIEW_PATH } from './view-event.ts';

export interface MintOptions {
  readonly secretKey: string;
  /** PUBLIC_EDGE_URL, without a slash at its end. */
  readonly publicEdgeUrl: string;
}

export interface Tracking {
  /** Names the impression: what makes it count once. */
  readonly trackingId: string;
  /** `{PUBLIC_EDGE_URL}/track/impression?…`: the pixel in the markup, for the viewer's device to call. */
  readonly url: string;
  /**
   * `burl` in our answer, for servers to call: the same, with the proof that its caller was told it by that answer. Either bills the
   * impression, whose id is the same.
   */
  readonly billingUrl: string;
  /** Of what is seen of it: the same query, told elsewhere, without the DSP's `nurl`. Undefined where it is so long that nobody repeats it. */
  readonly viewUrl: ViewabilityUrl | undefined;
  /**
   * What {@link TrackingMint.mintWin} makes for a win that nobody is told of, as far as it comes with the pixel's URL: both say
   * the same of nearly every sale, and a MAC by itself costs 3 µs. Else null.
   */
  readonly quietWinUrl: string | null;
}

/** Markup names a view three times; a sale is named in 300 to 700 characters, and with a long `burl` in thousands. */
const LONGEST_REPEATED = 2_000;

/**
 * Makes the URLs that a caller reports back to. Everything in them is bound by a MAC, so an edge that never saw the
 * auction can bill it. Synchronous; a few microseconds each.
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

  /** The pixel URL of a sale, under a tracking id that nothing else has. `origin`: of the request that it was sold for. */
  mintTracking(sale: Sale, trackingId = newTrackingId(), origin: RequestOrigin = UNKNOWN_ORIGIN): Tracking {
    const { id, caps, origins, of, pads } = this.#keys;
    const { stream, proof } = pads.padOf(trackingId);
    const { billingNoticeUrl, winNoticeUrl = null, capped } = sale;
    let sealed = `${SEALED_PREFIX}${id}${origins.seal(origin, stream)}`;
    if (capped !== null) sealed += caps.seal(capped, trackingId);
    const token = tokenOf(sale, trackingId);
    const text = signedQuery(sale, billingNoticeUrl, sealed, token);
    const [mac, quietWinMac] = signTwice(of.impression, text);
    const query = `${text}.${mac}`;
    const called = winNoticeUrl === null ? query : `${query}${this.#carried(winNoticeUrl, token)}`;
    const isAlike = billingNoticeUrl === null && winNoticeUrl === null && capped === null;
    return {
      trackingId,
      url: this.#impressionUrl + called,
      billingUrl: `${this.#impressionUrl}${called}&burl=${proof}`,
      viewUrl: query.length > LONGEST_REPEATED ? undefined : (told) => `${this.#viewUrl}${told}&${query}`,
      quietWinUrl: isAlike ? `${this.#winUrl}${text}.${quietWinMac}` : null,
    };
  }

  /**
   * Our `nurl` for a sold imp: whoever calls it has us call `winNoticeUrl`, the DSP's own `nurl` with its macros
   * filled in (null: it gave none, and the call is only noted). It bills nothing.
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
