import { expect } from 'chai';
import { explainAuction } from '#cli/auctions/explain-auction';
import type { Schemas } from '#client/index';

type Auction = Schemas['Auction'];

function participation(dspId: string, shown: Partial<Auction['demand'][number]>): Auction['demand'][number] {
  return {
    ...{ dsp_id: dspId, mode: 'rtb', outcome: 'answered', called: true, reason: null, why: null, remedy: null },
    ...{ non_bid_status: null, latency_ms: 1, bids: [], kept_back: [] },
    ...shown,
  } as Auction['demand'][number];
}

describe('cli/auctions: the explanation of an auction', () => {
  it('says of who has no bid whether it was asked, and not that it answered', () => {
    const auction = {
      ...{ auction_id: 'a', summary: 'Nothing was sold.', at: '2026-03-01T00:00:00.000Z', outcome: 'unfilled' },
      ...{ reason: 'timeout', remedy: null, detail: null, took_ms: 150, sandbox: false, test: false },
      ...{ imps: [], sold: [], privacy: [], demand_left_out: 0 },
      demand: [
        participation('late', { reason: 'timeout', why: 'The demand source did not answer in time.' }),
        participation('spent', { outcome: 'not-called', called: false, reason: 'budget-exhausted' }),
      ],
    } as unknown as Auction;
    const text = explainAuction(auction, new Map());
    const [, late] = /^late +(.*)$/m.exec(text)!;
    expect(late).to.match(/^yes +timeout +The demand source did not answer in time\./);
    expect(text)
      .to.match(/^spent +no +budget-exhausted/m)
      .and.not.contain('answered');
  });
});
