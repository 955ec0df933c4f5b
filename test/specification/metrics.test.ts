import { expect } from 'chai';
import { bids } from '../support/bidder.ts';
import { eventually } from '../support/eventually.ts';
import type { Answer } from '../support/exchange.ts';
import { ABSENT_ID, againstExchange, errorOf, TIMESTAMP } from './against-exchange.ts';
import type { Market } from './market.ts';
import { shows } from './shows.ts';

const PERIODS = ['1h', '6h', 'today', '24h', '7d', '30d'];
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

type Holds = (value: unknown) => boolean;
const count: Holds = (value) => Number.isInteger(value) && Number(value) >= 0;
const amount: Holds = (value) => typeof value === 'number' && value >= 0;
const ratio: Holds = (value) => amount(value) && Number(value) <= 1;
const text: Holds = (value) => typeof value === 'string' && value !== '';
const list: Holds = (value) => Array.isArray(value) && value.length === 1;

/** What each field of the objects must be. */
const fields: Readonly<Record<string, Holds>> = {
  period: (value) => value === '24h',
  generated_at: (value) => TIMESTAMP.test(String(value)),
  auctions: count,
  impressions: (value) => value === 1,
  fill_rate: ratio,
  revenue_cents: (value) => value === 0.25,
  bid_requests_sent: count,
  rps_current: amount,
  p50_ms: amount,
  p95_ms: amount,
  p99_ms: amount,
  regions: (value) => Object.keys(value as object).join() === 'fra',
  publisher_id: text,
  publisher_name: text,
  ecpm_cents: (value) => value === 250,
  bid_requests: count,
  dsp_breakdown: list,
  dsp_id: text,
  dsp_name: text,
  bids: count,
  wins: count,
  win_rate: ratio,
  spend_cents: (value) => value === 0.25,
  avg_cpm_cents: (value) => value === 250,
  publisher_breakdown: list,
  timeout_rate: ratio,
};
const objects = {
  platform:
    'period generated_at auctions impressions fill_rate revenue_cents bid_requests_sent rps_current p50_ms p95_ms p99_ms regions',
  publisher:
    'publisher_id publisher_name period impressions fill_rate revenue_cents ecpm_cents bid_requests p50_ms p95_ms p99_ms dsp_breakdown',
  'supply-stats':
    'publisher_id period impressions fill_rate revenue_cents ecpm_cents bid_requests p50_ms p95_ms p99_ms',
  dsp: 'dsp_id dsp_name period bid_requests bids wins impressions win_rate spend_cents avg_cpm_cents publisher_breakdown',
  'dsp-stats':
    'dsp_id period bid_requests bids wins impressions win_rate spend_cents avg_cpm_cents timeout_rate p50_ms p95_ms',
};
type ObjectName = keyof typeof objects;

againstExchange('metrics', (exchange) => {
  let market: Market;
  const answers = new Map<string, Answer>();
  const path = (object: ObjectName, id?: string): string => {
    const dspId = id ?? market.bidders[0]!.dspId;
    const publisherId = id ?? market.publisherId;
    switch (object) {
      case 'platform':
        return '/api/metrics';
      case 'publisher':
        return `/api/metrics/publisher/${publisherId}`;
      case 'supply-stats':
        return `/api/supply/sources/${publisherId}/stats`;
      case 'dsp':
        return `/api/metrics/dsp/${dspId}`;
      case 'dsp-stats':
        return `/api/demand/sources/${dspId}/stats`;
    }
  };
  const names = Object.keys(objects) as ObjectName[];

  /** One impression at a CPM of 2.50, and a sandbox win without a rendering. */
  before(async () => {
    market = await exchange.market({
      bidders: [{ script: bids({ price: 2.5, crid: 'spot' }) }, { script: bids({ price: 1 }), dsp: { sandbox: true } }],
    });
    await fetch((await market.bid()).burl);
    await eventually(
      'the impression to be in all figures',
      async () => {
        for (const name of names) answers.set(name, await exchange.get(path(name)));
        const asked = answers.get('platform')!.body.bid_requests_sent === market.bidders[0]!.received.length;
        return (
          asked &&
          [...answers.values()].every(
            ({ body }) => body.impressions === 1 && (body.wins ?? 1) > 0 && (body.bid_requests ?? 1) > 0,
          )
        );
      },
      { timeoutMs: 60_000, everyMs: 100 },
    );
  });

  for (const name of names) {
    describe(`${name}`, () => {
      shows(`metrics.endpoint.${name}`, () => expect(answers.get(name)!.status).to.equal(200));
      for (const field of objects[name].split(' ')) {
        shows(`metrics.${name}.${field}`, () =>
          expect(answers.get(name)!.body).to.have.property(field).that.satisfies(fields[field]!),
        );
      }
    });
  }
  shows('metrics.platform.region', () => {
    const { fra } = answers.get('platform')!.body.regions;
    expect(fra).to.have.all.keys('rps', 'fill_rate');
  });
  shows('metrics.publisher.breakdown', () => {
    const [entry] = answers.get('publisher')!.body.dsp_breakdown;
    expect(entry).to.have.all.keys('dsp_id', 'dsp_name', 'wins', 'spend_cents', 'avg_cpm_cents');
    expect(entry).to.include({ dsp_id: market.bidders[0]!.dspId, spend_cents: 0.25, avg_cpm_cents: 250 });
  });
  shows('metrics.dsp.breakdown', () => {
    const [entry] = answers.get('dsp')!.body.publisher_breakdown;
    expect(entry).to.have.all.keys('publisher_id', 'publisher_name', 'wins', 'spend_cents');
    expect(entry).to.include({ publisher_id: market.publisherId, spend_cents: 0.25 });
  });
  shows('metrics.endpoint.404', async () => {
    for (const name of names.filter((one) => one !== 'platform')) {
      expect(errorOf(await exchange.get(path(name, ABSENT_ID))), name).to.equal('404 NOT_FOUND');
    }
  });

  describe('parameters', () => {
    for (const period of PERIODS) {
      shows(`metrics.period.${period}`, async () => {
        for (const name of names) {
          const { status, body } = await exchange.get(`${path(name)}?period=${period}`);
          expect(status).to.equal(200);
          expect(body).to.include({ period, impressions: 1 });
        }
      });
    }
    const refused = async (parameter: string, values: readonly string[]) => {
      for (const name of names) {
        for (const value of values) {
          const answer = await exchange.get(`${path(name)}?${parameter}=${value}`);
          expect(errorOf(answer), `${name}?${parameter}=${value}`).to.equal(`400 INVALID_PARAMS ${parameter}`);
        }
      }
    };
    shows('metrics.period.default', () => {
      for (const { body } of answers.values()) expect(body.period).to.equal('24h');
    });
    shows('metrics.period.unknown', () => refused('period', ['14d', '31d', '1y', '']));
    shows(['metrics.region.one', 'metrics.region.default'], async () => {
      for (const name of names) {
        const impressions = async (query: string) => (await exchange.get(`${path(name)}${query}`)).body.impressions;
        expect(await impressions('?region=fra')).to.equal(1);
        expect(await impressions('?region=nyc')).to.equal(0);
        expect(await impressions('?region=lon')).to.equal(0);
        expect(await impressions('')).to.equal(1);
      }
    });
    shows('metrics.region.unknown', () => refused('region', ['par', 'FRA', '']));
    shows('metrics.sandbox.default', async () => {
      expect((await exchange.get('/api/metrics?sandbox=false')).body.impressions).to.equal(1);
      expect((await exchange.get('/api/metrics')).body.impressions).to.equal(1);
      await refused('sandbox', ['1', 'yes']);
    });
    shows('metrics.sandbox.separate', async () => {
      const sandbox = await eventually('the sandbox auctions to be counted', async () => {
        const { body } = await exchange.get('/api/metrics?sandbox=true');
        return body.auctions > 0 && body.bid_requests_sent > 0 && body;
      });
      expect(sandbox).to.include({ impressions: 0, revenue_cents: 0 });
      const asked = market.bidders[1]!.received.length;
      expect(sandbox.bid_requests_sent).to.equal(asked);
      expect(answers.get('platform')!.body.bid_requests_sent).to.equal(market.bidders[0]!.received.length);
    });
    shows('metrics.sandbox.source', async () => {
      for (const name of ['publisher', 'dsp'] as const) {
        const live = (await exchange.get(path(name))).body;
        expect((await exchange.get(`${path(name)}?sandbox=false`)).body).to.deep.equal(live);
        expect(live.impressions, name).to.equal(1);
        const sandbox = (await exchange.get(`${path(name)}?sandbox=true`)).body;
        expect(sandbox, name).to.include({ impressions: 0 });
        expect(Object.keys(sandbox)).to.have.members(Object.keys(live));
      }
      // A source that is in the sandbox, all of whose auctions were rehearsals.
      const { dspId, received } = market.bidders[1]!;
      const rehearsing = `/api/metrics/dsp/${dspId}`;
      expect((await exchange.get(rehearsing)).body).to.include({ bid_requests: 0, bids: 0 });
      await eventually('its rehearsals', async () => {
        const { body } = await exchange.get(`${rehearsing}?sandbox=true`);
        return body.bid_requests === received.length && body.bids > 0;
      });
    });
    shows('metrics.breakdown.unknown', () => refused('breakdown', ['region', '']));
  });

  describe('breakdown', () => {
    const series = async (period: string) => (await exchange.get(`/api/metrics?breakdown=time&period=${period}`)).body;
    const stepsOf = (buckets: readonly { timestamp: string }[]) =>
      new Set(buckets.slice(1).map(({ timestamp }, at) => Date.parse(timestamp) - Date.parse(buckets[at]!.timestamp)));

    shows('metrics.breakdown.time', async () => {
      for (const name of names) {
        const { body } = await exchange.get(`${path(name)}?breakdown=time`);
        expect(body).to.have.all.keys('period', 'buckets');
        for (const bucket of body.buckets) expect(bucket).to.have.all.keys('timestamp', 'impressions', 'revenue_cents');
        const sum = body.buckets.reduce(
          (total: number, bucket: { impressions: number }) => total + bucket.impressions,
          0,
        );
        expect(sum).to.equal(1);
      }
    });
    shows('metrics.breakdown.hours', async () => {
      for (const period of ['24h', '6h', 'today', '1h']) {
        const { buckets } = await series(period);
        for (const step of stepsOf(buckets)) expect(step).to.equal(HOUR_MS);
        for (const { timestamp } of buckets) expect(Date.parse(timestamp) % HOUR_MS).to.equal(0);
      }
      expect((await series('24h')).buckets).to.have.length(25);
    });
    shows('metrics.breakdown.days', async () => {
      for (const [period, days] of [
        ['7d', 8],
        ['30d', 31],
      ] as const) {
        const { buckets } = await series(period);
        expect(buckets).to.have.length(days);
        expect(stepsOf(buckets)).to.deep.equal(new Set([DAY_MS]));
      }
    });
    shows('metrics.period.spans', async () => {
      const namedMs = { '24h': DAY_MS, '7d': 7 * DAY_MS, '30d': 30 * DAY_MS };
      for (const [period, spanMs] of Object.entries(namedMs)) {
        const beforeMs = Date.now();
        const { buckets } = await series(period);
        const bucketMs = period === '24h' ? HOUR_MS : DAY_MS;
        const [first, last] = [buckets[0], buckets.at(-1)].map(({ timestamp }) => Date.parse(timestamp)) as [
          number,
          number,
        ];
        expect(beforeMs - first, period).to.be.within(spanMs, spanMs + 2 * bucketMs);
        expect(last, period).to.be.above(beforeMs - bucketMs);
        expect(last, period).to.be.at.most(Date.now());
      }
    });
    shows('metrics.breakdown.aligned', async () => {
      const { buckets } = await series('7d');
      for (const { timestamp } of buckets) expect(Date.parse(timestamp) % DAY_MS).to.equal(0);
      expect(buckets.at(-1).impressions + buckets.at(-2).impressions).to.equal(1);
      for (const bucket of buckets.slice(0, 5)) expect(bucket).to.include({ impressions: 0, revenue_cents: 0 });
      const times = buckets.map(({ timestamp }: { timestamp: string }) => timestamp);
      expect(times).to.deep.equal([...times].sort());
    });
    shows('metrics.breakdown.creative', async () => {
      const { body } = await exchange.get(`${path('dsp-stats')}?breakdown=creative`);
      expect(body.creatives).to.have.length(1);
      expect(body.creatives[0]).to.include({ creative_id: 'spot', impressions: 1, ecpm_cents: 250 });
      expect(body.creatives[0].win_rate).to.be.within(0.5, 1);
      market.bidders[0]!.script = bids({ price: 2.5, crid: 'another' });
      await market.bid();
      const both = await eventually('the second creative', async () => {
        const { creatives } = (await exchange.get(`${path('dsp-stats')}?breakdown=creative`)).body;
        return creatives.length === 2 && creatives;
      });
      const another = both.find((one: { creative_id: string }) => one.creative_id === 'another');
      expect(another).to.include({ win_rate: 1, impressions: 0, ecpm_cents: 0 });
    });
  });
});
