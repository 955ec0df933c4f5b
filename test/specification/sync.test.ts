// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are macros of sync URLs
import { expect } from 'chai';
import { bids, noBid } from '../support/bidder.ts';
import { BROWSER_USER_AGENT } from '../support/browser.ts';
import { fullConsent, tcString } from '../support/consent-strings.ts';
import { eventually } from '../support/eventually.ts';
import { callJson } from '../support/exchange.ts';
import { againstExchange } from './against-exchange.ts';
import type { Market } from './market.ts';
import { shows } from './shows.ts';

const OUR_VENDOR_ID = 42;
const DOMAIN = 'exchange.example';

/** A browser's calls of the edge: with its cookie, and no step further than it is told. */
class Viewer {
  readonly #edgeUrl: string;
  cookie = '';

  constructor(edgeUrl: string) {
    this.#edgeUrl = edgeUrl;
  }

  async get(path: string, method = 'GET'): Promise<Response> {
    const url = path.startsWith('http') ? path : this.#edgeUrl + path;
    const headers = { 'User-Agent': BROWSER_USER_AGENT, ...(this.cookie !== '' && { Cookie: this.cookie }) };
    const response = await fetch(url, { method, headers, redirect: 'manual' });
    this.cookie = response.headers.get('set-cookie')?.split(';')[0] ?? this.cookie;
    return response;
  }
}

againstExchange(
  'cookie sync, consent and the supply chain',
  (exchange) => {
    let market: Market;
    before(async () => {
      const dsp = { user_sync_url: 'https://sync.buyer.example/match?back=${REDIRECT_URL}' };
      market = await exchange.market({ bidders: [{ script: bids({ price: 2 }), dsp }, { script: noBid() }] });
    });
    const viewer = () => new Viewer(exchange.running.edgeUrl);
    const buyer = () => market.bidders[0]!;
    /** Sent back by the buyer, with its id in the place of the macro. */
    const sentBack = (syncUrl: string, uid: string) =>
      new URL(syncUrl).searchParams.get('back')!.replace('${UID}', encodeURIComponent(uid));
    /** What the buyer is asked when this viewer's page asks for an ad. */
    const askedFor = async (browser: Viewer) => {
      const before = buyer().received.length;
      await browser.get(`/ad?publisher_id=${market.publisherId}&format=banner&w=300&h=250`);
      return buyer()
        .received.slice(before)
        .find(({ path }) => path.startsWith('/bid'))!.body;
    };

    shows(['edge.sync.pixel', 'edge.sync.buyeruid'], async () => {
      const browser = viewer();
      expect((await askedFor(browser)).user?.buyeruid).to.equal(undefined);
      const called = await browser.get(`/sync?type=pixel&publisher_id=${market.publisherId}`);
      expect(called.status).to.equal(302);
      const refused = await browser.get(sentBack(called.headers.get('location')!, 'not an id'));
      expect(refused.status).to.equal(400);
      const good = await browser.get(sentBack(called.headers.get('location')!, 'buyers-own-id'));
      expect([good.status, (await good.arrayBuffer()).byteLength]).to.deep.equal([200, 43]);
      expect((await askedFor(browser)).user.buyeruid).to.equal('buyers-own-id');
      expect((await askedFor(viewer())).user?.buyeruid, 'nobody else’s').to.equal(undefined);
    });

    shows('edge.sync.methods', async () => {
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        const called = await viewer().get(`/sync?type=pixel&publisher_id=${market.publisherId}`, method);
        expect(called.status, method).to.equal(302);
        expect(called.headers.get('location'), method).to.match(/^https:\/\/sync\.buyer\.example\/match\?/);
      }
    });

    shows('edge.sync.iframe', async () => {
      const browser = viewer();
      const page = await browser.get(`/sync?type=iframe&publisher_id=${market.publisherId}`);
      expect(page.headers.get('content-type')).to.match(/^text\/html/);
      const [, called] = /<img src="(https:\/\/sync\.buyer\.example[^"]+)"/.exec(await page.text())!;
      await browser.get(sentBack(called!, 'by-frame'));
      expect((await askedFor(browser)).user.buyeruid).to.equal('by-frame');
    });

    shows('edge.sync.consent', async () => {
      const set = async (query: string) => {
        const browser = viewer();
        const answer = await browser.get(`/sync/set?dsp=${buyer().dspId}&uid=x&${query}`);
        expect([answer.status, (await answer.arrayBuffer()).byteLength]).to.deep.equal([200, 43]);
        return browser.cookie !== '';
      };
      expect(await set('gdpr=0')).to.equal(true);
      expect(await set(`gdpr=1&gdpr_consent=${fullConsent(OUR_VENDOR_ID)}`)).to.equal(true);
      expect(await set('gdpr=1')).to.equal(false);
      expect(await set(`gdpr=1&gdpr_consent=${fullConsent(OUR_VENDOR_ID + 1)}`)).to.equal(false);
      expect(await set('us_privacy=1YYN')).to.equal(false);
      expect(await set('coppa=1')).to.equal(false);
    });

    shows('edge.sync.optout', async () => {
      const browser = viewer();
      await browser.get(`/sync/set?dsp=${buyer().dspId}&uid=forget-me`);
      await browser.get('/sync/optout');
      expect(JSON.stringify(await askedFor(browser))).to.not.contain('forget-me');
      const again = await browser.get(`/sync/set?dsp=${buyer().dspId}&uid=again`);
      expect([again.status, again.headers.get('set-cookie')]).to.deep.equal([200, null]);
    });

    shows('edge.sync.redirect', async () => {
      const to = (redirect: string) =>
        viewer().get(`/sync?dsp=${buyer().dspId}&uid=x&redirect=${encodeURIComponent(redirect)}`);
      const home = await to('https://sync.buyer.example/done');
      expect([home.status, home.headers.get('location')]).to.deep.equal([302, 'https://sync.buyer.example/done']);
      for (const redirect of ['https://evil.example/', '//evil.example', 'https://sync.buyer.example@evil.example/']) {
        expect((await to(redirect)).status, redirect).to.equal(400);
      }
    });

    const device = {
      ua: BROWSER_USER_AGENT,
      ip: '203.0.113.77',
      ifa: '8f1c2ad0-1111-4222-8333-123456789abc',
      geo: { lat: 52.520008, lon: 13.404954 },
    };
    const told = async (fields: object) => {
      const request = market.request({ device, ...fields });
      const answer = await callJson('POST', `${exchange.running.edgeUrl}/rtb`, request);
      expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
      return buyer().asked(request.id)!.body;
    };

    shows('edge.consent.disclosed', async () => {
      const consented = { vendors: [OUR_VENDOR_ID], purposes: [1, 2, 3, 4], specialFeatures: [1] };
      const addressTold = async (said: object): Promise<string> => {
        const consent = tcString({ ...consented, ...said });
        return (await told({ regs: { gdpr: 1 }, user: { consent } })).device.ip;
      };
      const cut = '203.0.113.0';
      expect(await addressTold({}))
        .to.equal(device.ip)
        .and.not.equal(cut);
      expect(await addressTold({ disclosed: null }), 'no list').to.equal(cut);
      expect(await addressTold({ disclosed: [] }), 'an empty list').to.equal(cut);
      expect(await addressTold({ disclosed: [41, 43] }), 'a list without us').to.equal(cut);
      const updated = new Date('2026-02-27T00:00:00Z');
      expect(await addressTold({ disclosed: null, updated }), 'made before').to.equal(device.ip);
    });

    shows('edge.consent.truncated', async () => {
      const consented = await told({ regs: { gdpr: 1 }, user: { consent: fullConsent(OUR_VENDOR_ID) } });
      expect(consented.device).to.deep.equal(device);
      const refused = await told({ regs: { gdpr: 1 }, user: { id: 'user-id-12345' } });
      expect(refused.device).to.deep.equal({
        ua: BROWSER_USER_AGENT,
        ip: '203.0.113.0',
        geo: { lat: 52.52, lon: 13.4 },
      });
      expect(refused.user).to.not.have.property('id');
      expect(refused.regs).to.deep.equal({ gdpr: 1 });
      await eventually('the operator to see it', async () => {
        const metrics = await (await fetch(`${exchange.running.opsUrl}/metrics`)).text();
        return /exchange_privacy_withheld_requests_total\{environment="live",reason="gdpr"\} [1-9]/.test(metrics);
      });
    });

    shows('edge.schain', async () => {
      const { source, site, id } = await told({});
      const { sellers } = (await exchange.get('/sellers.json')).body;
      const seller = sellers.find(({ seller_id }: { seller_id: string }) => seller_id === market.publisherId);
      const node = { asi: DOMAIN, sid: seller.seller_id, rid: id, hp: 1 };
      // Nothing has read the source's ads.txt: the chain may not begin with the owner.
      expect(source.schain).to.deep.equal({ complete: 0, ver: '1.0', nodes: [node] });
      const { seller_id: sellerId, name, domain } = seller;
      expect(site.publisher).to.deep.equal({ id: sellerId, name, domain, ext: { verified: 0 } });
    });
  },
  { environment: { TCF_VENDOR_ID: String(OUR_VENDOR_ID), EXCHANGE_DOMAIN: DOMAIN } },
);
