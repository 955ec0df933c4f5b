import { expect } from 'chai';
import type { DspProjection } from '#actors/dsp/fields';
import type { Creative } from '#exchange/strategy/document/creative';
import { bids } from '../../support/bidder.ts';
import { makeCampaignProjection } from '../../support/campaign-projection.ts';
import { bannerRequest, EdgeUnderTest, jsonOf } from '../../support/edge.ts';
import { spotAd } from '../../support/spot.ts';

interface Sold {
  readonly impid: string;
  readonly price: number;
  readonly cid?: string;
  readonly crid?: string;
  readonly adm: string;
}

describe('auctions with delegates', () => {
  let exchange: EdgeUnderTest;
  beforeEach(async () => {
    exchange = await new EdgeUnderTest().start();
  });
  afterEach(() => exchange.close());

  const auction = async (
    fields: Record<string, unknown> = {},
    headers: Record<string, string> = {},
  ): Promise<Sold[]> => {
    const response = await exchange.post(bannerRequest(fields), headers);
    if (response.status === 204) return [];
    expect(response.status).to.equal(200);
    const answer = await jsonOf(response);
    return answer.seatbid.flatMap(({ bid }: { bid: Sold[] }) => bid);
  };
  const winner = async (fields: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
    (await auction(fields, headers))[0]?.cid ?? null;
  const cpm = (base_cpm: number) => ({ bidding: { base_cpm } });
  const imps = (...ids: string[]) => ids.map((id) => ({ id, banner: { w: 300, h: 250 } }));

  it('sell to a campaign, with our tracker in its markup and the campaign in the tracking URL', async () => {
    exchange.delegate([{ id: 'campaign-1', campaign_id: 'autumn', adomain: ['brand.test'], ...cpm(2.5) }]);
    const response = await exchange.post(bannerRequest());
    expect(response.status).to.equal(200);
    const [{ seat, bid }] = (await jsonOf(response)).seatbid;
    expect(seat).to.equal('dsp-1');
    expect(bid).to.have.length(1);
    expect(bid[0]).to.deep.include({
      impid: '1',
      price: 2.5,
      cid: 'autumn',
      crid: 'campaign-1-creative',
      adomain: ['brand.test'],
      mtype: 1,
      w: 300,
      h: 250,
    });
    expect(bid[0].burl).to.match(
      /^https:\/\/edge\.test\/track\/impression\?id=request-\d+&pub=pub-1&dsp=dsp-1&price=2500000&campaign=campaign-1&cap=~[\w-]{26}&crid=/,
    );
    expect(bid[0].adm).to.match(/^<img src="https:\/\/edge\.test\/track\/impression\?/);
    expect(bid[0].adm).to.contain('campaign-1-creative');
    expect(exchange.pace.reserved).to.deep.equal([{ campaignId: 'campaign-1', dspId: 'dsp-1', priceNanos: 2_500_000 }]);
    expect(await exchange.counted('dsp', 'dsp-1')).to.include({ bidRequests: 1, bids: 1, wins: 1 });
    expect(await exchange.counted('publisher', 'pub-1')).to.include({ auctions: 1, imps: 1, filledImps: 1 });
    const [campaign] = exchange.toldMessages.filter(({ id }) => id.startsWith('campaign:campaign-1:'));
    expect(campaign!.body.counts).to.deep.equal({ bids: 1, wins: 1 });
    expect(campaign!.body.creatives).to.deep.equal([{ id: 'campaign-1-creative', bids: 1, wins: 1 }]);
  });

  it('have one bid of each delegate for an imp: the highest priority, then the highest bid', async () => {
    exchange.delegate([
      { id: 'dear', ...cpm(9) },
      { id: 'urgent', priority: 2, ...cpm(1) },
      { id: 'urgent and dear', priority: 2, ...cpm(3) },
    ]);
    exchange.delegate([{ id: 'rival', ...cpm(2) }], { id: 'dsp-2' });
    expect(await auction()).to.have.nested.property('[0].cid', 'urgent and dear');
    expect(await exchange.counted('dsp', 'dsp-1')).to.include({ bids: 1, wins: 1 });
    expect(await exchange.counted('dsp', 'dsp-2')).to.include({ bids: 1, 'losses/lost-to-higher-bid': 1 });
  });

  it('give equals the same chance', async () => {
    exchange.delegate(['a', 'b', 'c', 'd'].map((id) => ({ id })));
    const wins = new Map<string, number>();
    const rounds = 400;
    for (let round = 0; round < rounds; round += 1) {
      const cid = (await winner())!;
      wins.set(cid, (wins.get(cid) ?? 0) + 1);
    }
    // χ² with 3 degrees of freedom; it is larger once in a million times.
    const expected = rounds / 4;
    const distance = ['a', 'b', 'c', 'd'].reduce(
      (sum, id) => sum + ((wins.get(id) ?? 0) - expected) ** 2 / expected,
      0,
    );
    expect(distance, JSON.stringify([...wins])).to.be.below(30.7);
  });

  it('sell each imp by itself, to what matches it', async () => {
    const imp = imps('1', '2', '3').map((each, index) => ({ ...each, bidfloor: [0, 2, 20][index] }));
    const costly = { field: 'imp.bidfloor', operator: 'gte' as const, value: '2' };
    const rules = [{ rule_id: 'r', campaign_id: 'picky', conditions: [costly], bid_cpm: 4 }];
    exchange.delegate([{ id: 'plain' }, { id: 'picky', rules }]);
    const sold = await auction({ imp });
    expect(sold.map(({ impid, cid, price }) => [impid, cid, price])).to.have.deep.members([
      ['1', 'plain', 1],
      ['2', 'picky', 4],
    ]);
    expect(await exchange.counted('dsp', 'dsp-1')).to.include({
      bidRequests: 1,
      bids: 3,
      wins: 2,
      'losses/below-floor': 1,
    });
  });

  it('let bidders and delegates compete', async () => {
    const bidder = await exchange.bidder(bids({ price: 2 }), { id: 'dsp-9' });
    exchange.delegate([{ id: 'own', ...cpm(3) }]);
    expect(await winner()).to.equal('own');
    bidder.script = bids({ price: 4, crid: 'theirs' });
    expect(await auction()).to.have.nested.property('[0].crid', 'theirs');
    expect(await exchange.counted('dsp', 'dsp-9')).to.include({ bids: 2, wins: 1, 'losses/lost-to-higher-bid': 1 });
    expect(await exchange.counted('dsp', 'dsp-1')).to.include({ bids: 2, wins: 1, 'losses/lost-to-higher-bid': 1 });
  });

  it('hold delegates to floors and to what the publisher and the request block', async () => {
    exchange.delegate([{ id: 'own', adomain: ['brand.test'], categories: ['IAB7-3'], ...cpm(2) }]);
    exchange.publisher({ floorCpmMicros: 2_000_001 });
    expect(await winner()).to.equal(null);
    exchange.publisher({ blockedCategories: ['IAB7'] });
    expect(await winner()).to.equal(null);
    exchange.publisher({ blockedDomains: ['brand.test'] });
    expect(await winner()).to.equal(null);
    exchange.publisher();
    expect(await winner({ bcat: ['IAB7-3'] })).to.equal(null);
    expect(await winner()).to.equal('own');
    expect(await exchange.counted('dsp', 'dsp-1')).to.include({
      bids: 5,
      wins: 1,
      'losses/below-floor': 1,
      'losses/blocked-category': 2,
      'losses/blocked-advertiser': 1,
    });
  });

  it('hold a delegate that names no advertiser to blocked ones by its landing page, and do not name it', async () => {
    const html = { creative_id: 'c', html: '<b>c</b>', width: 300, height: 250 };
    const leadsTo = (landing_url: string | undefined, fields: object = {}) => {
      const creative = landing_url === undefined ? html : { ...html, landing_url };
      exchange.delegate([{ id: 'own', creative, ...cpm(2), ...fields }]);
    };
    leadsTo('https://www.Shop.brand.test:8443/autumn?from=x#y', { adomain: [] });
    const [sold] = await auction();
    expect(sold).to.include({ cid: 'own' }).and.not.have.property('adomain');
    expect(await winner({ badv: ['other.test', 'rand.test'] })).to.equal('own');
    for (const blocked of ['brand.test', 'https://www.shop.brand.test/']) {
      expect(await winner({ badv: [blocked] }), blocked).to.equal(null);
      exchange.publisher({ blockedDomains: [blocked] });
      expect(await winner(), blocked).to.equal(null);
      exchange.publisher();
    }
    expect(await exchange.counted('dsp', 'dsp-1')).to.include({ bids: 6, wins: 2, 'losses/blocked-advertiser': 4 });
    leadsTo('https://tracker.test/to?brand', { adomain: ['brand.test'] });
    expect(await winner({ badv: ['tracker.test'] })).to.equal('own');
    expect(await winner({ badv: ['brand.test'] })).to.equal(null);
    leadsTo(undefined);
    expect(await winner({ badv: ['brand.test'] })).to.equal('own');
  });

  it('are closed to a campaign whose demand source is archived, in the other environment or not in the pool', async () => {
    exchange.delegate([{ id: 'own' }]);
    exchange.publisher({ id: 'pub-2', status: 'sandbox' });
    const toOwn = async (fields: Partial<DspProjection>) => {
      exchange.delegate([], fields);
      // Campaigns move with their demand source off the request path.
      await new Promise((resolve) => setImmediate(resolve));
      return { live: await winner(), sandbox: await winner({ site: { id: 'pub-2' } }) };
    };
    expect(await toOwn({})).to.deep.equal({ live: 'own', sandbox: null });
    expect(await toOwn({ status: 'sandbox' })).to.deep.equal({ live: null, sandbox: 'own' });
    expect(await toOwn({ status: 'archived' })).to.deep.equal({ live: null, sandbox: null });
    expect(await toOwn({ poolIds: ['pool-2'] })).to.deep.equal({ live: null, sandbox: null });
    expect(await toOwn({})).to.deep.equal({ live: 'own', sandbox: null });
    expect(await winner({}, { 'x-sandbox': 'true' })).to.equal(null);
    exchange.replica.remove('dsp', 'dsp-1');
    expect(await winner()).to.equal(null);
  });

  it('follow every change of a campaign', async () => {
    exchange.delegate([{ id: 'own' }]);
    expect((await auction())[0]).to.include({ cid: 'own', price: 1 });
    exchange.delegate([
      { id: 'own', ...cpm(2), creative: { creative_id: 'new', html: '<b>new</b>', width: 300, height: 250 } },
    ]);
    expect((await auction())[0]).to.include({ cid: 'own', price: 2, crid: 'new' });
    exchange.delegate([{ id: 'own', paused: true }]);
    expect(await winner()).to.equal(null);
    exchange.delegate([{ id: 'own' }]);
    expect(await winner()).to.equal('own');
    exchange.replica.remove('campaign', 'own');
    expect(await winner()).to.equal(null);
    const counted = await exchange.counted('dsp', 'dsp-1');
    // Without a campaign there is nothing to evaluate.
    expect(counted).to.include({ bidRequests: 4, bids: 3, noBids: 1, 'keptBack/no-match': 1 });
  });

  it('know a campaign that comes before its demand source', async () => {
    exchange.replica.put('campaign', makeCampaignProjection('dsp-7', { id: 'early' }));
    expect(await winner()).to.equal(null);
    exchange.delegate([], { id: 'dsp-7' });
    await new Promise((resolve) => setImmediate(resolve));
    expect(await winner()).to.equal('early');
  });

  it('say why a delegate has no bid', async () => {
    exchange.delegate([{ id: 'elsewhere', targeting: { countries: ['FR'] } }], { id: 'dsp-1' });
    exchange.delegate([{ id: 'spent', ...cpm(3) }], { id: 'dsp-2' });
    exchange.pace.probabilities.set('spent', 0);
    exchange.delegate([{ id: 'capped', frequency_cap: { max_impressions: 1 } }], { id: 'dsp-3' });
    const creative = { creative_id: 'c', image_url: 'https://cdn.test/i.png', width: 300, height: 250 };
    exchange.delegate([{ id: 'waiting', creative }], { id: 'dsp-4' });
    exchange.delegate([], { id: 'dsp-5' });
    expect(await auction({ device: {} })).to.deep.equal([]);
    const kept = async (dspId: string) => await exchange.counted('dsp', dspId);
    expect(await kept('dsp-1')).to.deep.equal({ bidRequests: 1, noBids: 1, 'keptBack/no-match': 1 });
    expect(await kept('dsp-2')).to.deep.equal({ bidRequests: 1, noBids: 1, 'keptBack/pacing': 1 });
    expect(await kept('dsp-3')).to.deep.equal({ bidRequests: 1, noBids: 1, 'keptBack/frequency-cap': 1 });
    expect(await kept('dsp-4')).to.deep.equal({ bidRequests: 1, noBids: 1, 'keptBack/creative-unavailable': 1 });
    expect(await kept('dsp-5')).to.deep.equal({});
  });

  it('bid with a creative as soon as its asset is there', async () => {
    const url = 'https://cdn.test/i.png';
    exchange.delegate([{ id: 'own', creative: { creative_id: 'c', image_url: url } }]);
    expect(await winner()).to.equal(null);
    const path = `/creative/${'a'.repeat(64)}`;
    const media = (width: number) => ({ path, mimeType: 'image/png', bytes: 100, width, height: 250 });
    exchange.asset({ url, content: { kind: 'image', media: media(728) } });
    expect(await winner(), 'of another size').to.equal(null);
    exchange.asset({ url, content: { kind: 'image', media: media(300) } });
    const [sold] = await auction();
    expect(sold).to.include({ cid: 'own', w: 300, h: 250 });
    expect(sold).to.have.property('adm').that.contains(`https://edge.test${path}`);
  });

  describe('have viewability trackers in their markup', () => {
    const ALL = ['not_viewable', 'undetermined', 'viewable'];
    const viewsOf = (adm: string): string[] =>
      [...adm.matchAll(/https:\/\/edge\.test\/track\/view\?event=(\w+)&id=/g)].map(([, event]) => event!).sort();
    const soldMarkup = async (creative: Creative, imp: object): Promise<string> => {
      exchange.delegate([{ id: 'own', creative }]);
      const [sold] = await auction({ imp: [{ id: '1', ...imp }] });
      return sold!.adm;
    };
    const film = (): Creative => {
      const url = 'https://buyer.test/film';
      exchange.asset({ url, content: { kind: 'vast', ad: spotAd({ name: 'film' }) } });
      return { creative_id: 'film', vast_url: url };
    };

    it('of VAST since 4.0', async () => {
      const video = (protocols: number[]) => ({ video: { mimes: ['video/mp4'], maxduration: 30, protocols } });
      const newest = await soldMarkup(film(), video([13]));
      expect(newest).to.contain('<VAST version="4.2"').and.contain('<ViewableImpression>');
      expect(viewsOf(newest)).to.deep.equal(ALL);
      expect(viewsOf(await soldMarkup(film(), video([3]))), 'VAST 3.0').to.deep.equal([]);
    });

    it('of a VAST pod, once for each ad', async () => {
      exchange.delegate([{ id: 'own', creative: film() }]);
      exchange.publisher({ type: 'ctv', domain: 'com.example.tv' });
      const response = await exchange.get('/vast?site_id=pub-1&poddur=60&version=4.2');
      expect(viewsOf(await response.text())).to.deep.equal(ALL);
    });

    it('of a native ad whose renderer reports viewability', async () => {
      const native: Creative = {
        creative_id: 'native',
        native: { title: 'A title' },
        landing_url: 'https://brand.test/',
      };
      const asking = (...events: number[]) => {
        const eventtrackers = events.map((event) => ({ event, methods: [1] }));
        const request = { ver: '1.2', assets: [{ id: 1, required: 1, title: { len: 90 } }], eventtrackers };
        return { native: { request: JSON.stringify(request), ver: '1.2' } };
      };
      expect(viewsOf(await soldMarkup(native, asking(1, 2)))).to.deep.equal(['measurable', 'viewable']);
      expect(viewsOf(await soldMarkup(native, asking(1)))).to.deep.equal([]);
    });
  });

  it('take no bids in a currency that the caller does not', async () => {
    exchange.delegate([{ id: 'own' }]);
    expect(await winner({ cur: ['EUR'] })).to.equal(null);
    expect(await exchange.counted('dsp', 'dsp-1')).to.deep.equal({ 'notCalled/unsupported-currency': 1 });
  });
});
