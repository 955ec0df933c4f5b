/**
 * The OpenRTB 2.x bid response (§4.2). As in requests, objects are open: what is not named here passes through.
 */
import type { Ext } from './fields/field.ts';

/** §4.2.1; also what the exchange itself answers to an ad request. */
export interface BidResponse {
  readonly id: string;
  readonly seatbid?: readonly SeatBid[];
  readonly bidid?: string;
  /** USD when absent. */
  readonly cur?: string;
  readonly nbr?: number;
  readonly ext?: Ext;
}

/** §4.2.2 */
export interface SeatBid {
  readonly bid: readonly Bid[];
  readonly seat?: string;
  /** 1: the bids are won or lost together. */
  readonly group?: number;
  readonly ext?: Ext;
}

/** §4.2.3 */
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
  /** Taxonomy of `cat`; 1 (IAB Content Taxonomy 1.0) when absent. */
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
  /** Where in the pod alone it may stand: 1 first, -1 last, 2 first or last, 0 anywhere. */
  readonly slotinpod?: number;
  /** 1 banner, 2 video, 3 audio, 4 native. */
  readonly mtype?: number;
  readonly ext?: Ext;
}
