import { expect } from 'chai';
import {
  creativeBreakdown,
  demandFigures,
  demandTiming,
  publisherBreakdown,
} from '../../actors/ledger/report/demand-report.ts';
import type { Period } from '../../actors/ledger/report/period.ts';
import { platformFigures } from '../../actors/ledger/report/platform-report.ts';
import { dspReportFigures, publisherReportFigures } from '../../actors/ledger/report/source-report.ts';
import { invoice, payout } from '../../actors/ledger/report/statement.ts';
import { dspBreakdown, supplyFigures } from '../../actors/ledger/report/supply-report.ts';
import { timeSeries } from '../../actors/ledger/report/time-series.ts';
import { centsOf, ecpmCentsOf, wholeCentsOf } from '../../exchange/money/cents.ts';
import { nanosPerImpression } from '../../exchange/money/nanos.ts';
import { cpmMicros, cpmOf } from '../../exchange/money/price.ts';
import { NOW_MS, WorkedExample } from './worked-example.ts';

/** The dictionary of money and metrics, term by term; the numbers in the comments were worked by hand. */
describe('the dictionary, by a worked example', () => {
  const example = new WorkedExample();
  const nameOf = (id: string) => id.toUpperCase();

  it('clearing price: the bid, first price, rounded once to whole micro-dollars CPM', () => {
    expect(cpmMicros(2.5)).to.equal(2_500_000);
    // 2.3456785 is 2,345,678.5 micro-dollars.
    expect([2_345_678, 2_345_679]).to.include(cpmMicros(2.3456785));
    expect(cpmMicros(0.1 + 0.2)).to.equal(300_000);
    expect(cpmOf(2_500_000)).to.equal(2.5);
  });

  it('one impression: CPM ÷ 1000, so 2.50 is 2,500 micro-dollars, a quarter of a cent', () => {
    const nanos = nanosPerImpression(cpmMicros(2.5));
    expect(nanos).to.equal(2_500_000);
    expect(centsOf(BigInt(nanos))).to.equal(0.25);
    // And back: 0.25 cents ÷ 1 impression × 1000 = 250 cents.
    expect(ecpmCentsOf(BigInt(nanos), 1)).to.equal(250);
  });

  it('gross, and DSP spend, which is the same number', () => {
    // Of 24h: 2500 + 2500 + 1000 + 4000 + 8000 + 1 + 16000 = 34,001 micro-dollars (the 32.00 was at 11:59 the day
    // before, in the hour before the first: from 12:00 to 13:00 of this day).
    const sold = example.sum('publisher', 'p1', '24h');
    expect(sold.grossNanos).to.equal(34_001_000n);
    const bought = ['d1', 'd2'].map((id) => example.sum('dsp', id, '24h').grossNanos);
    // d1: 2500 + 2500 + 4000 + 8000 + 16000; d2: 1000 + 1.
    expect(bought).to.deep.equal([33_000_000n, 1_001_000n]);
    expect(demandFigures(example.sum('dsp', 'd1', '24h'), '24h').spend_cents).to.equal(3.3);
  });

  it('revenue: gross less the fee at the moment of each impression', () => {
    // Of 6h: 2500 + 2500 + 1000 + 4000 = 10,000 micro-dollars, less 15 % = 8,500: 0.85 cents.
    const { revenue_cents, ecpm_cents, impressions } = supplyFigures(example.sum('publisher', 'p1', '6h'), '6h');
    // 0.85 ÷ 4 × 1000 = 212.5.
    expect({ revenue_cents, ecpm_cents, impressions }).to.deep.equal({
      revenue_cents: 0.85,
      ecpm_cents: 212.5,
      impressions: 4,
    });
    // Of today, too: 8000 at 20 % leave 6,400, and 1 at 20 % leaves 0.8: 14,900.8 micro-dollars, shown as 14,901.
    const today = supplyFigures(example.sum('publisher', 'p1', 'today'), 'today');
    expect(today.revenue_cents).to.equal(1.4901);
  });

  it('a breakdown by DSP sums to gross, not to revenue', () => {
    const rows = dspBreakdown(example.sum('publisher', 'p1', '6h'), nameOf);
    expect(rows).to.deep.equal([
      // 9,000 micro-dollars ÷ 3 × 1000 = 300 cents.
      { dsp_id: 'd1', dsp_name: 'D1', wins: 4, spend_cents: 0.9, avg_cpm_cents: 300 },
      { dsp_id: 'd2', dsp_name: 'D2', wins: 1, spend_cents: 0.1, avg_cpm_cents: 100 },
    ]);
    expect(publisherBreakdown(example.sum('dsp', 'd1', '6h'), nameOf)).to.deep.equal([
      { publisher_id: 'p1', publisher_name: 'P1', wins: 4, spend_cents: 0.9 },
    ]);
  });

  it("DSP invoice: spend and the DSP's fee; publisher payout: gross, fee, net", () => {
    // 1,000 impressions at a CPM of 12.345 are 1,234.5 cents; 10 % of it 123.45; together 1,357.95.
    const sum = { ...example.sum('dsp', 'none', '30d'), impressions: 1000, grossNanos: 12_345_000_000n };
    expect(invoice(sum, 100_000)).to.deep.equal({
      // Half to even: 1,234.5 is 1,234.
      spend_cents: 1234,
      fee_percent: 10,
      fee_cents: 124,
      total_due_cents: 1358,
      wins: 1000,
      currency: 'USD',
    });
    // Less 15 %, 185.175 cents, are 1,049.325.
    expect(payout({ ...sum, feeNanos: 1_851_750_000n }, 150_000)).to.deep.equal({
      gross_revenue_cents: 1234,
      fee_percent: 15,
      fee_cents: 185,
      net_payout_cents: 1049,
      impressions: 1000,
      currency: 'USD',
    });
  });

  it('auctions and bid requests: what reached the auction, not what was blocked', () => {
    expect(supplyFigures(example.sum('publisher', 'p1', '1h'), '1h').bid_requests).to.equal(12);
    expect(publisherReportFigures(example.sum('publisher', 'p1', '24h')).auctions).to.equal(12);
  });

  it('the platform: auctions, and bid requests sent', () => {
    const figures = platformFigures(example.ledgers('account', 'a1'), '6h', NOW_MS, new Map([['fra', 0.2]]));
    expect(figures).to.deep.include({
      period: '6h',
      generated_at: '2026-03-14T12:34:56.000Z',
      auctions: 12,
      impressions: 4,
      // 6 of 16 imps.
      fill_rate: 0.375,
      revenue_cents: 0.85,
      bid_requests_sent: 10,
      rps_current: 0.2,
      // 5 of 13, 1 of 3.
      regions: { fra: { rps: 0.2, fill_rate: 0.3846 }, nyc: { rps: 0, fill_rate: 0.3333 } },
    });
  });

  it('fill rate: imps with an ad ÷ imps auctioned; impressions never enter it', () => {
    // Thirteen imps and three, of which five and one had an ad.
    expect(supplyFigures(example.sum('publisher', 'p1', '1h'), '1h').fill_rate).to.equal(0.375);
    expect(supplyFigures(example.sum('publisher', 'p1', '1h', 'nyc'), '1h').fill_rate).to.equal(0.3333);
    expect(supplyFigures(example.sum('publisher', 'p1', '1h', 'lon'), '1h').fill_rate, 'none').to.equal(0);
  });

  it('win rate, average CPM, timeout rate', () => {
    const sum = example.sum('dsp', 'd1', '24h');
    expect(demandFigures(sum, '24h')).to.deep.equal({
      period: '24h',
      bid_requests: 10,
      bids: 8,
      wins: 4,
      impressions: 5,
      // 4 ÷ 8.
      win_rate: 0.5,
      spend_cents: 3.3,
      // 33,000 micro-dollars ÷ 5 × 1000 = 6.60 dollars.
      avg_cpm_cents: 660,
    });
    expect(demandTiming(sum).timeout_rate).to.equal(0.1);
    expect(dspReportFigures(sum)).to.deep.equal({ spend_cents: 3.3, wins: 5, avg_cpm: 6.6 });
    expect(demandFigures(example.sum('dsp', 'd2', '24h'), '24h').win_rate, 'no bids').to.equal(0);
  });

  it('percentiles are those of all calls together', () => {
    // 10, 20, 30, 40 and 200 ms: the middle is 30; the mean of two medians would be 112. Within 40 ms are 80 % of them,
    // so that 95 % and 99 % took up to 200.
    const { p50_ms, p95_ms, p99_ms } = supplyFigures(example.sum('publisher', 'p1', '1h'), '1h');
    expect(p50_ms).to.be.closeTo(30, 0.6);
    for (const high of [p95_ms, p99_ms]) expect(high).to.be.closeTo(200, 4);
    // 50 and 60 ms: half took up to 50, and 95 % up to 60.
    const dsp = demandTiming(example.sum('dsp', 'd1', '1h'));
    expect(dsp.p50_ms).to.be.closeTo(50, 1);
    expect(dsp.p95_ms).to.be.closeTo(60, 1.2);
  });

  it('cents: up to four decimals, each rounded once, half to even; whole ones where integers are promised', () => {
    expect(centsOf(14_900_800n)).to.equal(1.4901);
    expect([centsOf(500n), centsOf(1_500n)], 'half a micro-dollar, one and a half').to.deep.equal([0, 0.0002]);
    expect([wholeCentsOf(5_000_000n), wholeCentsOf(15_000_000n)]).to.deep.equal([0, 2]);
  });

  it('periods: trailing minutes, midnight, hours and days', () => {
    const impressions = (period: Period) => example.sum('publisher', 'p1', period).impressions;
    // 1h: 11:34 to 12:35. 6h: 06:34 to 12:35. Today: from midnight. 24h: 12:00 to 13:00. 7d: 7 to 14 March.
    // 14d: 28 February to 14 March. 30d: 12 February to 14 March.
    const all = (['1h', '6h', 'today', '24h', '7d', '14d', '30d'] as const).map(impressions);
    expect(all).to.deep.equal([2, 4, 6, 7, 9, 10, 11]);
  });

  it('time series: hours or days of UTC, zeros too, oldest first', () => {
    const series = (period: Period) => timeSeries(example.ledgers('publisher', 'p1'), period, NOW_MS, 'net').buckets;
    // The impression of 11:33:59 is not in the period; the others are 2,125 micro-dollars each.
    expect(series('1h')).to.deep.equal([
      { timestamp: '2026-03-14T11:00:00.000Z', impressions: 1, revenue_cents: 0.2125 },
      { timestamp: '2026-03-14T12:00:00.000Z', impressions: 1, revenue_cents: 0.2125 },
    ]);
    expect(series('6h')).to.deep.equal([
      { timestamp: '2026-03-14T06:00:00.000Z', impressions: 1, revenue_cents: 0.34 },
      { timestamp: '2026-03-14T07:00:00.000Z', impressions: 0, revenue_cents: 0 },
      { timestamp: '2026-03-14T08:00:00.000Z', impressions: 0, revenue_cents: 0 },
      { timestamp: '2026-03-14T09:00:00.000Z', impressions: 0, revenue_cents: 0 },
      { timestamp: '2026-03-14T10:00:00.000Z', impressions: 0, revenue_cents: 0 },
      // 850 + 2,125 micro-dollars.
      { timestamp: '2026-03-14T11:00:00.000Z', impressions: 2, revenue_cents: 0.2975 },
      { timestamp: '2026-03-14T12:00:00.000Z', impressions: 1, revenue_cents: 0.2125 },
    ]);
    const week = series('7d');
    expect(week.map(({ impressions }) => impressions)).to.deep.equal([1, 0, 0, 0, 0, 0, 2, 6]);
    expect(week[0]).to.deep.equal({ timestamp: '2026-03-07T00:00:00.000Z', impressions: 1, revenue_cents: 5.12 });
    expect([series('today').length, series('24h').length, series('30d').length]).to.deep.equal([13, 25, 31]);
  });

  it('a creative: bids, wins, win rate, impressions, eCPM', () => {
    expect(creativeBreakdown(example.sum('dsp', 'd1', '6h'))).to.deep.equal([
      // 4000 + 2500 micro-dollars ÷ 2 × 1000 = 325 cents.
      { creative_id: 'red', bids: 5, wins: 3, win_rate: 0.6, impressions: 2, ecpm_cents: 325 },
      { creative_id: 'blue', bids: 3, wins: 1, win_rate: 0.3333, impressions: 1, ecpm_cents: 250 },
    ]);
  });
});
