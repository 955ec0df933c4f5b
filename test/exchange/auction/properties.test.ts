import { expect } from 'chai';
import fc from 'fast-check';
import { type AuctionInput, decideAuction } from '#exchange/auction/auction';
import { UNCONSTRAINED_PLACEMENT as placing } from '#exchange/auction/pods/pod-placement';
import { selectWinners } from '#exchange/auction/select-winners';
import type { BidRequest } from '#exchange/openrtb/bid-request';
import type { Bid } from '#exchange/openrtb/bid-response';
import type { Imp } from '#exchange/openrtb/fields/imp';

/** Few distinct prices, so that ties, floors and rivals meet. */
const price = fc.constantFrom(0, -1, 0.5, 0.85, 1, 1, 1.5, 2, 3, 20_000);
const floorMicros = fc.constantFrom(0, 0, 500_000, 850_000, 1_000_000, 2_500_000);
const impIds = ['1', '2', '3'];
/** Any that a bid may state, and often those that ads have. */
const dur = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(undefined, 6, 15, 30) },
  { weight: 1, arbitrary: fc.maxSafeInteger() },
);
const perSecond = fc.constantFrom(undefined, 0, 0.05, 0.1, 400, 10_000);
const durfloors = fc.constantFrom(undefined, [
  { mindur: 0, maxdur: 15, bidfloor: 0.5 },
  { mindur: 16, bidfloor: 2 },
]);
const video = fc.record({
  mimes: fc.constant(['video/mp4']),
  mincpmpersec: perSecond,
  durfloors,
  maxduration: fc.constantFrom(undefined, 12, 30),
  rqddurs: fc.constantFrom(undefined, undefined, [-1, 0, 15, 30, 100_000]),
});

const request: fc.Arbitrary<BidRequest> = fc.record({
  id: fc.constant('r'),
  imp: fc
    .array(
      fc.record({
        bidfloor: fc.constantFrom(undefined, 0, 0.85, 1.2),
        pmp: fc.constantFrom(
          undefined,
          { deals: [{ id: 'd', bidfloor: 1.5 }] },
          { deals: [{ id: 'd', bidfloor: 1.5, durfloors: [{ mindur: 10, bidfloor: 2.5 }] }] },
          { deals: [{ id: 'd', mincpmpersec: 0.1 }] },
          { deals: [{ id: 'd', mincpmpersec: 10_000 }] },
          { deals: [{ id: 'd' }] },
          { private_auction: 1 as const, deals: [{ id: 'd', at: 3, bidfloor: 1 }] },
        ),
        media: fc.oneof(fc.constant({ banner: { w: 300, h: 250 } }), fc.record({ video })),
      }),
      { minLength: 1, maxLength: 3 },
    )
    .map((imps) => imps.map(({ media, ...imp }, index) => ({ ...imp, ...media, id: impIds[index]! }))),
  badv: fc.constantFrom(undefined, ['bad.example']),
});

const offeredBid = fc.record({
  bid: fc.record({
    id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    impid: fc.constantFrom(...impIds),
    price,
    adm: fc.constantFrom('<p>', '<p>', '<p>', ''),
    adomain: fc.constantFrom(['good.example'], ['good.example'], ['bad.example']),
    dealid: fc.constantFrom(undefined, undefined, undefined, 'd', 'd', 'x'),
    w: fc.constantFrom(300, 300, 300, 728),
    h: fc.constant(250),
    dur,
  }),
  seat: fc.constantFrom(null, 's'),
  group: fc.constantFrom(null, null, null, 0, 1),
});

type SeededInput = Omit<AuctionInput, 'random'> & { readonly seed: number };

const input: fc.Arbitrary<SeededInput> = fc.record({
  request,
  terms: fc.record({
    publisherFloorCpmMicros: floorMicros,
    poolFloorCpmMicros: floorMicros,
    blockedCategories: fc.constant([]),
    blockedDomains: fc.constant([]),
  }),
  offers: fc
    .array(
      fc.record({
        currency: fc.constantFrom('USD', 'USD', 'USD', 'EUR'),
        bids: fc.array(offeredBid, { maxLength: 5 }),
      }),
      { maxLength: 4 },
    )
    .map((offers) => offers.map((offer, index) => ({ ...offer, dspId: `dsp-${index}` }))),
  seed: fc.integer(),
});

/** mulberry32: small, seeded and uniform enough for tests. */
function seeded(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * The floor of the imp, by its rules said once more and plainly: CPM. An ad of unknown duration may have any that the
 * imp takes; where none is the longest, more than the lengths of these rules.
 */
function leastPrice(imp: Imp, { dur, dealid }: Bid): number {
  const { bidfloor = 0, video } = imp;
  const deal = imp.pmp?.deals?.find(({ id }) => id === dealid);
  const isPricedByDeal = deal !== undefined && (deal.bidfloor ?? deal.durfloors ?? deal.mincpmpersec) !== undefined;
  if (video === undefined || isPricedByDeal) return bidfloor;
  if (dur !== undefined) return floorOf(imp, dur);
  const lengths = video.rqddurs ?? Array.from({ length: video.maxduration ?? 100 }, (_, index) => index + 1);
  return Math.max(bidfloor, ...lengths.map((length) => floorOf(imp, length)));
}

function floorOf({ bidfloor = 0, video }: Imp, dur: number): number {
  const ofRange = video?.durfloors?.find(({ mindur = 0, maxdur = Infinity }) => dur >= mindur && dur <= maxdur);
  return Math.max(ofRange?.bidfloor ?? bidfloor, (video?.mincpmpersec ?? 0) * dur);
}

function hold({ seed, ...rest }: SeededInput) {
  return decideAuction({ ...rest, random: seeded(seed) });
}

describe('any auction', () => {
  it('gives every bid exactly one outcome', () => {
    fc.assert(
      fc.property(input, (auction) => {
        const { wins, losses } = hold(auction);
        const bids = auction.offers.flatMap((offer) => offer.bids.map(({ bid }) => bid));
        const outcomes = [...wins.map(({ bid }) => bid), ...losses.map(({ offered }) => offered!.bid)];
        expect(outcomes).to.have.lengthOf(bids.length);
        for (const bid of bids) expect(outcomes).to.include(bid);
      }),
    );
  });

  it('sells an imp once, at the highest price of those who could have had it, never below a floor', () => {
    let sold = 0;
    fc.assert(
      fc.property(input, (auction) => {
        const { wins, losses } = hold(auction);
        const { publisherFloorCpmMicros, poolFloorCpmMicros } = auction.terms;
        expect(new Set(wins.map(({ impId }) => impId)).size).to.equal(wins.length);
        for (const win of wins) {
          sold++;
          const imp = auction.request.imp.find(({ id }) => id === win.impId)!;
          expect(win.clearingCpmMicros).to.be.at.least(Math.max(publisherFloorCpmMicros, poolFloorCpmMicros));
          expect(win.clearingCpmMicros).to.be.at.least(Math.round(leastPrice(imp, win.bid) * 1e6));
          expect(win.clearingCpmMicros).to.be.at.most(Math.round(win.bid.price * 1e6));
          expect(win.minToWinCpmMicros).to.be.within(win.floorCpmMicros, win.clearingCpmMicros);
          if (imp.pmp?.private_auction === 1) expect(win.dealId).to.equal('d');
          const rivals = losses.filter(
            ({ reason, offered }) => reason === 'lost-to-higher-bid' && offered!.bid.impid === win.impId,
          );
          for (const rival of rivals) {
            // A deal at an agreed price competes with that price, whatever it bids.
            const isAgreed = rival.offered!.bid.dealid === 'd' && imp.pmp?.private_auction === 1;
            const worth = isAgreed ? rival.floorCpmMicros! : rival.priceCpmMicros!;
            expect(win.clearingCpmMicros).to.be.at.least(worth);
            expect(win.minToWinCpmMicros).to.be.at.least(worth);
          }
        }
        for (const { minToWinCpmMicros, winningCpmMicros } of losses) {
          if (minToWinCpmMicros !== null) expect(minToWinCpmMicros).to.be.at.least(winningCpmMicros ?? 0);
        }
      }),
      { numRuns: 500 },
    );
    expect(sold).to.be.greaterThan(50);
  });

  it('leaves no imp empty that a bid could have filled', () => {
    fc.assert(
      fc.property(input, (auction) => {
        const { wins, losses } = hold(auction);
        const soldIds = new Set(wins.map(({ impId }) => impId));
        for (const { reason, offered } of losses) {
          if (reason === 'lost-to-higher-bid') expect(soldIds).to.include(offered!.bid.impid);
        }
      }),
    );
  });

  it('serves a group whole or not at all', () => {
    fc.assert(
      fc.property(input, (auction) => {
        const { wins } = hold(auction);
        for (const { dspId, bids } of auction.offers) {
          for (const group of [0, 1]) {
            const wanted = new Set(bids.filter((bid) => bid.group === group).map(({ bid }) => bid.impid));
            const won = wins.filter((win) => win.dspId === dspId && win.group === group);
            expect(won.length).to.be.oneOf([0, wanted.size]);
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  it('is the same again for the same input', () => {
    fc.assert(
      fc.property(input, (auction) => {
        expect(hold(auction)).to.deep.equal(hold(auction));
      }),
    );
  });
});

describe('ties', () => {
  it('are broken fairly: a chi-square test over 30,000 auctions among three equals', () => {
    const equals = ['a', 'b', 'c'].map((name) => ({
      name,
      impId: '1',
      clearingCpmMicros: 1_000_000,
      group: null,
      placing,
    }));
    const contenders = [...equals, { name: 'lower', impId: '1', clearingCpmMicros: 999_999, group: null, placing }];
    const random = seeded(20_260_101);
    const count = new Map<string, number>();
    const auctions = 30_000;
    for (let auction = 0; auction < auctions; auction++) {
      const [winner] = selectWinners(contenders, random).winners.get('1')!;
      const { name } = winner!;
      count.set(name, (count.get(name) ?? 0) + 1);
    }
    expect([...count.keys()]).to.have.members(['a', 'b', 'c']);
    const expected = auctions / 3;
    const chiSquare = [...count.values()].reduce((sum, seen) => sum + (seen - expected) ** 2 / expected, 0);
    // 13.8: two degrees of freedom, one fair run in a thousand exceeds it.
    expect(chiSquare).to.be.below(13.8);
  });

  it('ask for no random number where there is none', () => {
    const random = () => {
      throw new Error('no tie was expected');
    };
    const contenders = [1, 2].map((clearingCpmMicros) => ({ impId: '1', clearingCpmMicros, group: null, placing }));
    expect(selectWinners(contenders, random).winners.get('1')).to.deep.equal([contenders[1]]);
  });
});
