import { expect } from 'chai';
import type { AuctionRecord } from '#actors/auction-record/record';
import { participationSummary } from '#actors/auction-record/summary';
import { UNLIMITED_BUDGETS } from '#edge/budgets/edge-budgets';
import { bids, noBid, type Script, type ScriptedBid, silent, status } from '../../support/bidder.ts';
import { bannerRequest, EdgeUnderTest } from '../../support/edge.ts';

const CAPPED = { id: 'capped', frequency_cap: { max_impressions: 1 } };

describe('the record of an auction', () => {
  let edge: EdgeUnderTest;
  beforeEach(async () => {
    edge = await new EdgeUnderTest({}, undefined, { maxRequestsPerSecondPerAddress: 0 }).start();
  });
  afterEach(() => edge.close());

  const auction = async (fields: Record<string, unknown> = {}): Promise<AuctionRecord> => {
    await edge.post(bannerRequest(fields));
    return (await edge.records()).at(-1)!;
  };
  const adm = '<img src="https://dsp.test/a.gif">';

  describe('says why a bid lost:', () => {
    const cases: readonly { reason: string; bid: ScriptedBid; request?: object; imp?: object }[] = [
      { reason: 'below-floor', bid: { price: 1 }, imp: { bidfloor: 2 } },
      { reason: 'blocked-category', bid: { price: 1, cat: ['IAB25-3'] }, request: { bcat: ['IAB25'] } },
      { reason: 'blocked-advertiser', bid: { price: 1, adomain: ['rival.test'] }, request: { badv: ['rival.test'] } },
      { reason: 'size-not-allowed', bid: { price: 1, w: 728, h: 90 } },
      { reason: 'format-not-offered', bid: { price: 1, mtype: 2 } },
      { reason: 'unknown-deal', bid: { price: 1, dealid: 'nobody-offered-it' } },
      { reason: 'unknown-imp', bid: { price: 1, impid: '99' } },
      { reason: 'invalid-price', bid: { price: 0 } },
      { reason: 'insecure-creative', bid: { price: 1, adm: '<img src="http://dsp.test/a.gif">' }, imp: { secure: 1 } },
      { reason: 'malformed-bid', bid: { price: 'much' as never } },
    ];
    for (const { reason, bid, request = {}, imp = {} } of cases) {
      it(reason, async () => {
        await edge.bidder(bids({ adm, ...bid }));
        const record = await auction({ imp: [{ id: '1', banner: { w: 300, h: 250 }, ...imp }], ...request });
        expect(record.outcome).to.equal('unfilled');
        expect(record.reason).to.equal(reason);
        expect(record.parts).to.have.length(1);
        expect(record.parts[0]).to.include({ dspId: 'dsp-1', outcome: 'lost', called: true, reason: null });
        expect(record.parts[0]!.bids[0]).to.include({ reason });
        expect(record.sold).to.deep.equal([]);
      });
    }
  });

  it('says what was bid, and what the imp was sold for where a deal has an agreed price', async () => {
    await edge.bidder(bids({ price: 5, adm, dealid: 'agreed' }));
    const pmp = { deals: [{ id: 'agreed', at: 3, bidfloor: 3 }] };
    const record = await auction({ imp: [{ id: '1', banner: { w: 300, h: 250 }, pmp }] });
    const [part] = record.parts;
    const sold = { priceCpmMicros: 5_000_000, winningCpmMicros: 3_000_000, reason: null };
    expect(part!.bids[0]).to.include(sold);
    expect(record.sold[0]).to.include({ clearingCpmMicros: 3_000_000 });
    expect(participationSummary(part!)).to.equal('Won at 3 CPM.');
  });

  it('says of a bid that its budget was spent by others meanwhile', async () => {
    await edge.bidder(bids({ price: 1, adm }));
    edge.budgets = { ...UNLIMITED_BUDGETS, reserve: () => false };
    const record = await auction();
    expect(record).to.include({ outcome: 'unfilled', reason: 'out-of-budget' });
    expect(record.parts[0]!.bids[0]).to.include({ reason: 'out-of-budget', priceCpmMicros: 1_000_000 });
  });

  describe('says why there was no bid:', () => {
    const cases: readonly { reason: string; script: Script; called?: boolean }[] = [
      { reason: 'no-bid', script: noBid() },
      { reason: 'timeout', script: silent() },
      { reason: 'http-error', script: status(500) },
      { reason: 'malformed-response', script: status(200, { 'content-type': 'application/json' }, '{nonsense') },
      {
        reason: 'wrong-request-id',
        script: status(200, {}, JSON.stringify({ id: 'another', seatbid: [{ bid: [] }] })),
      },
    ];
    for (const { reason, script } of cases) {
      it(reason, async () => {
        await edge.bidder(script, { timeoutMs: 60 });
        const record = await auction();
        expect(record).to.include({ outcome: 'unfilled', reason });
        expect(record.parts[0]).to.include({ outcome: 'answered', called: true, reason });
      });
    }

    it('unsupported-currency', async () => {
      await edge.bidder(bids({ price: 1 }));
      const record = await auction({ cur: ['EUR'] });
      expect(record.parts[0]).to.include({ outcome: 'not-called', called: false, reason: 'unsupported-currency' });
      expect(record).to.include({ reason: 'unsupported-currency' });
      expect(record.detail).to.equal('cur names EUR: neither USD nor a currency with a rate.');
    });

    it('circuit-open', async () => {
      await edge.bidder(status(500));
      let record = await auction();
      for (let asked = 0; asked < 50 && record.reason === 'http-error'; asked++) record = await auction();
      expect(record.parts[0]).to.include({ outcome: 'not-called', called: false, reason: 'circuit-open' });
    });

    it('qps-limit', async () => {
      await edge.bidder(noBid(), { qpsLimit: 1 });
      let record = await auction();
      for (let asked = 0; asked < 50 && record.reason === 'no-bid'; asked++) record = await auction();
      expect(record.parts[0]).to.include({ outcome: 'not-called', called: false, reason: 'qps-limit' });
    });

    it('budget-exhausted', async () => {
      const bidder = await edge.bidder(bids({ price: 1, adm }), { dailyBudgetCents: 100 });
      edge.budgets = { ...UNLIMITED_BUDGETS, available: () => false };
      const record = await auction();
      expect(record).to.include({ outcome: 'unfilled', reason: 'budget-exhausted' });
      expect(record.parts[0]).to.include({ outcome: 'not-called', called: false, reason: 'budget-exhausted' });
      expect(bidder.received).to.deep.equal([]);
    });

    it('no demand, and no pool', async () => {
      expect(await auction()).to.include({ outcome: 'unfilled', reason: 'no-demand' });
      edge.publisher({ poolId: null });
      expect(await auction()).to.include({ outcome: 'unfilled', reason: 'no-pool' });
    });
  });

  describe('names the campaigns of a delegate', () => {
    it('that bid, with the rule that matched', async () => {
      const conditions = [{ field: 'imp.banner.w', operator: 'eq', value: '300' } as const];
      edge.delegate([
        {
          id: 'ruled',
          bidding: { base_cpm: 2 },
          rules: [{ rule_id: 'wide', campaign_id: 'ruled', conditions, bid_cpm: 4 }],
        },
      ]);
      const record = await auction();
      expect(record.outcome).to.equal('filled');
      expect(record.parts[0]!.bids[0]).to.include({
        campaignId: 'ruled',
        campaignActorId: 'ruled',
        ruleId: 'wide',
        priceCpmMicros: 4_000_000,
        reason: null,
      });
      expect(record.sold[0]).to.include({ dspId: 'dsp-1', clearingCpmMicros: 4_000_000, format: 'banner' });
      expect(record.sold[0]!.trackingId).to.have.length(22);
    });

    it('that a pace kept back, and the one that bid in their place', async () => {
      edge.delegate([
        { id: 'slow', bidding: { base_cpm: 5 } },
        { id: 'next', bidding: { base_cpm: 2 } },
      ]);
      edge.pace.probabilities.set('slow', 0);
      const { parts } = await auction();
      expect(parts[0]!.keptBack).to.deep.equal([
        { impId: '1', campaignActorId: 'slow', campaignId: 'slow', reason: 'pacing' },
      ]);
      expect(parts[0]!.bids[0]).to.include({ campaignId: 'next', reason: null });
    });

    it('whose budget is spent', async () => {
      edge.delegate([
        { id: 'spent', bidding: { base_cpm: 5 } },
        { id: 'next', bidding: { base_cpm: 2 } },
      ]);
      edge.budgets = { ...UNLIMITED_BUDGETS, available: (_dsp, campaign) => campaign?.id !== 'spent' };
      const { parts } = await auction();
      expect(parts[0]!.keptBack[0]).to.include({ campaignId: 'spent', reason: 'budget-exhausted' });
      expect(parts[0]!.bids[0]).to.include({ campaignId: 'next', reason: null });
    });

    it('whose caps the device has reached, or that has no name to count by', async () => {
      edge.delegate([CAPPED]);
      const device = { ua: bannerRequest().device, ip: '203.0.113.7', ifa: '3b0c2f0a-8d1e-4c55-9c2d-5f0a4a1f6a11' };
      const ua = (bannerRequest().device as { ua: string }).ua;
      const named = { device: { ...device, ua } };
      expect((await auction(named)).outcome).to.equal('filled');
      const full = await auction(named);
      expect(full).to.include({ outcome: 'unfilled', reason: 'frequency-cap' });
      expect(full.parts[0]!.keptBack[0]).to.include({ campaignId: 'capped', reason: 'frequency-cap' });
    });

    it('that had nothing to show', async () => {
      edge.delegate([
        {
          id: 'fetched',
          creatives: [{ creative_id: 'c', image_url: 'https://ads.test/a.png', width: 300, height: 250 }],
        },
      ]);
      const record = await auction();
      expect(record).to.include({ outcome: 'unfilled', reason: 'creative-unavailable' });
      expect(record.parts[0]!.keptBack[0]).to.include({ campaignId: 'fetched', reason: 'creative-unavailable' });
      const [creative] = record.parts[0]!.keptBack[0]!.creatives!;
      expect(creative).to.include({ creativeId: 'c', reason: 'asset-missing' });
      expect(creative!.words).to.contain('image_url https://ads.test/a.png is not fetched yet');
    });

    it('whose creatives load what is insecure where the imp is secure, each by its name and the URL', async () => {
      const creatives = ['a', 'b'].map((name) => ({
        creative_id: name,
        html: `<img src="http://plain.test/${name}.gif">`,
        width: 300,
        height: 250,
      }));
      edge.delegate([{ id: 'plain', creatives }]);
      const record = await auction({ imp: [{ id: '1', secure: 1, banner: { w: 300, h: 250 } }] });
      expect(record).to.include({ outcome: 'unfilled', reason: 'creative-unavailable' });
      const misfits = record.parts[0]!.keptBack[0]!.creatives!;
      expect(misfits.map(({ creativeId, reason }) => [creativeId, reason])).to.deep.equal([
        ['a', 'insecure'],
        ['b', 'insecure'],
      ]);
      expect(misfits[1]!.words).to.contain('http://plain.test/b.gif').and.to.contain('secure=0');
    });
  });

  describe('says where a floor comes from:', () => {
    const cases = [
      { from: 'request', imp: { bidfloor: 3 }, publisher: 1, pool: 2, floor: 3 },
      { from: 'publisher', imp: {}, publisher: 2, pool: 1, floor: 2 },
      { from: 'pool', imp: { bidfloor: 0.5 }, publisher: 1, pool: 2.5, floor: 2.5 },
      { from: 'none', imp: {}, publisher: 0, pool: 0, floor: 0 },
    ];
    for (const { from, imp, publisher, pool, floor } of cases) {
      it(from, async () => {
        edge.publisher({ floorCpmMicros: publisher * 1e6 });
        edge.pool({ floorCpmMicros: pool * 1e6 });
        const { imps } = await auction({ imp: [{ id: '1', banner: { w: 300, h: 250 }, ...imp }] });
        expect(imps[0]).to.include({ floorFrom: from, floorCpmMicros: floor * 1e6 });
      });
    }
  });

  it('says why a request was turned away, and what it asked for', async () => {
    const refused = await auction({ site: { id: 'pub-1', domain: 'else.test' }, device: { devicetype: 2 } });
    expect(refused).to.include({ outcome: 'blocked', reason: 'site-mismatch', auctionId: 'request-1' });
    expect(refused.imps).to.have.length(1);
    expect(refused.asked).to.include({ channel: 'site', inventory: 'else.test', deviceType: 2 });
    const unknown = await auction({ site: { id: 'nobody' } });
    expect(unknown).to.include({ outcome: 'blocked', reason: 'unknown-publisher', publisher: null });
    const floor = await auction({ imp: [{ id: '1', banner: { w: 1, h: 1 }, bidfloor: -1 }] });
    expect(floor).to.include({ outcome: 'blocked', reason: 'invalid-floor' });
    expect(floor.detail).to.match(/^Invalid floor: /);
    const invalid = await auction({ imp: [{ id: '1', banner: 7 }] });
    expect(invalid).to.include({ outcome: 'invalid', reason: 'invalid-request' });
    expect(invalid.publisher).to.include({ id: 'pub-1' });
    await edge.get('/ad?publisher_id=pub-1&format=banner&w=many');
    expect((await edge.records()).at(-1)).to.include({ outcome: 'invalid', reason: 'invalid-request' });
  });

  it('holds nothing that names a person', async () => {
    edge.delegate([{ id: 'campaign' }]);
    const ifa = '3b0c2f0a-8d1e-4c55-9c2d-5f0a4a1f6a11';
    const secrets = [
      '198.51.100.77',
      '2001:db8:9::7',
      ifa,
      'user-4711-id',
      'eid-4711-value',
      'buyer-4711-id',
      'ada@site.test',
    ];
    const ua = (bannerRequest().device as { ua: string }).ua;
    const record = await auction({
      site: {
        id: 'pub-1',
        domain: 'site.test',
        page: `https://site.test/news?mail=ada@site.test&ifa=${ifa}`,
        ref: 'https://site.test/?user=user-4711-id',
        search: 'ada@site.test',
        keywords: `news,${ifa}`,
        ext: { who: 'user-4711-id' },
      },
      device: {
        ua,
        ip: secrets[0],
        ipv6: secrets[1],
        ifa,
        devicetype: 2,
        os: 'Windows',
        geo: { country: 'DEU', region: 'BE', city: 'Berlin', lat: 52.5201, lon: 13.4051, zip: '10115' },
        ext: { ifa },
      },
      user: {
        id: 'user-4711-id',
        buyeruid: 'buyer-4711-id',
        eids: [{ source: 'id.test', uids: [{ id: 'eid-4711-value' }] }],
        gender: 'F',
        yob: 1980,
      },
      ext: { mail: 'ada@site.test' },
    });
    const text = JSON.stringify(record);
    for (const secret of [...secrets, ua, '52.5201', '13.4051', '10115', '1980']) expect(text).not.to.contain(secret);
    expect(record.replayable!.request).to.deep.equal({
      id: record.auctionId,
      imp: [{ id: '1', banner: { w: 300, h: 250 } }],
      site: {
        id: 'pub-1',
        domain: 'site.test',
        page: 'https://site.test/news',
        ref: 'https://site.test/',
        keywords: 'news,',
      },
      device: { devicetype: 2, os: 'Windows', geo: { country: 'DEU', region: 'BE', city: 'Berlin' } },
    });
    expect(record.asked).to.include({ country: 'DEU', region: 'BE', deviceType: 2 });
  });

  it('stays small, whatever is sent', async () => {
    const long = 'x'.repeat(16_000);
    const id = 'x'.repeat(250);
    await edge.bidder(bids({ price: 1, crid: id, adomain: Array.from({ length: 20 }, () => long.slice(0, 2_000)) }));
    const imp = [{ id, banner: { w: 300, h: 250 }, tagid: long }];
    const record = await auction({
      imp,
      site: { id: 'pub-1', domain: 'site.test', page: long, name: long, ref: long },
    });
    expect(record.parts[0]!.bids[0]!.crid).to.have.length(128);
    expect(record.replayable).to.equal(null);
    expect(JSON.stringify(record).length).to.be.below(64_000);
  });

  it('waits in a bounded room while the log is away, and auctions go on', async () => {
    edge.isLogUnavailable = true;
    edge.delegate([{ id: 'campaign' }]);
    const made = 520;
    for (let asked = 0; asked < made; asked += 20) {
      const responses = await Promise.all(Array.from({ length: 20 }, () => edge.post(bannerRequest())));
      for (const response of responses) expect(response.status).to.equal(200);
    }
    expect(await edge.records()).to.deep.equal([]);
    expect(edge.explorer.recorded).to.equal(0);
    expect(edge.explorer.dropped).to.equal(made);
    edge.isLogUnavailable = false;
    expect(await auction()).to.include({ outcome: 'filled' });
    expect(edge.explorer.recorded).to.equal(1);
  });
});
