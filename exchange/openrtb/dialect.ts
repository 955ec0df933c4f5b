import type { BidRequest, SupplyChainNode } from './bid-request.ts';

/** The dialects that bidders speak. */
export type Dialect = '2.5' | '2.6';

/** What the exchange changes in a request on its way to the bidders. */
export interface ExchangeTerms {
  /** What is left for the bidder, milliseconds. */
  readonly tmaxMs: number;
  /** Joins `bcat` (IAB Content Taxonomy 1.0). */
  readonly blockedCategories: readonly string[];
  /** Joins `badv`. */
  readonly blockedDomains: readonly string[];
  /** Fills a missing `content.genre`. */
  readonly contentGenre: string | null;
  /** The highest of the publisher's and the pool's floor, whole micro-dollars CPM; imps with a lower one are raised. */
  readonly floorCpmMicros: number;
  /** Appended to the supply chain, where the exchange has a name in it. */
  readonly supplyChainNode?: SupplyChainNode;
}

/** Writes the body that every bidder of one dialect receives: called once per dialect, not once per bidder. */
export type WriteBidRequest = (request: BidRequest, dialect: Dialect, terms: ExchangeTerms) => string;
