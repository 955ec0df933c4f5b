// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are macros of sync URLs
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { againstExchange } from '../../specification/against-exchange.ts';
import { dspMetric } from '../../specification/facts.ts';
import type { Market } from '../../specification/market.ts';
import { bids, noBid, type Script, silent } from '../../support/bidder.ts';
import { launchChromium } from '../../support/chromium.ts';
import { fullConsent } from '../../support/consent-strings.ts';
import { eventually } from '../../support/eventually.ts';
import { type PublisherSite, startPublisherSite } from '../../support/publisher-site.ts';
import { PrebidPage, prebidScript } from './prebid-page.ts';

const BANNER = { banner: { sizes: [[300, 250]] } };
const GPP = 'DBABMA~CPXxRfAPXxRfAAfKABENB-CgAAAAAAAAAAYgAAAAAAAA';
const OUR_VENDOR_ID = 42;
const CHAIN = { ver: '1.0', complete: 1, nodes: [{ asi: 'reseller.example', sid: '7', hp: 1 }] };

/** The exchange's own rates: a euro is two dollars. */
const RATES = join(mkdtempSync(join(tmpdir(), 'prebid-rates-')), 'rates.json');
writeFileSync(RATES, JSON.stringify({ dataAsOf: new Date().toISOString(), conversions: { EUR: { USD: 2 } } }));

/** What of a page's Prebid.js reaches bidders, and what of the exchange reaches it. */
againstExchange(
  'Prebid.js: what is asked and told',
  (exchange) => {
    let browser: Browser;
    let site: PublisherSite;
    let page: PrebidPage;

    before(async function () {
      browser = await launchChromium(this);
      site = await startPublisherSite();
      site.files.set('/prebid.js', prebidScript());
    });
    after(async () => {
      await browser?.close();
      await site?.close();
      await rm(dirname(RATES), { recursive: true });
    });
    beforeEach(async () => {
      page = await PrebidPage.open(browser, site);
      await page.configure({ adexchange: { host: exchange.running.edgeUrl.replace('http://', '') } });
    });
    afterEach(() => page.close());

    const unit = ({ publisherId }: Market, more: object = {}) => ({
      code: 'top',
      mediaTypes: BANNER,
      bids: [{ bidder: 'adexchange', params: { publisherId, placementId: 'above-the-fold' } }],
      ...more,
    });
    const asked = ({ bidders }: Market) => bidders[0]!.received.findLast(({ path }) => path === '/bid')!.body;

    it('carries the page, first-party data, the supply chain and ids to bidders', async () => {
      const market = await exchange.market({ bidders: [{ script: noBid() }] });
      const ids = [{ source: 'ids.example', uids: [{ id: 'someone', atype: 1 }] }];
      await page.configure({
        ortb2: {
          site: {
            cat: ['IAB12'],
            keywords: 'news',
            publisher: { id: 'the-publishers-own' },
            content: { genre: 'news' },
          },
          user: { data: [{ name: 'segments.example', segment: [{ id: '9' }] }] },
          bcat: ['IAB25'],
          badv: ['rival.example'],
          source: { ext: { schain: CHAIN } },
        },
        userSync: { userIds: [{ name: 'pubProvidedId', params: { eids: ids } }], auctionDelay: 1_000 },
      });
      const data = { ortb2Imp: { instl: 1, pmp: { deals: [{ id: 'deal-1', bidfloor: 1 }] } } };
      await page.auction([unit(market, data)]);
      const request = asked(market);
      expect(request.site).to.deep.include({ page: `${site.origin}/article`, cat: ['IAB12'], keywords: 'news' });
      expect(request.site.publisher.id).to.equal(market.publisherId);
      expect(request.imp[0]).to.include({ tagid: 'above-the-fold', instl: 1 });
      expect(request.imp[0].pmp.deals[0].id).to.equal('deal-1');
      expect(request.bcat).to.include('IAB25');
      expect(request.badv).to.include('rival.example');
      const chain = request.source.schain ?? request.source.ext.schain;
      expect(chain.nodes[0]).to.include({ asi: 'reseller.example', sid: '7' });
      expect(chain.nodes, 'with the exchange’s own').to.have.length(2);
      expect(request.user.data[0].name).to.equal('segments.example');
      expect((request.user.eids ?? request.user.ext.eids)[0].source).to.equal('ids.example');
      expect(request.device).to.include.keys('ua', 'ip', 'language');
      const sent = page.calls('/rtb')[0]!;
      expect(sent.method()).to.equal('POST');
      expect(sent.headers()['content-type']).to.match(/^text\/plain/);
      expect(
        page.requests.filter((one) => one.method() === 'OPTIONS'),
        'preflights',
      ).to.have.length(0);
    });

    it('carries what the viewer allows', async () => {
      const market = await exchange.market({ bidders: [{ script: noBid() }] });
      const tcData = { tcString: fullConsent(OUR_VENDOR_ID), gdprApplies: true, cmpId: 31, vendorData: {} };
      await page.run(`
        window.__tcfapi = (command, version, callback) => callback({ ...${JSON.stringify(tcData)}, eventStatus: 'tcloaded', listenerId: 1 }, true);
        window.__gpp = (command, callback) => {
          const pingData = { gppVersion: '1.1', signalStatus: 'ready', cmpStatus: 'loaded', gppString: '${GPP}', applicableSections: [2], supportedAPIs: ['2:tcfeuv2'], parsedSections: {} };
          callback(command === 'ping' ? pingData : { eventName: 'signalStatus', data: 'ready', pingData }, true);
        };
        Object.defineProperty(navigator, 'globalPrivacyControl', { value: true });
      `);
      await page.configure({
        coppa: true,
        consentManagement: { gdpr: { cmpApi: 'iab', timeout: 5_000 }, gpp: { cmpApi: 'iab', timeout: 5_000 } },
      });
      await page.auction([unit(market)]);
      const { regs, user } = asked(market);
      expect(regs).to.include({ coppa: 1, gpp: GPP });
      expect(regs.gpp_sid).to.deep.equal([2]);
      expect(regs.gdpr ?? regs.ext.gdpr).to.equal(1);
      expect(user.consent ?? user.ext.consent).to.equal(tcData.tcString);
      expect(String(regs.ext.gpc)).to.equal('1');
    });

    it('asks for the floor of what it offers, and gets no bid below it', async () => {
      const market = await exchange.market({ bidders: [{ script: bids({ price: 2 }) }] });
      const floors = (values: object) => ({
        floors: { data: { currency: 'USD', schema: { fields: ['mediaType', 'size'] }, values } },
      });
      await page.configure(floors({ 'banner|300x250': 1.5, 'video|*': 9, '*|*': 7 }));
      const [bid] = await page.auction([unit(market)]);
      expect(bid).to.include({ cpm: 2 });
      expect(asked(market).imp[0]).to.include({ bidfloor: 1.5, bidfloorcur: 'USD' });
      await page.configure(floors({ 'banner|300x250': 2.5, '*|*': 7 }));
      expect(await page.auction([unit(market)])).to.deep.equal([]);
      expect(asked(market).imp[0].bidfloor).to.equal(2.5);
      expect(await page.heard('bidRejected'), 'by the page, after the exchange').to.equal(false);
    });

    it('trades in the ad server’s currency with the currency module', async () => {
      const market = await exchange.market({ bidders: [{ script: bids({ price: 2 }) }] });
      const values = { 'banner|300x250': 0.75 };
      await page.configure({
        currency: { adServerCurrency: 'EUR', rates: { USD: { EUR: 0.5 } }, granularityMultiplier: 1 },
        floors: { data: { currency: 'EUR', schema: { fields: ['mediaType', 'size'] }, values } },
      });
      const [bid] = await page.auction([unit(market)]);
      expect(bid).to.include({ currency: 'EUR', cpm: 1 });
      // A bidder that bids in euros: the exchange converts, and the page converts back.
      market.bidders[0]!.script = bids({ price: 1.5, cur: 'EUR' });
      const rates = async () => (await exchange.get('/api/currency-rates')).body;
      await eventually('the rates to be in use', async () => (await rates()).in_use);
      const inEuros = await eventually('the edge to have them', async () => (await page.auction([unit(market)]))[0]);
      expect(inEuros).to.include({ currency: 'EUR', cpm: 1.5, originalCurrency: 'USD', originalCpm: 3 });
      expect(asked(market).cur).to.deep.equal(['USD', 'EUR']);
      market.bidders[0]!.script = bids({ price: 2 });
      const sent = JSON.parse(page.calls('/rtb')[0]!.postData()!);
      expect(sent.cur).to.deep.equal(['EUR', 'USD']);
      expect(sent.imp[0]).to.include({ bidfloor: 1.5, bidfloorcur: 'USD' });
      await page.configure({
        floors: { data: { currency: 'EUR', schema: { fields: ['mediaType'] }, values: { banner: 1.5 } } },
      });
      expect(await page.auction([unit(market)]), 'below 1.50 EUR').to.deep.equal([]);
    });

    it('tells the exchange of answers that came too late', async () => {
      const market = await exchange.market({ bidders: [{ script: noBid() }] });
      market.bidders[0]!.script = silent();
      // The page gives up at once; the exchange waits for its bidder.
      const units = [unit(market), unit(market, { code: 'bottom' })];
      expect(await page.auction(units, 1)).to.deep.equal([]);
      expect(await page.heard('bidTimeout')).to.equal(true);
      const funnel = async () => (await exchange.get(`/api/supply/sources/${market.publisherId}/funnel`)).body;
      await eventually('the funnel to show it', async () => (await funnel()).caller_timeouts === 2);
      expect(page.calls('/track/timeout'), 'one report of an auction').to.have.length(1);
    });

    it('says in the console why it was refused', async () => {
      await page.configure({ debug: true });
      const publisherId = '00000000-0000-4000-8000-0000000000ff';
      expect(await page.auction([unit({ publisherId } as Market)])).to.deep.equal([]);
      expect(await page.heard('bidderError')).to.equal(true);
      await eventually('the console', () =>
        page.said.some((line) => line.includes('adexchange: status 403 FORBIDDEN')),
      );
    });

    describe('user syncs', () => {
      const FRAMES = `document.querySelectorAll('iframe[src*="/sync?"]').length`;
      /** A buyer that bids on nothing, and sends browsers back with its own id. */
      const buyer: Script = ({ path }, response) => {
        const back = new URL(path, 'http://buyer.test').searchParams.get('back');
        if (back === null) response.writeHead(204).end();
        else response.writeHead(302, { location: back.replace('${UID}', 'buyers-own-id') }).end();
      };
      const syncedMarket = async () => {
        const market = await exchange.market({ bidders: [{ script: buyer }] });
        const { dspId, origin } = market.bidders[0]!;
        const user_sync_url = `${origin}/bid/sync?back=\${REDIRECT_URL}`;
        expect((await exchange.call('PUT', `/api/demand/sources/${dspId}`, { user_sync_url })).status).to.equal(200);
        const synced = `${exchange.running.edgeUrl}/sync?type=pixel&publisher_id=${market.publisherId}`;
        await eventually(
          'the edge to know where',
          async () => (await fetch(synced, { redirect: 'manual' })).status === 302,
        );
        return market;
      };
      const enabled = (type: 'iframe' | 'image') => {
        const other = type === 'iframe' ? 'image' : 'iframe';
        const filterSettings = {
          [type]: { bidders: '*', filter: 'include' },
          [other]: { bidders: '*', filter: 'exclude' },
        };
        return { userSync: { filterSettings, enableOverride: true } };
      };

      for (const [type, form] of [
        ['iframe', 'iframe'],
        ['image', 'pixel'],
      ] as const) {
        it(`match the buyers’ ids by ${type}`, async () => {
          const market = await syncedMarket();
          await page.configure(enabled(type));
          await page.auction([unit(market)]);
          await page.run('pbjs.triggerUserSyncs()');
          if (type === 'iframe') expect(await page.run(FRAMES)).to.equal(1);
          await market.bidders[0]!.waitForRequests('/bid/sync');
          await eventually('the match', async () => {
            return (
              (await dspMetric(
                exchange,
                market.bidders[0]!.dspId,
                'exchange_dsp_user_syncs_total',
                'outcome="matched"',
              )) === 1
            );
          });
          const [call, ...more] = page.calls('/sync');
          expect(more).to.deep.equal([]);
          const { searchParams } = new URL(call!.url());
          expect(Object.fromEntries(searchParams)).to.deep.equal({ type: form, publisher_id: market.publisherId });
          expect(call!.resourceType()).to.equal(type === 'iframe' ? 'document' : 'image');
        });
      }

      it('are not made of children', async () => {
        const market = await syncedMarket();
        await page.configure({ ...enabled('iframe'), coppa: true });
        await page.auction([unit(market)]);
        await page.run('pbjs.triggerUserSyncs()');
        expect(await page.run(FRAMES)).to.equal(0);
        expect(page.calls('/sync')).to.deep.equal([]);
      });
    });
  },
  {
    environment: {
      TCF_VENDOR_ID: String(OUR_VENDOR_ID),
      EXCHANGE_DOMAIN: 'exchange.example',
      CURRENCY_RATES_URL: pathToFileURL(RATES).href,
    },
  },
);
