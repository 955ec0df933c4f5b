import { expect } from 'chai';
import { addLatency, latencyMsAt } from '#actors/ledger/latency';
import { ledger } from '#actors/ledger/ledger';
import { hourLedgerId, PLATFORM_OWNER_ID, parseLedgerId } from '#actors/ledger/ledger-id';
import type { FactCounts } from '#actors/ledger/messages';
import {
  creativeBreakdown,
  demandFigures,
  demandTiming,
  publisherBreakdown,
} from '#actors/ledger/report/demand-report';
import { type Period, reportWindowOf } from '#actors/ledger/report/period';
import { platformFigures } from '#actors/ledger/report/platform-report';
import { type StoredLedger, sumLedgers } from '#actors/ledger/report/sum-ledgers';
import { dspBreakdown, supplyFigures } from '#actors/ledger/report/supply-report';
import { timeSeries } from '#actors/ledger/report/time-series';
import { LatencyRecorder } from '#edge/facts/latency-recorder';
import { IMPRESSION } from '../../impression-rollup/impression.ts';
import { START_MS, TallyNode } from '../tally-node.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The worked example: a CPM of 2.50, a fee of 15 %, four impressions at one publisher, one of them another DSP's. */
class Example {
  readonly #states = new Map<string, StoredLedger>();

  constructor() {
    const node = new TallyNode(0, (to, body) => {
      if (to.startsWith('ledger/')) this.tell(to.slice('ledger/'.length), { type: 'totals', body } as never);
    });
    for (const fields of [{}, {}, { crid: 'crid-2', region: 'nyc' }, { dsp: 'dsp-2', priceCpmMicros: 1_000_000 }]) {
      node.append({ ...IMPRESSION, ...fields }, MINUTE_MS);
    }
    node.act('save');
    const counted = { minuteMs: START_MS, region: 'fra', counterparties: [], creatives: [], latency: {} };
    this.fact('publisher', 'publisher-1', {
      ...counted,
      counts: { auctions: 10, imps: 12, filledImps: 6 },
      counterparties: [
        { id: 'dsp-1', bids: 8, wins: 5 },
        { id: 'dsp-2', bids: 2, wins: 1 },
        { id: 'dsp-3', bids: 4, wins: 0 },
      ],
      latency: latencyOf([10, 20, 30, 40]),
    });
    this.fact('dsp', 'dsp-1', {
      ...counted,
      counts: { bidRequests: 10, bids: 8, wins: 5, timeouts: 1 },
      counterparties: [{ id: 'publisher-1', bids: 8, wins: 5 }],
      creatives: [
        { id: 'crid-1', bids: 6, wins: 3 },
        { id: 'crid-2', bids: 2, wins: 2 },
      ],
      latency: latencyOf([50]),
    });
    this.fact('platform', PLATFORM_OWNER_ID, {
      ...counted,
      counts: { auctions: 120, imps: 120, filledImps: 90, bidRequests: 25 },
      latency: latencyOf([5]),
    });
  }

  fact(scope: 'publisher' | 'dsp' | 'platform', id: string, body: FactCounts): void {
    this.tell(hourLedgerId(scope, id, body.minuteMs, false), { type: 'facts', body });
  }

  tell(id: string, message: Parameters<typeof ledger.handle>[1]): void {
    const stored = this.#states.get(id) ?? { id, state: ledger.initial(id) };
    this.#states.set(id, stored);
    ledger.handle(stored.state, message, { id, address: `ledger/${id}`, nowMs: 0, position: '0-0', random: () => 0 });
  }

  load(scope: 'publisher' | 'dsp' | 'platform', id: string, period: Period, nowMs = NOW_MS): StoredLedger[] {
    const { fromMs, toMs } = reportWindowOf(period, nowMs);
    return [...this.#states.values()].filter(({ id: ledgerIdOf }) => {
      const { scope: of, whose, day } = parseLedgerId(ledgerIdOf);
      const dayMs = Date.parse(day);
      return of === scope && whose === id && dayMs < toMs && dayMs + DAY_MS > fromMs;
    });
  }
}

const NOW_MS = START_MS + 5 * MINUTE_MS;

function latencyOf(latenciesMs: readonly number[]): Record<string, number> {
  const recorder = new LatencyRecorder();
  for (const latencyMs of latenciesMs) recorder.record(latencyMs);
  const bins = new Map<number, number>();
  recorder.moveTo(bins);
  return Object.fromEntries(bins);
}

describe('reports', () => {
  const example = new Example();
  const nameOf = (id: string) => `name of ${id}`;

  it('of a publisher: revenue is the payout, fill rate counts imps', () => {
    const sum = sumLedgers(example.load('publisher', 'publisher-1', '24h'), reportWindowOf('24h', NOW_MS));
    const { p50_ms, p95_ms, p99_ms, ...figures } = supplyFigures(sum, '24h');
    // Gross is 3 × 0.25 + 0.1 = 0.85 cents; the fee of 15 % is 0.1275.
    expect(figures).to.deep.equal({
      period: '24h',
      impressions: 4,
      fill_rate: 0.5,
      revenue_cents: 0.7225,
      ecpm_cents: 180.625,
      bid_requests: 10,
    });
    expect(p50_ms).to.be.closeTo(20, 0.5);
    // Of 10, 20, 30 and 40 ms, only 40 has 95 % at or below it.
    expect(p95_ms).to.be.closeTo(40, 0.8);
    expect(p99_ms).to.be.closeTo(40, 0.8);
  });

  it('of a publisher, by DSP: spend is gross', () => {
    const sum = sumLedgers(example.load('publisher', 'publisher-1', '1h'), reportWindowOf('1h', NOW_MS));
    expect(dspBreakdown(sum, nameOf)).to.deep.equal([
      { dsp_id: 'dsp-1', dsp_name: 'name of dsp-1', wins: 5, spend_cents: 0.75, avg_cpm_cents: 250 },
      { dsp_id: 'dsp-2', dsp_name: 'name of dsp-2', wins: 1, spend_cents: 0.1, avg_cpm_cents: 100 },
    ]);
  });

  it('of a DSP', () => {
    const sum = sumLedgers(example.load('dsp', 'dsp-1', '6h'), reportWindowOf('6h', NOW_MS));
    expect(demandFigures(sum, '6h')).to.deep.equal({
      period: '6h',
      bid_requests: 10,
      bids: 8,
      wins: 5,
      impressions: 3,
      win_rate: 0.625,
      spend_cents: 0.75,
      avg_cpm_cents: 250,
    });
    const { timeout_rate, p50_ms } = demandTiming(sum);
    expect(timeout_rate).to.equal(0.1);
    expect(p50_ms).to.be.closeTo(50, 1);
    expect(publisherBreakdown(sum, nameOf)).to.deep.equal([
      { publisher_id: 'publisher-1', publisher_name: 'name of publisher-1', wins: 5, spend_cents: 0.75 },
    ]);
    expect(creativeBreakdown(sum)).to.deep.equal([
      { creative_id: 'crid-1', bids: 6, wins: 3, win_rate: 0.5, impressions: 2, ecpm_cents: 250 },
      { creative_id: 'crid-2', bids: 2, wins: 2, win_rate: 1, impressions: 1, ecpm_cents: 250 },
    ]);
  });

  it('of one region', () => {
    const sum = sumLedgers(example.load('dsp', 'dsp-1', '24h'), reportWindowOf('24h', NOW_MS), 'nyc');
    expect(demandFigures(sum, '24h')).to.include({ impressions: 1, spend_cents: 0.25, bid_requests: 0, win_rate: 0 });
  });

  it('of the platform, with rates of the moment', () => {
    const nowMs = START_MS + MINUTE_MS;
    const ledgers = example.load('platform', PLATFORM_OWNER_ID, '24h', nowMs);
    const rates = new Map([
      ['fra', 2],
      ['lon', 0.5],
    ]);
    const figures = platformFigures(ledgers, '24h', nowMs, rates);
    expect(figures).to.deep.include({
      generated_at: new Date(START_MS + MINUTE_MS).toISOString(),
      auctions: 120,
      impressions: 4,
      fill_rate: 0.75,
      revenue_cents: 0.7225,
      bid_requests_sent: 25,
      rps_current: 2.5,
      // It sold in nyc and does not now; in lon it has just begun.
      regions: { fra: { rps: 2, fill_rate: 0.75 }, nyc: { rps: 0, fill_rate: 0 }, lon: { rps: 0.5, fill_rate: 0 } },
    });
    expect(platformFigures(ledgers, '24h', nowMs, rates, 'fra').rps_current).to.equal(2);
    expect(platformFigures(ledgers, '24h', nowMs, rates, 'nyc').rps_current).to.equal(0);
  });

  it('of nothing are zeros', () => {
    const sum = sumLedgers([], reportWindowOf('30d', NOW_MS));
    expect(supplyFigures(sum, '30d')).to.deep.equal({
      period: '30d',
      impressions: 0,
      fill_rate: 0,
      revenue_cents: 0,
      ecpm_cents: 0,
      bid_requests: 0,
      p50_ms: 0,
      p95_ms: 0,
      p99_ms: 0,
    });
    expect(demandFigures(sum, '30d')).to.include({ win_rate: 0, avg_cpm_cents: 0 });
    expect(dspBreakdown(sum, nameOf)).to.be.empty;
  });

  it('by time are buckets aligned to UTC, oldest first, zeros too, that sum to the figures', () => {
    const lengths: Record<string, number> = { '1h': 2, '6h': 7, today: 13, '24h': 25, '7d': 8, '30d': 31 };
    for (const [period, length] of Object.entries(lengths) as [Period, number][]) {
      const { buckets } = timeSeries(example.load('publisher', 'publisher-1', period), period, NOW_MS, 'net');
      expect(buckets, period).to.have.length(length);
      expect(
        buckets.reduce((sum, { impressions }) => sum + impressions, 0),
        period,
      ).to.equal(4);
      expect(buckets.at(-1), period).to.include({ impressions: 4, revenue_cents: 0.7225 });
      const bucketMs = period.endsWith('d') ? DAY_MS : HOUR_MS;
      for (const [index, { timestamp }] of buckets.entries()) {
        const lastMs = Math.floor(NOW_MS / bucketMs) * bucketMs;
        expect(Date.parse(timestamp), period).to.equal(lastMs - (length - 1 - index) * bucketMs);
      }
    }
    expect(timeSeries(example.load('dsp', 'dsp-1', 'today'), 'today', NOW_MS, 'gross').buckets.at(-1)).to.include({
      revenue_cents: 0.75,
    });
  });
});

describe('periods', () => {
  it('cover at least the time that they name, from a whole page on', () => {
    const at = (iso: string) => Date.parse(iso);
    const from = (period: Period, iso: string) => new Date(reportWindowOf(period, at(iso)).fromMs).toISOString();
    expect(from('24h', '2026-03-14T12:30:00Z')).to.equal('2026-03-13T12:00:00.000Z');
    expect(from('24h', '2026-03-14T12:00:00Z')).to.equal('2026-03-13T12:00:00.000Z');
    expect(from('7d', '2026-03-14T12:30:00Z')).to.equal('2026-03-07T00:00:00.000Z');
    expect(from('14d', '2026-03-14T00:00:00Z')).to.equal('2026-02-28T00:00:00.000Z');
    expect(from('30d', '2026-03-14T23:59:59.999Z')).to.equal('2026-02-12T00:00:00.000Z');
    expect(from('1h', '2026-03-14T12:30:30Z')).to.equal('2026-03-14T11:30:00.000Z');
  });

  it('end with the page that is under way', () => {
    for (const period of ['1h', '6h', 'today', '24h', '7d', '14d', '30d'] as const) {
      const { fromMs, toMs, grain } = reportWindowOf(period, NOW_MS);
      expect(toMs, period).to.be.above(NOW_MS);
      expect((toMs - fromMs) % grain.lengthMs, period).to.equal(0);
      expect(fromMs % grain.lengthMs, period).to.equal(0);
    }
    expect(reportWindowOf('today', NOW_MS).fromMs).to.equal(Math.floor(NOW_MS / DAY_MS) * DAY_MS);
  });
});

describe('latency bins', () => {
  it('of parts add up to the percentiles of the whole, within 2 %', () => {
    const latencies = Array.from({ length: 2_000 }, (_, index) => 1 + ((index * 7919) % 2_000) / 10);
    const bins = {};
    for (let from = 0; from < 2_000; from += 50) addLatency(bins, latencyOf(latencies.slice(from, from + 50)));
    const sorted = [...latencies].sort((a, b) => a - b);
    for (const quantile of [0.5, 0.95, 0.99]) {
      const exact = sorted[Math.ceil(quantile * sorted.length) - 1]!;
      expect(latencyMsAt(bins, quantile)).to.be.closeTo(exact, exact * 0.02 + 0.1);
    }
  });
});
