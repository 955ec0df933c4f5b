import type { AuctionRecord } from '../../actors/auction-record/record.ts';

/** Makes a recorded auction with the given fields; without any it is an auction that received no bids. */
export function makeAuctionRecord(fields: Partial<AuctionRecord> = {}): AuctionRecord {
  return {
    version: 1,
    atMs: Date.UTC(2026, 2, 14, 12),
    auctionId: 'request-1',
    region: 'fra',
    edge: 'fra-1',
    sandbox: false,
    publisher: { id: 'pub-1', accountId: 'account-1', generation: 0 },
    poolId: 'pool-1',
    outcome: 'unfilled',
    reason: 'no-demand',
    detail: null,
    tookMs: 1,
    represents: 1,
    imps: [],
    asked: { channel: 'site', inventory: 'site.test', deviceType: null, country: null, region: null, genre: null },
    privacy: [],
    parts: [],
    partsLeftOut: 0,
    sold: [],
    replayable: null,
    ...fields,
  };
}
