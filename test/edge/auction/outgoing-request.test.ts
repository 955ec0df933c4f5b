import { expect } from 'chai';
import { OutgoingBidRequest } from '#edge/auction/outgoing-request';
import type { AuctionContext } from '#edge/auction-context';
import { UNKNOWN_VIEWER } from '#edge/viewer/viewer';
import { DEFAULT_EDGE_SETTINGS } from '#gateways/edge/settings';
import { noBid, type ScriptedBidder } from '../../support/bidder.ts';
import { BROWSER_USER_AGENT } from '../../support/browser.ts';
import { fullConsent } from '../../support/consent-strings.ts';
import { bannerRequest, EdgeUnderTest } from '../../support/edge.ts';

const OURS = 42;
const CHAIN = { complete: 0, ver: '1.0', nodes: [{ asi: 'reseller.example', sid: '7', hp: 1 }] };
const VIEWER = {
  device: {
    ua: BROWSER_USER_AGENT,
    ip: '203.0.113.7',
    ifa: '8f1c2ad0-1111-4222-8333-123456789abc',
    geo: { lat: 52.520008, lon: 13.404954 },
  },
  user: { id: 'user-id-12345' },
};

const edge = new EdgeUnderTest({
  ...DEFAULT_EDGE_SETTINGS,
  bidders: { ...DEFAULT_EDGE_SETTINGS.bidders, allowPrivateNetworks: true },
  exchangeDomain: 'exchange.example',
  privacy: { vendorId: OURS, truncateWithoutConsent: true },
});
const bidders: ScriptedBidder[] = [];
let requests = 0;

/** What both bidders were asked by one ad request, the one of 2.5 first. */
async function asked(fields: object, headers: Record<string, string> = {}) {
  const id = `outgoing-${++requests}`;
  const response = await edge.post(bannerRequest({ id, ...fields }), headers);
  expect(response.status, await response.text()).to.equal(204);
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever was sent
  return bidders.map(({ received }) => received.find(({ body }) => body?.id === id)!.body as any);
}

describe('a request on its way to bidders', () => {
  before(async () => {
    await edge.start();
    bidders.push(await edge.bidder(noBid(), { id: 'dsp-old', openrtbVersion: '2.5' }));
    bidders.push(await edge.bidder(noBid(), { id: 'dsp-new', openrtbVersion: '2.6' }));
    edge.publisher({ id: 'pub-app', type: 'mobile', domain: 'com.example.app', name: 'An app' });
    edge.publisher({ id: 'pub-reseller', sellerType: 'INTERMEDIARY', name: 'A reseller', domain: 'reseller.example' });
    edge.publisher({ id: 'pub-hidden', confidential: true, name: 'Not told' });
    edge.publisher({ id: 'pub-verified', domain: 'verified.example', identities: ['other.example'], name: 'Verified' });
    const verified = { id: 'pub-verified', domain: 'verified.example' };
    edge.replica.put('verification', verified);
  });
  after(() => edge.close());

  describe('has our link in its supply chain', () => {
    const link = (sid: string) => ({ asi: 'exchange.example', sid, rid: `outgoing-${requests}`, hp: 1 });

    it('which begins complete with a seller whose ads.txt lists the exchange', async () => {
      const [older, newer] = await asked({ site: { id: 'pub-verified' } });
      const chain = { complete: 1, ver: '1.0', nodes: [link('pub-verified')] };
      expect(older.source).to.deep.equal({ ext: { schain: chain } });
      expect(newer.source).to.deep.equal({ schain: chain });
    });

    it('which begins incomplete with a seller who is not verified, or not for the site that is named', async () => {
      for (const site of [{ id: 'pub-1' }, { id: 'pub-verified', domain: 'other.example' }]) {
        const [, newer] = await asked({ site });
        expect(newer.source.schain).to.deep.equal({ complete: 0, ver: '1.0', nodes: [link(site.id)] });
        expect(newer.site.publisher.ext).to.deep.equal({ verified: 0 });
      }
    });

    it('which begins incomplete with one who resells it', async () => {
      const [, newer] = await asked({ site: { id: 'pub-reseller' } });
      expect(newer.source.schain).to.deep.equal({ complete: 0, ver: '1.0', nodes: [link('pub-reseller')] });
    });

    for (const [where, source] of [
      ['2.5', { tid: 't', ext: { schain: CHAIN } }],
      ['2.6', { tid: 't', schain: CHAIN }],
    ] as const) {
      it(`after those that came in, where ${where} has them, as complete as they were`, async () => {
        const [older, newer] = await asked({ source });
        const chain = { ...CHAIN, nodes: [...CHAIN.nodes, link('pub-1')] };
        expect(older.source).to.deep.equal({ tid: 't', ext: { schain: chain } });
        expect(newer.source).to.deep.equal({ tid: 't', schain: chain });
      });
    }
  });

  describe('tells who sells', () => {
    it('a site, where it said nothing itself', async () => {
      for (const { site } of await asked({ site: { id: 'pub-1', page: 'https://site.test/a' } })) {
        expect(site).to.deep.include({
          domain: 'site.test',
          publisher: { id: 'pub-1', name: 'A site', domain: 'site.test', ext: { verified: 0 } },
        });
      }
    });

    it('an app, whose bundle is no domain', async () => {
      for (const { app } of await asked({ site: undefined, app: { id: 'pub-app' } })) {
        expect(app).to.deep.equal({
          id: 'pub-app',
          bundle: 'com.example.app',
          publisher: { id: 'pub-app', name: 'An app', ext: { verified: 0 } },
        });
      }
    });

    it('by what it is registered with, whatever the caller says of name, domain and verification', async () => {
      const publisher = { id: 'own-id', name: 'BBC', domain: 'bbc.test', cat: ['IAB1'], ext: { a: 1, verified: 1 } };
      const shown = { id: 'pub-1', name: 'A site', domain: 'site.test', cat: ['IAB1'], ext: { a: 1, verified: 0 } };
      for (const { site } of await asked({ site: { id: 'pub-1', domain: 'www.site.test', publisher } })) {
        expect(site).to.deep.equal({ id: 'pub-1', domain: 'www.site.test', publisher: shown });
      }
    });

    it('but not whose inventory it is, where the seller resells it, nor what sellers.json keeps to itself', async () => {
      for (const { site } of await asked({ site: { id: 'pub-reseller' } })) {
        const publisher = { id: 'pub-reseller', name: 'A reseller', domain: 'reseller.example', ext: { verified: 0 } };
        expect(site).to.deep.equal({ id: 'pub-reseller', publisher });
      }
      const claimed = { name: 'Claimed', domain: 'claimed.example' };
      for (const { site } of await asked({ site: { id: 'pub-hidden', publisher: claimed } })) {
        expect(site).to.deep.equal({ id: 'pub-hidden', publisher: { id: 'pub-hidden', ext: { verified: 0 } } });
      }
    });
  });

  describe('of a viewer', () => {
    it('who consented, holds everything', async () => {
      const consent = fullConsent(OURS);
      const [older, newer] = await asked({ ...VIEWER, user: { ...VIEWER.user, consent }, regs: { gdpr: 1 } });
      expect(newer).to.deep.include({ device: VIEWER.device, user: { ...VIEWER.user, consent } });
      expect(older).to.deep.include({ device: VIEWER.device, user: { ...VIEWER.user, ext: { consent } } });
      expect(older.regs).to.deep.equal({ ext: { gdpr: 1 } });
    });

    it('who did not, holds no id, exact place or whole address; counted by reason', async () => {
      const before = await edge.counted('publisher', 'pub-1');
      for (const { device, user } of await asked({ ...VIEWER, regs: { ext: { gdpr: 1 } } })) {
        expect(device).to.deep.equal({ ua: BROWSER_USER_AGENT, ip: '203.0.113.0', geo: { lat: 52.52, lon: 13.4 } });
        expect(user).to.deep.equal({});
      }
      await asked({ ...VIEWER, regs: { coppa: 1, us_privacy: '1YYN' } });
      const counts = await edge.counted('publisher', 'pub-1');
      for (const reason of ['gdpr', 'coppa', 'us-privacy']) {
        expect(counts[`privacy/${reason}`], reason).to.equal((before[`privacy/${reason}`] ?? 0) + 1);
      }
    });

    it('carries every signal, wherever it was given', async () => {
      const { gpp, ...privacy } = { gdpr: 0, us_privacy: '1YNN', gpp: 'DBAA', gpp_sid: [-1] };
      const eids = [{ source: 'id.example', uids: [{ id: 'eid-value-12345' }] }];
      const all = { ...privacy, gpp };
      for (const fields of [
        { regs: { coppa: 0, ...all }, user: { consent: 'C', eids } },
        { regs: { coppa: 0, ext: all }, user: { ext: { consent: 'C', eids } } },
      ]) {
        const [older, newer] = await asked({
          ...fields,
          device: { ua: BROWSER_USER_AGENT, ip: '203.0.113.9', lmt: 0, dnt: 0 },
          test: 0,
        });
        expect(older).to.deep.include({ regs: { coppa: 0, ext: all }, user: { ext: { consent: 'C', eids } }, test: 0 });
        expect(newer).to.deep.include({ regs: { coppa: 0, ...all }, user: { consent: 'C', eids }, test: 0 });
        for (const { device } of [older, newer]) expect(device).to.deep.include({ lmt: 0, dnt: 0 });
      }
    });

    it('tells on that a browser asks for Global Privacy Control', async () => {
      for (const fields of [{}, { regs: { coppa: 0, ext: { us_privacy: '1YNN' } } }]) {
        const [older, newer] = await asked(fields, { 'sec-gpc': '1' });
        expect(older.regs.ext.gpc).to.equal('1');
        expect(newer.regs).to.deep.equal({ ...(fields.regs && { coppa: 0, us_privacy: '1YNN' }), ext: { gpc: '1' } });
      }
    });

    it('has no less about the viewer in the sandbox', async () => {
      const box = await edge.bidder(noBid(), { id: 'dsp-box', status: 'sandbox' });
      await edge.post(bannerRequest({ id: 'sandboxed', regs: { gdpr: 1 } }), { 'x-sandbox': 'true' });
      const { source, device } = box.received.find(({ body }) => body?.id === 'sandboxed')!.body;
      expect(source.schain.nodes).to.deep.equal([{ asi: 'exchange.example', sid: 'pub-1', rid: 'sandboxed', hp: 1 }]);
      expect(device.ip).to.match(/\.0$/);
      expect((await edge.counted('publisher', 'pub-1', true))['privacy/gdpr']).to.equal(1);
    });

    it('is not passed on under the id that the caller has of the viewer for us', async () => {
      for (const { user } of await asked({ user: { id: 'user-id-12345', buyeruid: 'for us' } })) {
        expect(user).to.deep.equal({ id: 'user-id-12345' });
      }
    });
  });

  describe('of a browser that was synced', () => {
    let cookie = '';
    let userId = '';
    before(async () => {
      const uid = encodeURIComponent('old "uid" $& \\x'.replaceAll(' ', '_'));
      const first = await edge.get(`/sync/set?dsp=dsp-old&uid=${uid}`);
      cookie = first.headers.get('set-cookie')!.split(';')[0]!;
      userId = cookie.split('=')[1]!.split('/')[0]!;
    });

    it('holds its id for the buyer that knows it, and ours, and nothing of the viewer for others', async () => {
      const [older, newer] = await asked({}, { cookie });
      expect(older.user).to.deep.equal({ id: userId, buyeruid: 'old_"uid"_$&_\\x' });
      expect(newer.user).to.deep.equal({});
    });

    it('keeps what else the request says of the user', async () => {
      const [older, newer] = await asked({ user: { id: 'of the caller', yob: 1980, ext: { own: 1 } } }, { cookie });
      expect(older.user).to.deep.equal({
        id: 'of the caller',
        yob: 1980,
        ext: { own: 1 },
        buyeruid: 'old_"uid"_$&_\\x',
      });
      expect(newer.user).to.deep.equal({ id: 'of the caller', yob: 1980, ext: { own: 1 } });
    });

    it('has our id in the place of an empty one', async () => {
      const [older] = await asked({ user: { id: '', yob: 1980 } }, { cookie });
      expect(older.user).to.deep.equal({ id: userId, yob: 1980, buyeruid: 'old_"uid"_$&_\\x' });
    });

    it('is known by a tag, too', async () => {
      const before = bidders[0]!.received.length;
      await edge.get('/ad?publisher_id=pub-1&format=banner&w=300&h=250', {
        cookie,
        'user-agent': BROWSER_USER_AGENT,
      });
      expect(bidders[0]!.received[before]?.body.user).to.deep.equal({ id: userId, buyeruid: 'old_"uid"_$&_\\x' });
    });

    for (const [what, fields, headers] of [
      ['GDPR without consent', { regs: { gdpr: 1 } }, {}],
      ['limited tracking', { device: { ua: BROWSER_USER_AGENT, lmt: 1 } }, {}],
      ['a child', { regs: { coppa: 1 } }, {}],
      ['Global Privacy Control', {}, { 'sec-gpc': '1' }],
      ['an opt-out', {}, { cookie: 'viewer=optout' }],
    ] as const) {
      it(`is unknown with ${what}`, async () => {
        for (const body of await asked(fields, { cookie, ...headers })) {
          expect(JSON.stringify(body)).to.not.contain(userId).and.not.contain('uid"_$');
        }
      });
    }
  });

  it('has its viewer’s ids erased once, whatever the number of bodies', () => {
    let reads = 0;
    const site = {
      id: 'pub-1',
      get page() {
        reads += 1;
        return `https://site.test/?u=${VIEWER.device.ifa}`;
      },
    };
    const request = { id: 'r', imp: [{ id: '1', banner: { w: 300, h: 250 } }], site, ...VIEWER };
    const privacy = { treatment: 'child', reasons: [] };
    const publisher = edge.replica.get('publisher', 'pub-1')!;
    const context = { request, publisher, pool: null, viewer: UNKNOWN_VIEWER, privacy } as unknown as AuctionContext;
    const outgoing = new OutgoingBidRequest(context, { exchangeDomain: 'exchange.example', blockedCategories: [] });
    const first = outgoing.body('2.6', 100, 'dsp').toString();
    expect(JSON.parse(first).site.page).to.equal('https://site.test/?u=');
    const once = reads;
    for (let tmaxMs = 50; tmaxMs < 100; tmaxMs++) {
      for (const dialect of ['2.5', '2.6'] as const) outgoing.body(dialect, tmaxMs, 'dsp');
    }
    expect(reads).to.equal(once);
  });
});
