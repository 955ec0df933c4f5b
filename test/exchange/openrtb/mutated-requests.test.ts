import { expect } from 'chai';
import fc from 'fast-check';
import { decideAuction } from '#exchange/auction/auction';
import { writeBidRequest } from '#exchange/openrtb/dialect';
import { InvalidBidRequest, InvalidFloor } from '#exchange/openrtb/invalid-bid-request';
import { parseBidRequest } from '#exchange/openrtb/parse-bid-request';
import { publisherCandidates } from '#exchange/openrtb/publisher-candidates';
import { isRewarded, readSignals } from '#exchange/openrtb/signals';
import { answerFor } from '#gateways/bidders/synthetic/answer';
import { syntheticBidders } from '#gateways/bidders/synthetic/synthetic-bidders';
import { mutate, mutation, type Node, WHOLE_REQUEST } from './mutations.ts';

const SELLER = {
  publisherFloorCpmMicros: 1,
  poolFloorCpmMicros: 1,
  blockedCategories: ['IAB3'],
  blockedDomains: ['c.example'],
};
const TERMS = {
  ...SELLER,
  tmaxMs: 100,
  contentGenre: 'drama',
  floorCpmMicros: 1,
  supplyChain: { node: { asi: 'x', sid: 'y', hp: 1 }, begunComplete: 1 } as const,
};
const BID = {
  id: 'b',
  impid: '1',
  price: 3,
  adm: '<p>',
  adomain: ['a.example'],
  cat: ['IAB2'],
  bundle: 'x',
  attr: [9],
  dur: 15,
  w: 300,
  h: 250,
};
const BIDS = [BID, { ...BID, id: 'c', dealid: 'd' }].map((bid) => ({ bid, seat: 's', group: null }));

describe('mutated requests', () => {
  it('are refused in one of two ways, or can be read, written, answered by synthetic bidders and auctioned', () => {
    let accepted = 0;
    const refused = { InvalidBidRequest: 0, InvalidFloor: 0 };
    fc.assert(
      fc.property(fc.array(mutation, { minLength: 1, maxLength: 4 }), (mutations) => {
        const document: Node = structuredClone(WHOLE_REQUEST);
        for (const step of mutations) if (Object.keys(document).length > 0) mutate(document, step);
        let request: ReturnType<typeof parseBidRequest>;
        try {
          request = parseBidRequest(document);
        } catch (error) {
          if (!(error instanceof InvalidBidRequest || error instanceof InvalidFloor)) throw error;
          refused[error.name]++;
          return;
        }
        accepted++;
        publisherCandidates(request);
        readSignals(request);
        request.imp.forEach(isRewarded);
        for (const dialect of ['2.5', '2.6'] as const) {
          const written = writeBidRequest(request, dialect, TERMS);
          parseBidRequest(JSON.parse(written));
          for (const persona of syntheticBidders) answerFor(persona, written, 'https://edge.test', () => 0.5);
        }
        const offers = [{ dspId: 'a', currency: 'USD', bids: BIDS }];
        const { wins, losses } = decideAuction({ request, terms: SELLER, offers, random: () => 0 });
        expect(wins.length + losses.length).to.equal(BIDS.length);
      }),
      { numRuns: 3000 },
    );
    // A property about two outcomes says little when one of them never happens.
    expect(accepted).to.be.greaterThan(100);
    expect(refused.InvalidBidRequest).to.be.greaterThan(100);
    expect(refused.InvalidFloor).to.be.greaterThan(0);
  });
});
