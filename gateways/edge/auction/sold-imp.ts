import type { Win } from '../../../exchange/auction/auction.ts';
import type { Sale } from '../tracking/sale.ts';

/** A won imp as it leaves the exchange. */
export interface SoldImp {
  readonly win: Win;
  readonly sale: Sale;
  readonly trackingId: string;
  /** The tracking URL: our `burl`. */
  readonly trackingUrl: string;
  /** The DSP's markup with its macros filled in and our tracker in it. */
  readonly adm: string;
  /** The DSP's own `nurl` with its macros filled in. */
  readonly winNoticeUrl: string | null;
}
