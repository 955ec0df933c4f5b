import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { bids } from '../support/bidder.ts';
import { BROWSER_USER_AGENT } from '../support/browser.ts';
import { launchChromium } from '../support/chromium.ts';
import { tcString } from '../support/consent-strings.ts';
import { eventually } from '../support/eventually.ts';
import { type PublisherSite, startPublisherSite } from '../support/publisher-site.ts';
import { againstExchange } from './against-exchange.ts';
import type { Market } from './market.ts';

const BANNER = '<b style="display:block;width:300px;height:250px;background:#123a7c">An ad</b>';
/** A viewer's choice in which no purpose has consent. */
const REFUSAL = tcString({});
const TEN_SECONDS = { timeoutMs: 10_000 };

/** A page's consent platform, whose viewer refuses. */
const PLATFORM = `<script>
  window.__tcfapi = (command, version, told, parameter) => command === 'addEventListener' &&
    told({ gdprApplies: true, tcString: '${REFUSAL}', eventStatus: 'tcloaded', listenerId: 7, purpose: { consents: {} } }, true);
  window.__gpp = (command, told, parameter) => command === 'addEventListener' &&
    told({ eventName: 'listenerRegistered', listenerId: 8, pingData: { gppString: 'DBAA', applicableSections: [7], signalStatus: 'ready' } }, true);
  window.__uspapi = (command, version, told) => told({ version: 1, uspString: '1YYN' }, true);
</script>`;
/**
 * What lets frames call the platform: the locator frames, and answers to messages as TCF 2, GPP 1.1 and US Privacy 1
 * define them. `commands` lists what was sent.
 */
const MESSAGES = `<script>
  window.commands = [];
  window.calls = {
    __tcfapi: (sent, told) => __tcfapi(sent.command, sent.version, told, sent.parameter),
    __gpp: (sent, told) => __gpp(sent.command, told, sent.parameter, sent.version),
    __uspapi: (sent, told) => __uspapi(sent.command, sent.version, told),
  };
  for (const name of Object.keys(calls)) {
    const locator = document.createElement('iframe');
    locator.name = name + 'Locator';
    locator.hidden = true;
    document.body.append(locator);
  }
  addEventListener('message', ({ data, source }) => {
    for (const name of Object.keys(calls)) {
      const sent = data[name + 'Call'];
      if (!sent) continue;
      commands.push([name, sent.command, sent.version, sent.parameter]);
      calls[name](sent, (returnValue, success) => {
        const answer = { [name + 'Return']: { returnValue, success, callId: sent.callId } };
        source.postMessage(window.asJson ? JSON.stringify(answer) : answer, '*');
      });
    }
  });
</script>`;

againstExchange(
  'the consent that the JS tag finds',
  (exchange) => {
    let browser: Browser;
    let site: PublisherSite;
    /** The origin of frames that an ad server writes. */
    let adServer: PublisherSite;
    let market: Market;
    let page: Page;

    before(async function () {
      browser = await launchChromium(this);
      site = await startPublisherSite();
      adServer = await startPublisherSite();
      market = await exchange.market({ bidders: [{ script: bids({ price: 2.5, adm: BANNER }) }] });
    });
    after(async () => {
      await browser?.close();
      await site?.close();
      await adServer?.close();
    });
    beforeEach(async () => {
      page = await browser.newPage({ userAgent: BROWSER_USER_AGENT, viewport: { width: 800, height: 900 } });
    });
    afterEach(() => page.close());

    const tagged = (attributes = '') =>
      `<script async src="${exchange.running.edgeUrl}/tag.js"></script>` +
      `<div id="top" data-ad-publisher="${market.publisherId}" ${attributes}></div>`;
    const frame = (url: string) => `<iframe name="ad" width="400" height="400" src="${url}"></iframe>`;
    const document = (body: string) => `<!doctype html><body>${body}`;
    const bidRequests = () => market.bidders[0]!.received.filter(({ path }) => path.startsWith('/bid'));
    /** The parameters of the one ad request of a page, and the device that its bidder was told of. */
    const asked = async (html: string) => {
      const { length } = bidRequests();
      const request = page.waitForRequest((one) => one.url().startsWith(`${exchange.running.edgeUrl}/ad?`));
      await page.goto(site.page('/story', document(html)));
      const url = (await request).url();
      await eventually('the bidder to be asked', () => bidRequests().length > length, TEN_SECONDS);
      const query = Object.fromEntries(new URL(url).searchParams);
      return { query, device: bidRequests().at(-1)!.body.device as { ip: string } };
    };
    const refused = { gdpr: '1', gdpr_consent: REFUSAL, gpp: 'DBAA', gpp_sid: '7', us_privacy: '1YYN' };
    const CUT = '127.0.0.0';

    it('requests the ad as under GDPR where the platform has not loaded in time', async () => {
      const { query, device } = await asked(`<script>window.__tcfapi = () => undefined</script>${tagged()}`);
      expect(query).to.include({ gdpr: '1' }).and.not.to.have.property('gdpr_consent');
      expect(device.ip).to.equal(CUT);
    });

    it('requests it so too where the platform does not know in time whether GDPR applies', async () => {
      const platform = `<script>window.__tcfapi = (command, version, told) =>
      told({ gdprApplies: null, tcString: '', eventStatus: 'cmpuishown', listenerId: 1 }, true)</script>`;
      const { query } = await asked(`${platform}${tagged('data-ad-gdpr="[GDPR]"')}`);
      expect(query).to.include({ gdpr: '1' }).and.not.to.have.property('gdpr_consent');
    });

    it('lets the page state whether GDPR applies where the platform does not say', async () => {
      const { query, device } = await asked(
        `<script>window.__tcfapi = () => undefined</script>${tagged('data-ad-gdpr="0"')}`,
      );
      expect(query.gdpr).to.equal('0');
      expect(device.ip).not.to.equal(CUT);
    });

    it('sends no signal of GDPR where the page has no platform for it', async () => {
      const { query } = await asked(tagged());
      expect(query).not.to.have.property('gdpr');
    });

    it('calls the platform of the page around a frame of the same origin', async () => {
      const { query } = await asked(`${PLATFORM}${frame(site.page('/frame', document(tagged())))}`);
      expect(query).to.include(refused);
    });

    for (const asJson of [false, true]) {
      it(`sends messages to the platform two frames above it on another origin, which answers in ${asJson ? 'JSON' : 'objects'}`, async () => {
        const outer = adServer.page('/outer', document(frame(adServer.page('/inner', document(tagged())))));
        const { query, device } = await asked(
          `<script>window.asJson = ${asJson}</script>${PLATFORM}${MESSAGES}${frame(outer)}`,
        );
        expect(query).to.include(refused);
        expect(device.ip).to.equal(CUT);
        expect(await page.evaluate('commands')).to.have.deep.members([
          ['__tcfapi', 'addEventListener', 2, undefined],
          ['__gpp', 'addEventListener', '1.1', undefined],
          ['__uspapi', 'getUSPData', 1, undefined],
          ['__tcfapi', 'removeEventListener', 2, 7],
          ['__gpp', 'removeEventListener', '1.1', 8],
        ]);
      });
    }

    it('requests the ad as under GDPR where the platform around its frame does not answer', async () => {
      const locator = '<iframe name="__tcfapiLocator" hidden></iframe>';
      const { query } = await asked(`${locator}${frame(adServer.page('/frame', document(tagged())))}`);
      expect(query).to.include({ gdpr: '1' }).and.not.to.have.property('gdpr_consent');
    });

    it('takes no answer of another window, nor one to another call', async () => {
      const says = (callId: string) =>
        `{ __tcfapiReturn: { callId: ${callId}, success: true, returnValue: { gdprApplies: false, eventStatus: 'tcloaded' } } }`;
      const forger = `<script>window.forge = (callId) => parent.frames.ad.postMessage(${says('callId')}, '*')</script>`;
      const forging = `<script>
      const truthful = calls.__tcfapi;
      calls.__tcfapi = (sent, told) => {
        frames.forger.forge(sent.callId);
        frames.ad.postMessage(${says('sent.callId + "0"')}, '*');
        for (const odd of [null, 7, 'a text', '{', { __tcfapiReturn: null }]) frames.ad.postMessage(odd, '*');
        truthful(sent, told);
      };
    </script>`;
      const beside = `<iframe name="forger" hidden src="${site.page('/forger', document(forger))}"></iframe>`;
      const { query } = await asked(
        `${beside}${PLATFORM}${MESSAGES}${forging}<script>frames.forger.addEventListener('load', () =>
        document.body.insertAdjacentHTML('beforeend', '${frame(adServer.page('/frame', document(tagged())))}'))</script>`,
      );
      expect(query).to.include(refused);
    });
  },
  { steady: true },
);
