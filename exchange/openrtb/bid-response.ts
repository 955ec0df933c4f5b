/**
 * The OpenRTB 2.x bid response (§4.2). As in requests, objects are open: fields that are not named here pass through.
 */
import type { Ext } from './fields/field.ts';

/** The bid response object (§4.2.1), which bidders send and the exchange answers to an ad request. */
export interface BidResponse {
  readonly id: string;
  readonly seatbid?: readonly SeatBid[];
  readonly bidid?: string;
  /** The currency; USD when absent. */
  readonly cur?: string;
  readonly nbr?: number;
  readonly ext?: Ext;
}

/** The seat bid object (§4.2.2). */
export interface SeatBid {
  readonly bid: readonly Bid[];
  readonly seat?: string;
  /** With 1, the bids are won or lost together. */
  readonly group?: number;
  readonly ext?: Ext;
}

/** The bid object (§4.2.3). */
export interface Bid {
  readonly id: string;
  readonly impid: string;
  /** CPM in the response's `cur`. */
  readonly price: number;
  readonly nurl?: string;
  readonly burl?: string;
  readonly lurl?: string;
  readonly adm?: string;
  readonly adid?: string;
  readonly adomain?: readonly string[];
  readonly bundle?: string;
  readonly iurl?: string;
  readonly cid?: string;
  readonly crid?: string;
  readonly cat?: readonly string[];
  /** The taxonomy of `cat`; 1 (IAB Content Taxonomy 1.0) when absent. */
  readonly cattax?: number;
  readonly attr?: readonly number[];
  readonly api?: number;
  readonly apis?: readonly number[];
  readonly protocol?: number;
  readonly language?: string;
  readonly dealid?: string;
  readonly w?: number;
  readonly h?: number;
  readonly wratio?: number;
  readonly hratio?: number;
  readonly exp?: number;
  readonly dur?: number;
  /** The only position in the pod where the ad may be placed: 1 first, -1 last, 2 first or last, 0 any. */
  readonly slotinpod?: number;
  /** 1 banner, 2 video, 3 audio, 4 native. */
  readonly mtype?: number;
  readonly ext?: Ext;
}
