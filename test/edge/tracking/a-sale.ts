import type { Sale } from '#edge/tracking/sale';

/** What the edges of these tests sign with. */
export const SECRET_KEY = 'a secret that only this test knows';

/** An imp sold a moment ago, or as `fields` say. */
export function aSale(fields: Partial<Sale> = {}): Sale {
  return {
    auctionId: 'auction-1',
    publisherId: 'publisher-1',
    partnerId: null,
    dspId: 'dsp-1',
    campaignId: null,
    capped: null,
    crid: 'crid-1',
    priceCpmMicros: 2_500_000,
    region: 'fra',
    sandbox: false,
    issuedAtMs: Date.now(),
    billingNoticeUrl: null,
    ...fields,
  };
}
