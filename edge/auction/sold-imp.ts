import type { Win } from '../../exchange/auction/auction.ts';
import type { PodAd } from '../../exchange/vast/pod.ts';
import type { Tracking } from '../tracking/mint.ts';
import type { Sale } from '../tracking/sale.ts';

/** A sold imp as it leaves the exchange. In a pod's dynamic portion, each ad is one. */
export interface SoldImp {
  readonly win: Win;
  readonly sale: Sale;
  readonly trackingId: string;
  /** The tracking URL in the markup. */
  readonly trackingUrl: string;
  /** The tracking URL for servers: the exchange's `burl`. */
  readonly billingUrl: string;
  /** The DSP's markup with its macros filled in and the exchange's tracker in it. */
  readonly adm: string;
  /** The same markup for a player that wants a pod. */
  readonly podAd?: PodAd;
  /** The DSP's own `nurl` with its macros filled in. */
  readonly winNoticeUrl: string | null;
  /** The exchange's `nurl` where the DSP gave none, if minting made one with the tracking URL. */
  readonly quietWinUrl: Tracking['quietWinUrl'];
}
