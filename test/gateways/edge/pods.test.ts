import { expect } from 'chai';
import { noBid } from '../../support/bidder.ts';
import { bannerRequest, EdgeUnderTest, jsonOf, KNOWN_DEVICE } from '../../support/edge.ts';
import { pixelOf } from '../../support/pixel-of.ts';
import { spotAd, spotBids, spotVast } from '../../support/spot.ts';

interface SoldSpot {
  readonly impid: string;
  readonly crid: string;
  readonly adm: string;
  readonly burl: string;
  readonly dur?: number;
  readonly [field: string]: unknown;
}

const BREAK = { mimes: ['video/mp4'], poddur: 60, maxseq: 4, minduration: 5, maxduration: 30 };
const SLOT = { mimes: ['video/mp4'], podid: 'p', minduration: 5, maxduration: 30 };
const dynamicImp = (fields: object = {}, id = 'break') => ({ id, video: { ...BREAK, ...fields } });

describe('pods by POST /rtb', () => {
  let exchange: EdgeUnderTest;
  beforeEach(async () => {
    exchange = await new EdgeUnderTest().start();
  });
  afterEach(() => exchange.close());

  async function sold(imp: readonly object[], fields: object = {}): Promise<SoldSpot[]> {
    const response = await exchange.post(bannerRequest({ imp, ...fields }));
    if (response.status === 204) return [];
    expect(response.status).to.equal(200);
    return (await jsonOf(response)).seatbid.flatMap(({ bid }: { bid: SoldSpot[] }) => bid);
  }
  const names = (spots: readonly SoldSpot[]) => spots.map(({ crid }) => crid);

  it('fill a dynamic portion from several bidders, in the order in which the ads are shown', async () => {
    const lost = await exchange.bidder(noBid());
    await exchange.bidder(
      spotBids(
        { name: 'a', price: 5 },
        { name: 'last', price: 4, bid: { slotinpod: -1 } },
        { name: 'dear-and-long', price: 6, seconds: 45, bid: { lurl: `${lost.origin}/lost?a=\${AUCTION_LOSS}` } },
      ),
      { id: 'dsp-a' },
    );
    await exchange.bidder(
      spotBids(
        { name: 'b', price: 3 },
        { name: 'first', price: 2, bid: { slotinpod: 1 } },
        { name: 'c', price: 1, bid: { lurl: `${lost.origin}/lost?b=\${AUCTION_LOSS}&p=\${AUCTION_PRICE}` } },
      ),
      { id: 'dsp-b' },
    );
    const spots = await sold([dynamicImp()]);
    expect(names(spots)).to.deep.equal(['first', 'a', 'b', 'last']);
    for (const { impid, adm, burl } of spots) {
      expect(impid).to.equal('break');
      expect(adm.match(/<Impression/g)).to.have.length(2);
      expect(adm.replace(/&amp;/g, '&')).to.contain(pixelOf(burl)).and.not.contain(burl);
    }
    expect(spots.map(({ dur, slotinpod }) => [dur, slotinpod])).to.deep.equal([
      [15, 1],
      [15, undefined],
      [15, undefined],
      [15, -1],
    ]);
    const ids = new Set(spots.map(({ burl }) => new URL(burl).searchParams.get('t')));
    expect(ids.size, 'each its own tracking id').to.equal(4);
    const notices = await lost.waitForRequests('/lost', 2);
    expect(notices.map(({ path }) => path)).to.have.members(['/lost?a=200', '/lost?b=102&p=2']);
    expect(await exchange.counted('publisher', 'pub-1')).to.include({ auctions: 1, imps: 1, filledImps: 1 });
    expect(await exchange.counted('dsp', 'dsp-a')).to.include({ bids: 3, wins: 2 });
    expect(await exchange.counted('dsp', 'dsp-b')).to.include({ bids: 3, wins: 2 });
  });

  it('keep advertisers, their competitors and repeated creatives apart, unless the request lets them stand together', async () => {
    await exchange.bidder(
      spotBids(
        { name: 'a', price: 20, bid: { cat: ['IAB2-1'] } },
        { name: 'shop-of-a', price: 4, bid: { adomain: ['shop.a.example'] } },
        { name: 'rival', price: 3, bid: { cat: ['IAB2-1'] } },
        { name: 'again', price: 2, bid: { crid: 'a' } },
        { name: 'z', price: 1 },
      ),
    );
    expect(names(await sold([dynamicImp({ maxseq: 5, poddur: 90 })]))).to.deep.equal(['a', 'z']);
    expect(await exchange.counted('dsp', 'dsp-1')).to.include({ wins: 2, 'losses/competitive-separation': 3 });
    const together = dynamicImp({ maxseq: 5, poddur: 90, poddedupe: [3] });
    expect(names(await sold([together]))).to.deep.equal(['a', 'shop-of-a', 'rival', 'z']);
  });

  it('sell the slots of a structured pod together, each to one', async () => {
    const imp = ['1', '2', '3'].map((id) => ({ id, video: SLOT }));
    await exchange.bidder(
      spotBids(
        { name: 'a', price: 5 },
        { name: 'a-too', price: 4, imp: 1, bid: { adomain: ['a.example'] } },
        { name: 'c', price: 1, imp: 2 },
      ),
      { id: 'dsp-a' },
    );
    await exchange.bidder(spotBids({ name: 'b', price: 2, imp: 1 }, { name: 'd', price: 4 }), { id: 'dsp-b' });
    const spots = await sold(imp);
    // The advertiser of 5 in the first slot may not have the second: 4 + 4 are more than 5 + 2.
    expect(Object.fromEntries(spots.map(({ impid, crid }) => [impid, crid]))).to.deep.equal({
      1: 'd',
      2: 'a-too',
      3: 'c',
    });
    expect(await exchange.counted('publisher', 'pub-1')).to.include({ imps: 3, filledImps: 3 });
  });

  it('sell a hybrid pod: its slot, and its dynamic portion with the ads of all of them kept apart', async () => {
    const imp = [{ id: 'first', video: { ...SLOT, slotinpod: 1 } }, dynamicImp({ podid: 'p', poddur: 30 })];
    await exchange.bidder(
      spotBids({ name: 'a', price: 9 }, { name: 'a-too', price: 8, imp: 1, bid: { adomain: ['a.example'] } }),
      { id: 'dsp-a' },
    );
    await exchange.bidder(
      spotBids({ name: 'b', price: 3, imp: 1 }, { name: 'c', price: 2, imp: 1 }, { name: 'd', price: 1, imp: 1 }),
      { id: 'dsp-b' },
    );
    const spots = await sold(imp);
    expect(spots.map(({ impid, crid }) => [impid, crid])).to.deep.equal([
      ['first', 'a'],
      ['break', 'b'],
      ['break', 'c'],
    ]);
    expect(await exchange.counted('publisher', 'pub-1')).to.include({ imps: 2, filledImps: 2 });
    expect(await exchange.counted('dsp', 'dsp-a')).to.include({ wins: 1, 'losses/competitive-separation': 1 });
  });

  it('take the duration of a 2.5 bidder’s ad from its VAST; an ad of unknown length loses', async () => {
    const unsaid = { dur: undefined };
    const bidder = await exchange.bidder(
      spotBids(
        { name: 'a', price: 5, seconds: 30, bid: unsaid },
        { name: 'b', price: 4, seconds: 20, bid: unsaid },
        { name: 'w', price: 3, wrapper: true, bid: unsaid },
        { name: 'c', price: 2, seconds: 45, bid: unsaid },
        { name: 'd', price: 1, seconds: 10, bid: unsaid },
      ),
      { openrtbVersion: '2.5' },
    );
    const spots = await sold([dynamicImp({ maxduration: 90 })]);
    expect(spots.map(({ crid, dur }) => [crid, dur])).to.deep.equal([
      ['a', 30],
      ['b', 20],
      ['d', 10],
    ]);
    const { video } = (await bidder.waitForRequests('/bid'))[0]!.body.imp[0];
    expect(video).to.include({ minduration: 5, maxduration: 60 }).and.not.have.any.keys('poddur', 'maxseq');
    expect(await exchange.counted('dsp', 'dsp-1')).to.include({ 'losses/duration-not-allowed': 1 });
  });

  it('fetch the markup of several winners of one imp and one bidder, each once, with their ties as they fell', async () => {
    const called: string[] = [];
    const bidder = await exchange.bidder(noBid());
    bidder.script = (received, response) => {
      if (received.path !== '/bid') {
        called.push(received.path);
        response.end(spotVast({ name: received.path.slice('/bid/won/'.length) }));
        return;
      }
      const spots = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ({
        name,
        price: 3,
        bid: { adm: undefined, nurl: `${bidder.origin}/bid/won/${name}` },
      }));
      spotBids(...spots)(received, response);
    };
    const spots = await sold([dynamicImp({ poddur: 45 })]);
    expect(spots).to.have.length(3);
    expect(called).to.have.members(names(spots).map((name) => `/bid/won/${name}`));
    for (const { adm, crid } of spots) expect(adm).to.contain(`id="${crid}"`).and.contain('/track/impression?');
    expect(await exchange.counted('dsp', 'dsp-1')).to.include({ wins: 3, 'losses/lost-to-higher-bid': 3 });
  });

  it('replace a winner whose markup carries no tracker, and no other', async () => {
    await exchange.bidder(
      spotBids(
        { name: 'broken', price: 9, bid: { adm: '<VAST version="3.0"><Ad>' } },
        { name: 'a', price: 5 },
        { name: 'b', price: 4 },
        { name: 'c', price: 3 },
      ),
    );
    expect(names(await sold([dynamicImp({ poddur: 30 })]))).to.deep.equal(['a', 'b']);
    expect(await exchange.counted('dsp', 'dsp-1')).to.include({ wins: 2, 'losses/creative-rejected': 1 });
  });

  describe('with delegates', () => {
    const spot = (name: string, seconds: number) => {
      const url = `https://buyer.test/${name}`;
      exchange.asset({ url, content: { kind: 'vast', ad: spotAd({ name, seconds }) } });
      return { creative_id: name, vast_url: url };
    };
    const film = (id: string, base_cpm: number, seconds = 15, fields: object = {}) => ({
      id,
      adomain: [`${id}.example`],
      creative: spot(id, seconds),
      bidding: { base_cpm },
      ...fields,
    });

    it('let each delegate have an ad beside bidders’, as long as its file is', async () => {
      exchange.delegate([film('film', 4, 20)], { id: 'dsp-1' });
      exchange.delegate([film('other', 3, 30)], { id: 'dsp-2' });
      await exchange.bidder(spotBids({ name: 'a', price: 5, seconds: 10 }, { name: 'b', price: 1, seconds: 5 }), {
        id: 'dsp-3',
      });
      const spots = await sold([dynamicImp()]);
      expect(spots.map(({ crid, dur }) => [crid, dur])).to.deep.equal([
        ['a', 10],
        ['film', 20],
        ['other', 30],
      ]);
      expect(spots[1]!.adm).to.contain('film.mp4').and.contain('/track/impression?');
      expect(exchange.pace.reserved.map(({ campaignId }) => campaignId)).to.have.members(['film', 'other']);
    });

    it('keep advertisers apart that campaigns do not name, by their landing pages', async () => {
      const leadsTo = (id: string, base_cpm: number, landing_url: string) =>
        film(id, base_cpm, 15, { adomain: undefined, creative: { ...spot(id, 15), landing_url } });
      exchange.delegate([leadsTo('film', 4, 'https://www.brand.example/film')], { id: 'dsp-1' });
      exchange.delegate([leadsTo('same', 3, 'https://shop.brand.example/')], { id: 'dsp-2' });
      exchange.delegate([leadsTo('other', 2, 'https://other.example/')], { id: 'dsp-3' });
      expect(names(await sold([dynamicImp()]))).to.deep.equal(['film', 'other']);
      expect(await exchange.counted('dsp', 'dsp-2')).to.include({ 'losses/competitive-separation': 1 });
    });

    it('give one campaign with a cap of one one slot of two that it has won', async () => {
      const capped = film('film', 4, 15, { frequency_cap: { max_impressions: 1, window_hours: 24 } });
      exchange.delegate([capped], { id: 'dsp-1' });
      await exchange.bidder(spotBids({ name: 'a', price: 1 }, { name: 'b', price: 1, imp: 1 }), { id: 'dsp-2' });
      const imp = ['1', '2'].map((id) => ({ id, video: { ...SLOT, poddedupe: [0] } }));
      const spots = await sold(imp, { device: KNOWN_DEVICE });
      expect(names(spots).filter((name) => name === 'film')).to.have.length(1);
      expect(spots).to.have.length(2);
      expect(await exchange.counted('dsp', 'dsp-1')).to.include({
        bids: 2,
        wins: 1,
        'losses/frequency-cap-reached': 1,
      });
      const uncapped = film('film', 4);
      exchange.delegate([uncapped], { id: 'dsp-1' });
      expect(names(await sold(imp))).to.deep.equal(['film', 'film']);
    });
  });
});
