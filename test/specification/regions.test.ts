import { expect } from 'chai';
import { bids } from '../support/bidder.ts';
import { eventually } from '../support/eventually.ts';
import { callJson, startTestExchange, type TestExchange } from '../support/exchange.ts';
import { againstExchange } from './against-exchange.ts';
import { campaignOf, delegateMarket } from './delegate-market.ts';
import type { Market } from './market.ts';
import { shows } from './shows.ts';

againstExchange(
  'three regions',
  (exchange) => {
    const edges = new Map<string, TestExchange>();
    let market: Market;

    before(async function () {
      const { REDIS_URL, REDIS_PREFIX, MONGODB_URL, SECRET_KEY } = exchange.running.environment as Record<
        string,
        string
      >;
      for (const region of ['nyc', 'lon']) {
        const shared = {
          REDIS_URL: REDIS_URL!,
          REDIS_PREFIX: REDIS_PREFIX!,
          MONGODB_URL: MONGODB_URL!,
          SECRET_KEY: SECRET_KEY!,
        };
        edges.set(region, await startTestExchange(this, 'redis-mongodb', { ...shared, ROLES: 'edge', REGION: region }));
      }
      market = await exchange.market({ bidders: [{ script: bids({ price: 2.5 }) }] });
    });
    after(async () => {
      for (const edge of edges.values()) await edge.stop();
    });

    /** Of each region's edge. */
    const urlsOf = () =>
      new Map([
        ['fra', exchange.running.edgeUrl],
        ...[...edges].map(([name, { edgeUrl }]) => [name, edgeUrl] as const),
      ]);

    shows(['overview.regions', 'metrics.region.one', 'metrics.region.default'], async () => {
      const urls = urlsOf();
      for (const [region, edgeUrl] of urls) {
        const answer = await eventually(`an ad of ${region}`, async () => {
          const asked = await callJson('POST', `${edgeUrl}/rtb`, market.request());
          return asked.status === 200 ? asked : null;
        });
        const pixel = new URL(answer.body.seatbid[0].bid[0].burl);
        expect((await fetch(`${edgeUrl}${pixel.pathname}${pixel.search}`)).status).to.equal(200);
      }
      const path = `/api/metrics/publisher/${market.publisherId}`;
      await eventually(
        'three impressions in one set of books, one of each region',
        async () => {
          const all = (await exchange.get(path)).body;
          const each = await Promise.all([...urls.keys()].map((region) => exchange.get(`${path}?region=${region}`)));
          return all.impressions === 3 && each.every(({ body }) => body.impressions === 1);
        },
        { timeoutMs: 60_000, everyMs: 100 },
      );
      await eventually('rates of each region', async () => {
        const { regions } = (await exchange.get('/api/metrics')).body;
        expect(regions).to.have.all.keys('fra', 'nyc', 'lon');
        for (const region of Object.values(regions) as { rps: number; fill_rate: number }[]) {
          expect(region.rps).to.be.above(0);
          expect(region.fill_rate).to.be.within(0.01, 1);
        }
        return true;
      });
    });

    shows(['overview.strategy-change', 'limit.strategy-propagation'], async () => {
      const trading = await delegateMarket(exchange);
      const becomes = (campaignId: string | null, timeoutMs: number) =>
        Promise.all(
          [...urlsOf()].map(([region, edgeUrl]) =>
            eventually(
              `${campaignId ?? 'nobody'} to win in ${region}`,
              async () => {
                const { status, body } = await callJson('POST', `${edgeUrl}/rtb`, trading.market.request());
                return (status === 200 ? body.seatbid[0].bid[0].cid : null) === campaignId;
              },
              { timeoutMs },
            ),
          ),
        );
      const dspId = await trading.delegate();
      for (const campaignId of ['first', 'second']) {
        await trading.upload(dspId, [campaignOf(campaignId)]);
        await becomes(campaignId, 30_000);
      }
      await trading.upload(dspId, []);
      await becomes(null, 30_000);
      const id = await trading.campaign(dspId, campaignOf('by the Campaign API'));
      await becomes('by the Campaign API', 60_000);
      expect((await exchange.call('POST', `/api/campaigns/${id}/pause`)).status).to.equal(200);
      await becomes(null, 60_000);
    });
  },
  { pairs: ['redis-mongodb'] },
);
