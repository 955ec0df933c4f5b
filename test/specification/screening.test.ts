import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { bids } from '../support/bidder.ts';
import { eventually } from '../support/eventually.ts';
import { callJson } from '../support/exchange.ts';
import { againstExchange, errorOf } from './against-exchange.ts';
import { dspMetric } from './facts.ts';
import { BANNER, type Market } from './market.ts';
import { shows } from './shows.ts';

const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

againstExchange(
  'fraud filtering',
  (exchange) => {
    let market: Market;
    const bidder = () => market.bidders[0]!;
    const get = (path: string, query: Record<string, string>, headers: Record<string, string> = {}) =>
      callJson('GET', `${exchange.running.edgeUrl}${path}?${new URLSearchParams(query)}`, undefined, headers);
    const asked = () => bidder().received.filter(({ path }) => path.startsWith('/bid')).length;

    before(async () => {
      market = await exchange.market({ bidders: [{ script: bids({ price: 3 }) }] });
    });

    shows('overview.fraud', async () => {
      const before = asked();
      const again = randomUUID();
      expect((await market.ask({ id: again })).status).to.equal(200);
      const site = { id: market.publisherId };
      const blocked = [
        await market.ask({ device: { ua: BOT } }),
        await market.ask({ device: { ip: '192.0.2.77' } }),
        await market.ask({ site: { ...site, domain: 'rival.example' } }),
        await market.ask({ site: undefined, app: { ...site, bundle: 'com.rival.app' } }),
        await market.ask({ id: again }),
        await market.ask({ imp: [{ ...BANNER, bidfloor: -1 }] }),
        await get('/vast', { site_id: market.publisherId, ua: BOT }),
        await get('/ad', { publisher_id: market.publisherId, format: 'banner' }, { 'User-Agent': 'curl/8.5.0' }),
        await get('/ad', { publisher_id: market.publisherId, format: 'banner' }, { Referer: 'https://rival.example/' }),
      ];
      for (const answer of blocked) {
        expect(errorOf(answer)).to.match(/^403 FORBIDDEN/);
        expect(answer.body.error.message).to.match(/\w.*\.$/);
      }
      expect(asked(), 'auctions that the bidder heard of').to.equal(before + 1);
      const path = `/api/supply/sources/${market.publisherId}/blocked`;
      const reasons = {
        bot: 3,
        'blocked-network': 1,
        'site-mismatch': 2,
        'app-mismatch': 1,
        'replayed-request': 1,
        'invalid-floor': 1,
      };
      await eventually('the reasons to be counted', async () => {
        const { status, body } = await exchange.get(`${path}?period=1h`);
        if (body.total !== blocked.length) throw new Error(JSON.stringify(body));
        expect(status).to.equal(200);
        expect(body).to.deep.equal({ publisher_id: market.publisherId, period: '1h', total: 9, reasons });
        return true;
      });
      expect((await exchange.get(`${path}?region=lon`)).body).to.include({ period: '24h', total: 0 });
      expect(errorOf(await exchange.get(`${path}?period=2h`))).to.equal('400 INVALID_PARAMS period');
    });

    it('lets no device flood it', async () => {
      const answers = [];
      for (let time = 0; time < 30; time++) answers.push(await market.ask({ device: { ifa: 'one device' } }));
      const statuses = answers.map(({ status }) => status);
      expect(statuses.slice(0, 10)).to.deep.equal(Array(10).fill(200));
      expect(statuses.slice(10)).to.include(403);
      expect((await market.ask({ device: { ifa: 'another device' } })).status).to.equal(200);
    });

    shows('edge.address', async () => {
      // The caller is on loopback in all of these: it is the device that may not be in a blocked network.
      expect((await market.ask({ device: { ip: '192.0.2.77' } })).status).to.equal(403);
      expect((await market.ask({ device: { ipv6: '2001:db8:77::1' } })).status).to.equal(403);
      expect((await market.ask({ device: { ip: '91.12.44.7' } })).status).to.equal(200);
      expect((await get('/vast', { site_id: market.publisherId, ip: '192.0.2.77' })).status).to.equal(403);
      expect((await get('/vast', { site_id: market.publisherId, ip: '91.12.44.7' })).status).to.equal(200);
    });

    shows('creative.blocked-categories.taxonomies', async () => {
      /** By taxonomy: adult, gambling, malware, firearms, counterfeits, politics, crypto, as far as it has them. */
      const prohibited = {
        1: ['IAB25-3', 'IAB25', 'IAB26-3', 'IAB26-4', 'IAB11-4'],
        2: ['181', '514', '386', '82'],
        3: ['828', '801'],
        5: ['480', '514', '387', '82'],
        6: ['Rm3SiT', '524', '6i4dB6', 'avbNf2', 'mm3UXx', 'Z7rJBM', '82'],
        7: ['Rm3SiT', 'ZJG29S', '6i4dB6', 'avbNf2', 'mm3UXx', '388', '82'],
        8: ['1001', '1366', '1000', '1577', '1476', '1449'],
        9: ['MQ2XML', '181', 'v9i3On', 'avbNf2', 'XtODT3', '8YPBBL', '82'],
      };
      for (const [cattax, ids] of Object.entries(prohibited)) {
        for (const id of ids) {
          bidder().script = bids({ price: 3, cat: ['1', id], cattax: Number(cattax) });
          expect((await market.ask()).status, `${id} of ${cattax}`).to.equal(204);
        }
        bidder().script = bids({ price: 3, cat: ['1'], cattax: Number(cattax) });
        expect((await market.ask()).status, cattax).to.equal(200);
      }
      const { dspId } = bidder();
      const before = await dspMetric(exchange, dspId, 'exchange_dsp_unknown_taxonomy_bids_total');
      bidder().script = bids({ price: 3, cat: ['1001'], cattax: 500 });
      expect((await market.ask()).status, 'judged by all else').to.equal(200);
      bidder().script = bids({ price: 3, cat: ['1001'], cattax: 500, attr: [1] });
      expect((await market.ask()).status, 'its attributes').to.equal(204);
      await eventually('both to be counted', async () => {
        return (await dspMetric(exchange, dspId, 'exchange_dsp_unknown_taxonomy_bids_total')) === before + 2;
      });
      bidder().script = bids({ price: 3 });
    });

    shows('creative.blocked-categories', async () => {
      const { id } = await market.request();
      expect((await market.ask({ id })).status).to.equal(200);
      const told = bidder().asked(id)!.body;
      expect(told.bcat).to.include.members(['IAB25', 'IAB26', 'IAB7-39']);
      expect(told.imp[0].banner.battr).to.include.members([1, 14]);
      for (const creative of [
        { cat: ['IAB25-3'] },
        { cat: ['IAB26-3'] },
        { cat: ['IAB7-39'] },
        { cat: ['IAB11-4'] },
        ...['1001', '1361', '1000', '1578', '1474', '1451'].map((product) => ({ cat: [product], cattax: 8 })),
        { attr: [1] },
      ]) {
        bidder().script = bids({ price: 3, ...creative });
        expect((await market.ask()).status, JSON.stringify(creative)).to.equal(204);
      }
      bidder().script = bids({ price: 3, cat: ['IAB11-4'], ext: { dsa: { paid: 'A party' } } });
      expect((await market.ask()).status).to.equal(200);
      bidder().script = bids({ price: 3 });
      const told3 = await market.request({ cattax: 9, bcat: ['52'] });
      expect((await market.ask(told3)).status).to.equal(200);
      expect(bidder().asked(told3.id)!.body.bcat, 'in the request’s taxonomy').to.include.members([
        '52',
        'avbNf2',
        '181',
      ]);
      const buyer = await exchange.create('/api/demand/sources', { mode: 'delegate' });
      const campaign = {
        dsp_id: buyer.id,
        campaign_id: 'casino',
        campaign_name: 'Casino',
        bidding: { base_cpm: 1 },
        creative: { creative_id: 'c', html: '<b>win</b>', format: 'banner' },
        categories: ['IAB9', 'IAB25-3'],
      };
      expect(errorOf(await exchange.call('POST', '/api/campaigns', campaign))).to.match(/^4\d\d \w+ categories/);
    });
  },
  {
    environment: {
      BLOCKED_NETWORKS: '192.0.2.0/24, 2001:db8:77::/48',
      BLOCKED_CATEGORIES: 'IAB7-39',
      MAX_REQUESTS_PER_SECOND_PER_DEVICE: '1',
    },
  },
);
