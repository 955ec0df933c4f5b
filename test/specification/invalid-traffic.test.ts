import { expect } from 'chai';
import { bids } from '../support/bidder.ts';
import { BROWSER_USER_AGENT } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { callJson } from '../support/exchange.ts';
import { pixelOf } from '../support/pixel-of.ts';
import { againstExchange, errorOf } from './against-exchange.ts';
import type { Market } from './market.ts';

const SELF_FIRED = 300;
const NO_SIGN = 100;

/** A machine on the public Internet, as our own proxy says. */
const machine = (userAgent = 'curl/8.5.0', address = '93.184.215.14') => ({
  'X-Forwarded-For': address,
  'User-Agent': userAgent,
});

againstExchange(
  'invalid traffic',
  (exchange) => {
    const open = (publisher: object = {}): Promise<Market> =>
      exchange.market({ publisher, bidders: [{ script: bids({ price: 2.5 }) }] });
    const impressions = async ({ publisherId }: Market): Promise<number> =>
      (await exchange.get(`/api/supply/sources/${publisherId}/stats`)).body.impressions;
    const billed = (market: Market, count: number) =>
      eventually(`${count} impressions`, async () => (await impressions(market)) >= count, { timeoutMs: 60_000 });

    /** Asks for an ad and calls for its impression from the same machine, so often. */
    async function selfFire(market: Market, times: number, key: Record<string, string> = {}): Promise<void> {
      for (let time = 0; time < times; time++) {
        const { burl } = await market.bid({}, { ...machine(), ...key });
        expect((await fetch(burl, { headers: machine() })).status).to.equal(200);
      }
    }

    it('bills a hundred impressions of a machine that calls its own burls without a key, and no more', async () => {
      const market = await open();
      await selfFire(market, SELF_FIRED);
      const { burl } = await market.bid({}, machine());
      // A viewer's device shows the last one: it comes after all others.
      expect((await fetch(pixelOf(burl), { headers: machine(BROWSER_USER_AGENT, '84.23.17.9') })).status).to.equal(200);
      await billed(market, NO_SIGN + 1);
      expect(await impressions(market)).to.equal(NO_SIGN + 1);
    });

    it('bills all impressions of a server that shows its key', async () => {
      const market = await open();
      await selfFire(market, SELF_FIRED, { 'X-API-Key': exchange.running.liveKey });
      await billed(market, SELF_FIRED);
      expect(await impressions(market)).to.equal(SELF_FIRED);
    });

    it('bills what a crawler has called for to the first valid call', async () => {
      const market = await open();
      const { burl } = await market.bid({}, machine());
      const googlebot = machine('Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)');
      for (const url of [burl, pixelOf(burl)]) await (await fetch(url, { headers: googlebot })).arrayBuffer();
      expect(await impressions(market)).to.equal(0);
      await fetch(pixelOf(burl), { headers: machine(BROWSER_USER_AGENT, '84.23.17.9') });
      await billed(market, 1);
    });

    it('bills by the channel that a source declares alone, which it may change', async () => {
      const market = await open({ billing_notice: 'server' });
      const path = `/api/supply/sources/${market.publisherId}`;
      expect((await exchange.get(path)).body.billing_notice).to.equal('server');
      const { burl } = await market.bid({}, machine());
      await fetch(pixelOf(burl), { headers: machine(BROWSER_USER_AGENT, '84.23.17.9') });
      await fetch(burl, { headers: machine() });
      await billed(market, 1);
      const changed = await exchange.call('PUT', path, { billing_notice: 'client' });
      expect(changed.body.billing_notice).to.equal('client');
      const viewer = { headers: machine(BROWSER_USER_AGENT, '84.23.17.9') };
      await eventually('the edge to know of the change', async () => {
        const { burl: next } = await market.bid({}, machine());
        await fetch(pixelOf(next), viewer);
        return (await impressions(market)) >= 2;
      });
      expect(errorOf(await exchange.call('PUT', path, { billing_notice: 'post' }))).to.contain(
        '400 VALIDATION_ERROR billing_notice',
      );
      const source = await exchange.create('/api/supply/sources', { domain: 'site.example', type: 'web' });
      expect(source.billing_notice).to.equal('both');
    });

    it('bills pixel and burl of one impression once, in either order', async () => {
      const market = await open();
      const urls = async () => {
        const { burl } = await market.bid({}, machine());
        return [burl, pixelOf(burl)] as const;
      };
      const [first, second] = [await urls(), await urls()];
      for (const url of [...first, second[1], second[0]]) await fetch(url, { headers: machine() });
      await billed(market, 2);
      expect(await impressions(market)).to.equal(2);
    });

    it('bills the impressions of tags, which viewers’ browsers ask for and call', async () => {
      const market = await open();
      const viewer = machine(BROWSER_USER_AGENT, '84.23.17.9');
      const answer = await fetch(
        `${exchange.running.edgeUrl}/ad?publisher_id=${market.publisherId}&format=banner&w=300&h=250`,
        { headers: viewer },
      );
      const pixel = /<img src="([^"]+)"/.exec(await answer.text())![1]!.replaceAll('&amp;', '&');
      expect(pixel).not.to.contain('&burl=');
      await fetch(pixel, { headers: viewer });
      await billed(market, 1);
    });

    it('bills calls of programs on loopback, as in the tours of the README', async () => {
      const market = await open();
      for (let tour = 0; tour < 3; tour++) {
        const { burl } = await market.bid();
        expect((await callJson('GET', tour % 2 ? burl : pixelOf(burl))).status).to.equal(200);
      }
      await billed(market, 3);
    });
  },
  { environment: { TRUST_PROXY_HOPS: '1' } },
);
