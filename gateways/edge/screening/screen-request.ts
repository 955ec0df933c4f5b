import type { AuctionOrder } from '../auction/order.ts';

/** Why an ad request is turned away, as counted and shown. */
export type BlockReason = string;

/** Decides whether an ad request may reach the auction (specification, "Fraud filtering"). */
export interface Screening {
  /** The reason to answer 403, or null. Plain memory; every request passes here before any demand source hears of it. */
  blocks(order: AuctionOrder): BlockReason | null;
}
