import type { Win } from '../../exchange/auction/auction.ts';
import type { PodAd } from '../../exchange/vast/pod.ts';
import type { Tracking } from '../tracking/mint.ts';
import type { Sale } from '../tracking/sale.ts';

/** A won imp as it leaves the exchange; of a pod's dynamic portion, one of the ads in it. */
export interface SoldImp {
  readonly win: Win;
  readonly sale: Sale;
  readonly trackingId: string;
  /** The tracking URL in the markup. */
  readonly trackingUrl: string;
  /** The same for servers: our `burl`. */
  readonly billingUrl: string;
  /** The DSP's markup with its macros filled in and our tracker in it. */
  readonly adm: string;
  /** The same, for a player that wants a pod. */
  readonly podAd?: PodAd;
  /** The DSP's own `nurl` with its macros filled in. */
  readonly winNoticeUrl: string | null;
  /** Our `nurl` where the DSP gave none, if it came with the tracking URL. */
  readonly quietWinUrl: Tracking['quietWinUrl'];
}
