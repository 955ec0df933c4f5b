// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are OpenRTB macros
import { expect } from 'chai';
import type { AuctionRecord } from '#actors/auction-record/record';
import { MAX_RESPONSE_MARKUP_CHARS, runAuction } from '#edge/auction/auction-run';
import type { SaleContext } from '#edge/auction/sale-context';
import { TrackingMint } from '#edge/tracking/mint';
import { UNKNOWN_VIEWER } from '#edge/viewer/viewer';
import type { BidRequest } from '#exchange/openrtb/bid-request';
import type { Bid } from '#exchange/openrtb/bid-response';
import { MAX_MARKUP } from '#exchange/openrtb/bid-response-shape';
import { bids } from '../../support/bidder.ts';
import { bannerRequest, EdgeUnderTest, jsonOf } from '../../support/edge.ts';

const NATIVE = { id: '1', native: { request: JSON.stringify({ assets: [{ id: 1, title: { len: 90 } }] }) } };

function deepNative(levels: number): string {
  return `{"assets":[],"ext":${'['.repeat(levels)}${']'.repeat(levels)}}`;
}

describe('one winner', () => {
  let edge: EdgeUnderTest;
  beforeEach(async () => {
    edge = await new EdgeUnderTest().start();
  });
  afterEach(() => edge.close());

  const winnerOf = async (request: object) => {
    const response = await edge.post(request);
    expect(response.status).to.equal(200);
    return (await jsonOf(response)).seatbid[0];
  };

  const lossesOf = async (dspId: string): Promise<string[]> => {
    await new Promise((resolve) => setImmediate(resolve));
    await edge.explorer.flush();
    const [told] = edge.toldMessages.filter(({ kind }) => kind === 'auction-record');
    const { parts } = JSON.parse(told!.body.record) as AuctionRecord;
    return parts.filter((part) => part.dspId === dspId).flatMap(({ bids }) => bids.map(({ reason }) => String(reason)));
  };

  it('whose native markup nests 98,000 levels deep loses, and the next one wins', async () => {
    await edge.bidder(bids({ price: 9, adm: deepNative(98_000), w: undefined, h: undefined }), { id: 'dsp-deep' });
    await edge.bidder(bids({ price: 1, seat: 'fair', adm: deepNative(3), w: undefined, h: undefined }), {
      id: 'dsp-2',
    });
    expect((await winnerOf(bannerRequest({ imp: [NATIVE] }))).seat).to.equal('fair');
    expect(await lossesOf('dsp-deep')).to.deep.equal(['creative-rejected']);
    expect(edge.logged).to.deep.equal([]);
  });

  /** Holds an auction of a bid of `broken` at 9 CPM and one of `fair` at 1 CPM. */
  const heldWith = (fields: (broken: Bid) => Partial<SaleContext>) => {
    const bidOf = (id: string, price: number): Bid => ({ id, impid: '1', price, adm: '<b>ad</b>', w: 300, h: 250 });
    const [broken, fair] = [bidOf('broken', 9), bidOf('fair', 1)];
    const offers = [broken, fair].map((bid) => ({
      dspId: bid.id,
      bidId: null,
      currency: 'USD',
      bids: [{ bid, seat: null, group: null }],
    }));
    const { sold, losses } = runAuction(offers, {
      auction: {
        request: bannerRequest() as unknown as BidRequest,
        publisher: { id: 'p', partnerId: null, floorCpmMicros: 0, blockedCategories: [], blockedDomains: [] },
        pool: null,
        sandbox: false,
        viewer: UNKNOWN_VIEWER,
      },
      region: 'fra',
      blockedCategories: [],
      nowMs: 0,
      random: () => 0,
      mint: new TrackingMint({ secretKey: 'a secret of this test', publicEdgeUrl: 'https://edge.test' }),
      creatives: new Map(),
      render: () => {
        throw new RangeError('too deep');
      },
      edgeUrl: 'https://edge.test',
      ...fields(broken),
    });
    return { sold: sold.map(({ win }) => win.dspId), lost: losses.map(({ dspId, reason }) => [dspId, reason]) };
  };

  it('that fails with an unexpected error loses, and the next one wins', () => {
    const failures: unknown[] = [];
    const { sold, lost } = heldWith((broken) => ({
      creatives: new Map([[broken, { campaign: { id: 'c', cap: null }, creative: {}, ruleId: null } as never]]),
      failed: (error, { dspId }) => failures.push([dspId, (error as Error).message]),
    }));
    expect(sold).to.deep.equal(['fair']);
    expect(lost).to.deep.equal([['broken', 'creative-rejected']]);
    expect(failures).to.deep.equal([['broken', 'too deep']]);
  });

  it('is found where the judgement of another bid fails with an unexpected error', () => {
    const failures: unknown[] = [];
    const { sold, lost } = heldWith((broken) => ({
      review: (bid) => {
        if (bid === broken) throw new RangeError('out of range');
        return undefined;
      },
      unjudged: (error, dspId) => failures.push([dspId, (error as Error).message]),
    }));
    expect(sold).to.deep.equal(['fair']);
    expect(lost).to.deep.equal([['broken', 'creative-rejected']]);
    expect(failures).to.deep.equal([['broken', 'out of range']]);
  });

  it('of a delegate with 256 KB of markup cannot make fifty imps an answer of 13 MB', async () => {
    const html = 'x'.repeat(262_144);
    edge.delegate([{ id: 'c', creative: { creative_id: 'c', html, width: 300, height: 250 } }]);
    const imp = Array.from({ length: 50 }, (_, index) => ({ id: String(index), banner: { w: 300, h: 250 } }));
    const response = await edge.post(bannerRequest({ imp }));
    const text = await response.text();
    expect(text.length).to.be.above(MAX_RESPONSE_MARKUP_CHARS / 2);
    expect(text.length).to.be.below(MAX_RESPONSE_MARKUP_CHARS + 100_000);
    expect(JSON.parse(text).seatbid[0].bid.length).to.be.within(5, 8);
  });

  it('has markup and ids within bounds, or is no bid', async () => {
    const losing: readonly (readonly [string, object])[] = [
      ['dsp-markup', { adm: 'x'.repeat(MAX_MARKUP + 1) }],
      ['dsp-crid', { crid: 'x'.repeat(257) }],
      ['dsp-seat', { seat: 'x'.repeat(257) }],
      ['dsp-domains', { adomain: Array.from({ length: 101 }, (_, index) => `a${index}.test`) }],
    ];
    for (const [id, fields] of losing) await edge.bidder(bids({ price: 9, ...fields }), { id });
    await edge.bidder(bids({ price: 1, seat: 'fair', adm: 'x'.repeat(MAX_MARKUP), crid: 'x'.repeat(256) }), {
      id: 'dsp-2',
    });
    expect((await winnerOf(bannerRequest())).seat).to.equal('fair');
    for (const [id] of losing) {
      expect(await lossesOf(id), id).to.deep.equal(['malformed-bid']);
    }
  });

  it('is sent the price at which it won, whatever id the request has', async () => {
    const id = 'a&price=0.01#';
    const notice = 'https://dsp.test/b?id=${AUCTION_ID}&imp=${AUCTION_IMP_ID}&price=${AUCTION_PRICE}';
    await edge.bidder(bids({ price: 2.5, burl: notice, nurl: notice, adm: `<img src="${notice}">` }));
    const imp = [{ id: '1&price=0.02#', banner: { w: 300, h: 250 } }];
    const { bid } = await winnerOf(bannerRequest({ id, imp }));
    const told = [bid[0].burl, bid[0].nurl].map((url) => new URL(url).searchParams.get('notice')!);
    told.push(/https:\/\/dsp\.test[^"]*/.exec(bid[0].adm)![0]);
    for (const url of told) {
      expect([...new URL(url).searchParams]).to.deep.equal([
        ['id', id],
        ['imp', imp[0]!.id],
        ['price', '2.5'],
      ]);
    }
  });
});
