// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are macros of markup
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import type { CreativeProjection } from '#actors/creative/projection';
import type { CreativeRuleProjection } from '#actors/creative-rule/reduce';
import { creativeId, fingerprintOf } from '#edge/creatives/creative-id';
import type { SeenMessage } from '#edge/creatives/sighting';
import type { HostedMarkup } from '#exchange/creative/hosted-markup';
import type { Clock } from '#runtime/ports/clock';
import { bids, type ScriptedBid, type ScriptedBidder } from '#test/support/bidder';
import { bannerRequest, EdgeUnderTest, jsonOf } from '#test/support/edge';
import { steadyClock } from '#test/support/steady-clock';

const ADM = '<a href="https://advertiser.test/">an ad</a>';
const FINGERPRINT = fingerprintOf(ADM);
const CREATIVE = creativeId({ dspId: 'dsp-1', crid: 'creative-1', fingerprint: FINGERPRINT });

describe('creatives in auctions', () => {
  let exchange: EdgeUnderTest;
  beforeEach(async () => {
    exchange = await new EdgeUnderTest().start();
  });
  afterEach(() => exchange.close());

  const rule = (fields: Partial<CreativeRuleProjection>, id = 'rule-1') =>
    exchange.replica.put('creative-rule', {
      id,
      ...{ scope: 'publisher:pub-1', subject: 'creative', value: CREATIVE, decision: 'block', ...fields },
    } as never);
  const mode = (scope: string, chosen: string) =>
    exchange.replica.put('creative-policy', { id: scope, mode: chosen } as never);
  const known = (fields: Partial<CreativeProjection>, id = CREATIVE) =>
    exchange.replica.put('creative', {
      id,
      ...{ dspId: 'dsp-1', clean: false, dynamic: false, hosted: null, ...fields },
    } as never);
  /** The markup that was sold; null where nothing was. */
  const sold = async (request = bannerRequest(), path = '/rtb'): Promise<string | null> => {
    const response = await exchange.post(request, {}, path);
    return response.status === 204 ? null : (await jsonOf(response)).seatbid[0].bid[0].adm;
  };
  /** What creatives were told since the last call. */
  const seen = async (): Promise<{ id: string; body: SeenMessage }[]> => {
    await new Promise((resolve) => setImmediate(resolve));
    await exchange.auctionCreatives.sightings.flush();
    const told = exchange.toldMessages.filter(({ kind }) => kind === 'creative');
    exchange.toldMessages.length = 0;
    return told.map(({ id, body }) => ({ id, body: body as unknown as SeenMessage }));
  };
  const seenSome = async () => {
    const [first, ...others] = await seen();
    if (first === undefined) throw new Error('no creative was told');
    return [first, ...others] as const;
  };
  const losses = async (dspId = 'dsp-1') =>
    Object.entries(await exchange.counted('dsp', dspId)).filter(([name]) => name.startsWith('losses/'));

  describe('that are sold', () => {
    it('are told to the creative, with what the bid said of it', async () => {
      await exchange.bidder(bids({ price: 2, cat: ['IAB2'], attr: [6] }));
      await sold();
      await sold();
      const told = await seen();
      expect(told).to.have.length(1);
      expect(told[0]).to.deep.equal({
        id: CREATIVE,
        body: {
          dspId: 'dsp-1',
          accountId: 'account-1',
          partnerId: null,
          sandbox: false,
          campaignId: null,
          crid: 'creative-1',
          fingerprint: FINGERPRINT,
          declared: 'auto',
          markup: ADM,
          formats: ['banner'],
          sizes: ['300x250'],
          advertiserDomains: ['advertiser.test'],
          categories: ['IAB2'],
          categoryTaxonomy: 1,
          attributes: [6],
          publisherIds: ['pub-1'],
          sightings: 2,
          wins: 2,
          refusals: 0,
        },
      });
    });

    it('are one creative, whatever of the auction stands in their markup', async () => {
      const bidder = await exchange.bidder(bids({ price: 1 }));
      bidder.script = (received, response) =>
        bids({
          price: 1,
          adm: `<img src="https://a.test/?auction=${received.body.id}&cb=${1e9 + bidder.received.length}">`,
        })(received, response);
      for (let number = 0; number < 5; number++) await sold(bannerRequest({ id: `an-auction-of-its-own-${number}` }));
      const [{ body }, ...others] = await seenSome();
      expect(others).to.deep.equal([]);
      expect(body.markup).to.equal('<img src="https://a.test/?auction=${AUCTION_ID}&cb=${EXCHANGE_CACHE_BUSTER}">');
      expect(body).to.include({ wins: 5, sightings: 5 });
    });

    it('are another creative with other markup, and by another demand source', async () => {
      const bidder = await exchange.bidder(bids({ price: 2 }));
      await sold();
      bidder.script = bids({ price: 2, adm: '<b>swapped</b>' });
      await sold();
      await exchange.bidder(bids({ price: 3 }), { id: 'dsp-2' });
      await sold();
      const told = await seen();
      expect(new Set(told.map(({ id }) => id)).size).to.equal(3);
      expect(told.map(({ body: { dspId, fingerprint } }) => [dspId, fingerprint])).to.deep.equal([
        ['dsp-1', FINGERPRINT],
        ['dsp-1', fingerprintOf('<b>swapped</b>')],
        ['dsp-2', FINGERPRINT],
      ]);
    });

    it('are one creative for all of a crid whose markup is never the same', async () => {
      const bidder = await exchange.bidder(bids({ price: 1 }));
      bidder.script = (received, response) =>
        bids({ price: 1, adm: `<b>${bidder.received.length} of many</b>` })(received, response);
      for (let number = 0; number < 40; number++) await sold();
      const told = await seen();
      const dynamic = creativeId({ dspId: 'dsp-1', crid: 'creative-1', fingerprint: '' });
      const last = told.find(({ id }) => id === dynamic)!;
      expect(last.body).to.include({ fingerprint: '', declared: 'auto' });
      expect(last.body.markup).to.match(/^<b>\d+ of many<\/b>$/);
      expect(last.body.wins).to.be.at.least(28);
      expect(told.length, 'versions that were one of many are none').to.be.at.most(2);
    });

    it('are not told apart where the demand source says that its markup differs', async () => {
      const bidder = await exchange.bidder(bids({ price: 1 }), { creatives: 'dynamic' });
      bidder.script = (received, response) =>
        bids({ price: 1, adm: `<b>${bidder.received.length}</b>` })(received, response);
      for (let number = 0; number < 3; number++) await sold();
      const told = await seen();
      expect(told).to.have.length(1);
      expect(told[0]!.body).to.include({ fingerprint: '', declared: 'dynamic', wins: 3 });
    });

    it('are told as live once their demand source has left the sandbox', async () => {
      const bidder = await exchange.bidder(bids({ price: 1 }), { status: 'sandbox' });
      await sold(bannerRequest(), '/rtb?sandbox=true');
      const [tested] = await seenSome();
      expect(tested.body).to.include({ sandbox: true, wins: 1 });
      exchange.dsp({ endpointUrl: bidder.url, status: 'active' });
      await sold();
      const [live] = await seenSome();
      expect(live).to.deep.include({ id: CREATIVE });
      expect(live.body).to.include({ sandbox: false, wins: 1 });
    });

    it('are counted by samples once they are known, and none is lost', async () => {
      await exchange.bidder(bids({ price: 1 }));
      for (let number = 0; number < 50; number++) await sold();
      const told = await seen();
      expect(told.reduce((sum, { body }) => sum + body.wins, 0)).to.equal(50);
      expect(told.reduce((sum, { body }) => sum + body.sightings, 0)).to.be.within(16, 20);
    });

    it('are told again when the log is back from an overload, with their markup', async () => {
      await exchange.bidder(bids({ price: 1 }));
      await sold();
      exchange.refuseTells = true;
      await seen();
      exchange.refuseTells = false;
      await sold();
      const told = await seen();
      expect(told.map(({ body: { wins, markup } }) => [wins, markup])).to.deep.equal([[2, ADM]]);
    });

    it('are bounded: a demand source with a new one in each auction has a hundred pages a minute', async () => {
      const bidder = await exchange.bidder(bids({ price: 1 }));
      bidder.script = (received, response) =>
        bids({ price: 1, crid: `c-${bidder.received.length}` })(received, response);
      for (let number = 0; number < 120; number++) await sold();
      expect(await seen()).to.have.length(100);
      expect(exchange.auctionCreatives.sightings.dropped).to.equal(20);
    });

    describe('by a demand source that may have three new ones a day', () => {
      let aheadMs: number;
      let bidder: ScriptedBidder;
      beforeEach(async () => {
        await exchange.close();
        aheadMs = 0;
        const clock: Clock = {
          now: () => Date.now(),
          monotonic: () => steadyClock.monotonic() + aheadMs,
          after: (delayMs, fire) => steadyClock.after(delayMs, fire),
        };
        exchange = await new EdgeUnderTest({}, undefined, {}, clock, 3).start();
        bidder = await exchange.bidder(bids({ price: 1 }));
      });
      const sell = async (...crids: string[]) => {
        for (const crid of crids) {
          bidder.script = bids({ price: 1, crid });
          expect(await sold()).to.contain(ADM);
        }
      };
      const toldCrids = async () => (await seen()).map(({ body: { crid } }) => crid);

      it('are told of no further ones, which are sold all the same', async () => {
        await sell('one', 'two', 'three', 'four', 'one');
        expect(await toldCrids()).to.deep.equal(['one', 'two', 'three']);
        aheadMs = 3_600_000;
        await sell('five', 'two');
        expect(await toldCrids()).to.deep.equal(['two']);
        expect(exchange.auctionCreatives.sightings.dropped).to.equal(2);
        aheadMs = 86_400_000;
        await sell('six');
        expect(await toldCrids()).to.deep.equal(['six']);
      });

      it('count once where their markup is never the same', async () => {
        bidder.script = (received, response) =>
          bids({ price: 1, crid: 'changing', adm: `<b>${bidder.received.length} of many</b>` })(received, response);
        for (let number = 0; number < 20; number++) await sold();
        await sell('two', 'three', 'four');
        expect(await toldCrids()).to.deep.equal(['changing', 'two', 'three']);
      });
    });

    it('are those of campaigns, too', async () => {
      exchange.delegate([{ id: 'campaign-1' }]);
      const adm = await sold();
      expect(adm).to.be.a('string');
      const [{ body }] = await seenSome();
      expect(body).to.include({ campaignId: 'campaign-1', dspId: 'dsp-1', wins: 1 });
      expect(JSON.parse(body.markup!)).to.have.property('creative_id', body.crid);
    });
  });

  describe('that people decided about', () => {
    const subjects: [string, Partial<CreativeRuleProjection>][] = [
      ['itself', { subject: 'creative', value: CREATIVE }],
      ['its markup', { subject: 'fingerprint', value: FINGERPRINT }],
      ['its advertiser, as people write it', { subject: 'advertiser', value: 'https://www.Advertiser.test/' }],
      ['its category', { subject: 'category', value: 'iab2' }],
      ['its attribute', { subject: 'attribute', value: '6' }],
      ['its demand source', { subject: 'demand_source', value: 'dsp-1' }],
    ];
    for (const [title, fields] of subjects) {
      it(`are not sold once ${title} is blocked, and are again once it is not`, async () => {
        await exchange.bidder(bids({ price: 2, cat: ['IAB2-1'], attr: [6] }));
        expect(await sold()).to.be.a('string');
        rule(fields);
        expect(await sold()).to.equal(null);
        expect(await losses()).to.deep.equal([['losses/creative-blocked', 1]]);
        exchange.replica.remove('creative-rule', 'rule-1');
        expect(await sold()).to.be.a('string');
      });
    }

    for (const scope of ['exchange', 'account:account-1', 'pool:pool-1', 'publisher:pub-1']) {
      it(`are blocked in the scope ${scope}, and nowhere else`, async () => {
        exchange.publisher({ id: 'pub-2', accountId: 'account-2', poolId: 'pool-2', domain: 'other.test' });
        exchange.pool({ id: 'pool-2', accountId: 'account-2' });
        await exchange.bidder(bids({ price: 2 }), { poolIds: ['pool-1', 'pool-2'] });
        rule({ scope });
        expect(await sold()).to.equal(null);
        const other = await sold(bannerRequest({ site: { id: 'pub-2', page: 'https://other.test/' } }));
        expect(other === null).to.equal(scope === 'exchange');
      });
    }

    for (const subject of ['creative', 'fingerprint'] as const) {
      it(`stay blocked by ${subject} once their crid brings other markup in each auction`, async () => {
        const bidder = await exchange.bidder(bids({ price: 2 }));
        rule({ subject, value: subject === 'creative' ? CREATIVE : FINGERPRINT });
        known({ dynamic: true }, creativeId({ dspId: 'dsp-1', crid: 'creative-1', fingerprint: '' }));
        expect(await sold()).to.equal(null);
        bidder.script = bids({ price: 2, adm: '<b>another</b>' });
        expect(await sold()).to.be.a('string');
      });

      it(`stay approved by ${subject} once their crid brings other markup in each auction`, async () => {
        const bidder = await exchange.bidder(bids({ price: 2 }), { creatives: 'dynamic' });
        mode('publisher:pub-1', 'reviewed');
        rule({ subject, value: subject === 'creative' ? CREATIVE : FINGERPRINT, decision: 'approve' });
        expect(await sold()).to.be.a('string');
        bidder.script = bids({ price: 2, adm: '<b>another</b>' });
        expect(await sold()).to.equal(null);
      });
    }

    it('are blocked though their demand source is removed before they are judged', async () => {
      const bidder = await exchange.bidder(bids({ price: 2 }));
      const { script } = bidder;
      bidder.script = (received, response) => {
        exchange.replica.remove('dsp', 'dsp-1');
        return script(received, response);
      };
      rule({ subject: 'advertiser', value: 'advertiser.test' });
      expect(await sold()).to.equal(null);
      expect(bidder.received).to.have.length(1);
    });

    it('leave the imp to the next bid, and tell the bidder the standard’s reason', async () => {
      const notice = { lurl: '' };
      const bidder = await exchange.bidder(bids({ price: 5 }), { id: 'dsp-1' });
      notice.lurl = `${bidder.origin}/lost?loss=\${AUCTION_LOSS}`;
      bidder.script = bids({ price: 5, ...notice });
      await exchange.bidder(bids({ price: 1, adm: '<b>another</b>' }), { id: 'dsp-2' });
      rule({});
      expect(await sold()).to.include('<b>another</b>');
      const [lost] = await bidder.waitForRequests('/lost');
      expect(lost!.path).to.equal('/lost?loss=202');
    });

    it('are not sold to who reviews them until they are approved, and can be found meanwhile', async () => {
      const bidder = await exchange.bidder(bids({ price: 2 }));
      bidder.script = bids({ price: 2, lurl: `${bidder.origin}/lost?loss=\${AUCTION_LOSS}` });
      mode('pool:pool-1', 'reviewed');
      expect(await sold()).to.equal(null);
      expect((await bidder.waitForRequests('/lost'))[0]!.path).to.equal('/lost?loss=201');
      const [{ id, body }] = await seenSome();
      expect(id).to.equal(CREATIVE);
      expect(body).to.include({ wins: 0, refusals: 1, markup: ADM });
      expect(body.formats).to.deep.equal(['banner']);
      rule({ decision: 'approve', scope: 'pool:pool-1' });
      expect(await sold()).to.be.a('string');
      bidder.script = bids({ price: 2, adm: '<b>swapped</b>' });
      expect(await sold(), 'other markup under the same crid is not what was approved').to.equal(null);
    });

    it('are sold to who takes scanned ones once a scan was clean', async () => {
      await exchange.bidder(bids({ price: 2 }));
      mode('publisher:pub-1', 'scanned');
      expect(await sold()).to.equal(null);
      known({ clean: true });
      expect(await sold()).to.be.a('string');
      known({ clean: false });
      expect(await sold()).to.equal(null);
      mode('publisher:pub-1', 'open');
      expect(await sold()).to.be.a('string');
    });

    it('are not sold to who takes scanned ones where a scan has seen one example of many', async () => {
      await exchange.bidder(bids({ price: 2 }), { creatives: 'dynamic' });
      const id = creativeId({ dspId: 'dsp-1', crid: 'creative-1', fingerprint: '' });
      known({ clean: true, dynamic: true }, id);
      mode('publisher:pub-1', 'scanned');
      expect(await sold()).to.equal(null);
      rule({ decision: 'approve', value: id });
      expect(await sold()).to.be.a('string');
    });

    it('are judged when their markup comes with the win notice', async () => {
      const bidder = await exchange.bidder(bids({ price: 1 }));
      bidder.script = bids({ price: 2, adm: undefined, nurl: `${bidder.origin}/bid-markup` });
      const script = bidder.script;
      bidder.script = (received, response) =>
        received.path === '/bid-markup' ? response.writeHead(200).end(ADM) : script(received, response);
      expect(await sold()).to.include(ADM);
      rule({});
      expect(await sold()).to.equal(null);
      expect(await losses()).to.deep.equal([['losses/creative-blocked', 1]]);
    });

    it('are those of an advertiser that a campaign does not name, by its landing page', async () => {
      const creative = {
        creative_id: 'c',
        html: ADM,
        width: 300,
        height: 250,
        landing_url: 'https://www.ford.com/new',
      };
      exchange.delegate([{ id: 'campaign-1', creative }]);
      expect(await sold()).to.be.a('string');
      rule({ subject: 'advertiser', value: 'ford.com' });
      expect(await sold()).to.equal(null);
      expect(await losses()).to.deep.equal([['losses/creative-blocked', 1]]);
    });

    it('are campaigns’ creatives, too', async () => {
      exchange.delegate([{ id: 'campaign-1' }]);
      await sold();
      const [{ id }] = await seenSome();
      rule({ value: id });
      expect(await sold()).to.equal(null);
      expect(await losses()).to.deep.equal([['losses/creative-blocked', 1]]);
    });
  });

  describe('that the exchange hosts', () => {
    const files = new Map<string, Buffer>();
    let reads = 0;
    const host = (markup: HostedMarkup): string => {
      const bytes = Buffer.from(JSON.stringify(markup));
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      files.set(sha256, bytes);
      return sha256;
    };
    beforeEach(() => {
      reads = 0;
      files.clear();
      exchange.creatives = {
        open: async (sha256) => {
          reads += 1;
          const bytes = files.get(sha256);
          if (bytes === undefined) return null;
          return { bytes: bytes.length, mimeType: 'application/json', read: async () => Readable.from([bytes]) };
        },
      };
    });
    const banner = (markup: string): HostedMarkup => ({ format: 'banner', markup, vastVersion: null });

    it('are served from its hosts from the second sale on, with their macros filled', async () => {
      await exchange.bidder(bids({ price: 2 }), { creatives: 'stable' });
      const hosted = host(
        banner(
          '<img src="${EXCHANGE_CREATIVES_URL}/creative/ab"><img src="https://t.test/?a=${AUCTION_ID}&b=${EXCHANGE_BID_ID}&p=${AUCTION_PRICE}&r=${EXCHANGE_CACHE_BUSTER}">',
        ),
      );
      known({ hosted });
      expect(await sold(), 'no auction waits for a file').to.include(ADM);
      const adm = (await sold(bannerRequest({ id: 'auction-2' })))!;
      expect(adm).to.not.include(ADM);
      expect(adm).to.match(/^<img src="https:\/\/edge\.test\/track\/impression/);
      expect(adm).to.match(
        /<img src="https:\/\/edge\.test\/creative\/ab"><img src="https:\/\/t\.test\/\?a=auction-2&b=bid-1&p=2&r=\d{10}">$/,
      );
      await sold();
      expect(reads, 'a file is read once').to.equal(1);
    });

    it('are served as they come where the file cannot be read', async () => {
      await exchange.bidder(bids({ price: 2 }));
      known({ hosted: 'c'.repeat(64) });
      for (let number = 0; number < 3; number++) expect(await sold()).to.include(ADM);
      expect(reads).to.equal(1);
      expect(exchange.logged.map(({ message }) => message)).to.deep.equal([
        'hosted markup could not be read: the creative is served as it comes',
      ]);
    });

    it('are served as they come where hosted markup would load insecurely and the imp must be secure', async () => {
      await exchange.bidder(bids({ price: 2 }));
      known({ hosted: host(banner('<img src="http://t.test/px">')) });
      const request = (secure: number) => bannerRequest({ imp: [{ id: '1', banner: { w: 300, h: 250 }, secure }] });
      await sold(request(0));
      expect(await sold(request(1))).to.include(ADM);
      expect(await sold(request(0))).to.include('http://t.test/px');
    });

    it('are served as they come where other markup is bid under the same crid', async () => {
      const bidder = await exchange.bidder(bids({ price: 2 }));
      known({ hosted: host(banner('<b>hosted</b>')) });
      await sold();
      expect(await sold()).to.include('<b>hosted</b>');
      bidder.script = bids({ price: 2, adm: '<b>other</b>' });
      expect(await sold()).to.include('<b>other</b>');
    });

    describe('as VAST', () => {
      const vast = (url: string) =>
        `<VAST version="3.0"><Ad id="1"><InLine><AdSystem>a</AdSystem><AdTitle>t</AdTitle><Impression><![CDATA[https://t.test/i]]></Impression><Creatives><Creative><Linear><Duration>00:00:15</Duration><MediaFiles><MediaFile delivery="progressive" type="video/mp4" width="640" height="360"><![CDATA[${url}]]></MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>`;
      const wrapper =
        '<VAST version="3.0"><Ad id="1"><Wrapper><AdSystem>a</AdSystem><VASTAdTagURI><![CDATA[https://a.test/vast]]></VASTAdTagURI><Impression><![CDATA[https://t.test/w]]></Impression></Wrapper></Ad></VAST>';
      const bid: ScriptedBid = { price: 2, adm: wrapper, mtype: 2 };
      const request = (protocols?: readonly number[]) =>
        bannerRequest({
          imp: [{ id: '1', video: { mimes: ['video/mp4'], w: 640, h: 360, ...(protocols && { protocols }) } }],
        });
      const id = creativeId({ dspId: 'dsp-1', crid: 'creative-1', fingerprint: fingerprintOf(wrapper) });

      it('are served unwrapped where the imp takes inline documents of the version', async () => {
        await exchange.bidder(bids(bid));
        const hosted = host({
          format: 'video',
          markup: vast('${EXCHANGE_CREATIVES_URL}/creative/ab'),
          vastVersion: '3.0',
        });
        known({ hosted }, id);
        expect(await sold(request())).to.include('https://a.test/vast');
        for (const protocols of [undefined, [3], [2, 3, 6]]) {
          const adm = (await sold(request(protocols)))!;
          expect(adm).to.include('https://edge.test/creative/ab').and.to.include('/track/impression');
          expect(adm).to.not.include('VASTAdTagURI');
        }
        expect(await sold(request([2, 6]))).to.include('https://a.test/vast');
      });
    });
  });
});
