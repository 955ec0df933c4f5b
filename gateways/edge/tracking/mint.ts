import type { KeyObject } from 'node:crypto';
import type { ViewUrl } from '../../../exchange/creative/view-url.ts';
import { VIEW_PATH } from '../viewability/view-event.ts';
import { CapSeal } from './cap-seal.ts';
import { signedQuery } from './query.ts';
import type { Sale, SoldImpression } from './sale.ts';
import { sign, signTwice, trackingKey } from './signature.ts';
import { newTrackingId } from './tracking-id.ts';

export interface MintOptions {
  readonly secretKey: string;
  /** PUBLIC_EDGE_URL, without a slash at its end. */
  readonly publicEdgeUrl: string;
}

export interface Tracking {
  /** Names the impression: what makes it count once. */
  readonly trackingId: string;
  /** `{PUBLIC_EDGE_URL}/track/impression?…`: the pixel, and `burl` in our answer. */
  readonly url: string;
  /** Of what is seen of it: the same query, told elsewhere. Undefined where it is so long that nobody repeats it. */
  readonly viewUrl: ViewUrl | undefined;
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
  readonly #impressionKey: KeyObject;
  readonly #winKey: KeyObject;
  readonly #seal: CapSeal;
  readonly #impressionUrl: string;
  readonly #winUrl: string;
  readonly #viewUrl: string;

  constructor(options: MintOptions) {
    this.#impressionKey = trackingKey(options.secretKey, 'impression');
    this.#winKey = trackingKey(options.secretKey, 'win');
    this.#seal = new CapSeal(options.secretKey);
    this.#impressionUrl = `${options.publicEdgeUrl}/track/impression?`;
    this.#winUrl = `${options.publicEdgeUrl}/track/win?`;
    this.#viewUrl = `${options.publicEdgeUrl}${VIEW_PATH}?event=`;
  }

  /** The pixel URL of a sale, under a tracking id that nothing else has. */
  mintTracking(sale: Sale, trackingId = newTrackingId()): Tracking {
    const cap = sale.capped === null ? null : this.#seal.seal(sale.capped, trackingId);
    const { billingNoticeUrl } = sale;
    const text = signedQuery(sale, billingNoticeUrl, cap, tokenOf(sale, trackingId));
    const [mac, quietWinMac] = signTwice(this.#impressionKey, text);
    const query = `${text}.${mac}`;
    const isAlike = billingNoticeUrl === null && cap === null;
    return {
      trackingId,
      url: this.#impressionUrl + query,
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
    const mac = winNoticeUrl === null ? signTwice(this.#impressionKey, query)[1] : sign(this.#winKey, query);
    return `${this.#winUrl}${query}.${mac}`;
  }
}

function tokenOf(sale: SoldImpression, trackingId: string): string {
  return `${sale.issuedAtMs.toString(36)}.${trackingId}`;
}
