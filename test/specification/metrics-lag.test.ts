import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { ledger } from '../../actors/ledger/ledger.ts';
import { ledgerId } from '../../actors/ledger/ledger-id.ts';
import { LatencyRecorder } from '../../edge/facts/latency-recorder.ts';
import { bids } from '../support/bidder.ts';
import { eventually } from '../support/eventually.ts';
import { againstExchange } from './against-exchange.ts';
import { shows } from './shows.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

function latencyOf(latenciesMs: readonly number[]): Record<string, number> {
  const recorder = new LatencyRecorder();
  for (const latencyMs of latenciesMs) recorder.record(latencyMs);
  const bins = new Map<number, number>();
  recorder.moveTo(bins);
  return Object.fromEntries(bins);
}

againstExchange('metrics of the moment and of the past', (exchange) => {
  /** Tells a supply source's ledger what an edge would have told it then. */
  async function counted(publisher: string, minuteMs: number, auctions: number, latenciesMs: number[] = []) {
    const body = { minuteMs, region: 'fra', counts: { auctions }, counterparties: [], creatives: [] };
    const { messenger } = exchange.running.exchange.node;
    const id = ledgerId('publisher', publisher, minuteMs, false);
    await messenger.tell(ledger, id, 'facts', { ...body, latency: latencyOf(latenciesMs) });
  }
  const newSource = async (): Promise<string> =>
    (await exchange.create('/api/supply/sources', { name: randomUUID(), domain: 'site.example', type: 'web' })).id;
  const statsOf = async (publisher: string, period: string) =>
    (await exchange.get(`/api/supply/sources/${publisher}/stats?period=${period}`)).body;

  shows('metrics.period.trailing', async () => {
    const publisher = await newSource();
    const nowMs = Date.now();
    const minuteMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
    const midnightMs = Math.floor(nowMs / DAY_MS) * DAY_MS;
    const times = [0, 57, 63, 180, 357, 363].map((minutes) => minuteMs - minutes * MINUTE_MS);
    const isFarFrom = (fromMs: number, atMs: number) => Math.abs(atMs - fromMs) >= 2 * MINUTE_MS;
    const aroundMidnight = [midnightMs, midnightMs - MINUTE_MS].filter((atMs) =>
      [60, 360].every((minutes) => isFarFrom(nowMs - minutes * MINUTE_MS, atMs)),
    );
    const told = [...times, ...aroundMidnight].map((atMs, index) => ({ atMs, auctions: 2 ** index }));
    for (const { atMs, auctions } of told) await counted(publisher, atMs, auctions);
    const since = (fromMs: number) =>
      told.filter(({ atMs }) => atMs >= fromMs).reduce((sum, { auctions }) => sum + auctions, 0);
    // A minute or two may go by meanwhile: no time lies that near to the beginning of a period.
    const expected = {
      '1h': since(nowMs - 60 * MINUTE_MS),
      '6h': since(nowMs - 360 * MINUTE_MS),
      today: since(midnightMs),
    };
    expect(expected['1h']).to.not.equal(expected['6h']);
    for (const [period, auctions] of Object.entries(expected)) {
      await eventually(`${auctions} of ${period}`, async () => {
        const { bid_requests } = await statsOf(publisher, period);
        return bid_requests === auctions;
      });
    }
  });

  shows('metrics.latency.merged', async () => {
    const publisher = await newSource();
    const minuteMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
    await counted(publisher, minuteMs - 2 * MINUTE_MS, 3, [10, 10, 10]);
    await counted(publisher, minuteMs - MINUTE_MS, 1, [1000]);
    const stats = await eventually('both minutes', async () => {
      const found = await statsOf(publisher, '1h');
      return found.bid_requests === 4 ? found : null;
    });
    // The mean of two medians would be 505.
    expect(stats.p50_ms).to.be.closeTo(10, 0.3);
    expect(stats.p99_ms).to.be.within(9.8, 1_020);
  });

  shows('metrics.rps_current.live', async () => {
    const market = await exchange.market({ bidders: [{ script: bids({ price: 2.5 }) }] });
    const before = (await exchange.get('/api/metrics')).body;
    expect(before.rps_current, 'hardly anything is going on').to.be.below(0.5);
    const requests = 60;
    const startedMs = Date.now();
    for (let request = 0; request < requests; request++) await market.ask();
    await eventually(
      'a rate of one each second, within five seconds',
      async () => {
        const { rps_current, regions } = (await exchange.get('/api/metrics')).body;
        expect(regions.fra.rps).to.equal(rps_current);
        return rps_current >= requests / 60;
      },
      { timeoutMs: 5_000 + (Date.now() - startedMs) },
    );
    // One impression, from the answer to the pixel on.
    const bid = await market.bid();
    const impressions = async () => (await exchange.get('/api/metrics')).body.impressions;
    const was = await impressions();
    expect((await fetch(bid.burl)).status).to.equal(200);
    const answeredMs = Date.now();
    await eventually('the impression', async () => (await impressions()) === was + 1, { timeoutMs: 60_000 });
    expect(Date.now() - answeredMs, 'the goal; the limit is a minute').to.be.below(10_000);
  });
});
