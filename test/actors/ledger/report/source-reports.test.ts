import { expect } from 'chai';
import { dailyReport } from '#actors/ledger/report/daily-report';
import { reportWindowOf } from '#actors/ledger/report/period';
import { dspReportFigures, publisherReportFigures } from '#actors/ledger/report/source-report';
import { sumLedgers } from '#actors/ledger/report/sum-ledgers';
import { bookedLedger } from './booked-ledger.ts';

const nowMs = Date.parse('2026-11-08T10:30:00Z');
const counts = { auctions: 2000, imps: 4000, filledImps: 1000, wins: 900 };
/** 1,000 impressions at a CPM of 2.50, of which the exchange keeps 20 %. */
const sum = { impressions: 1000, grossNanos: 2_500_000_000, feeNanos: 500_000_000 };
const ledgers = [
  bookedLedger('2026-11-01', 23, sum, counts),
  bookedLedger('2026-11-02', 0, sum, counts),
  bookedLedger('2026-11-08', 10, { impressions: 3, grossNanos: 7_500_001, feeNanos: 0 }, { auctions: 1 }),
];

describe('actors/ledger/report/source reports', () => {
  it('of a publisher say its payout and the CPM of that in dollars', () => {
    expect(publisherReportFigures(sumLedgers(ledgers.slice(0, 1), reportWindowOf('14d', nowMs)))).to.deep.equal({
      impressions: 1000,
      revenue_cents: 200,
      auctions: 2000,
      fill_rate: 0.25,
      avg_cpm: 2,
    });
  });

  it('of a DSP say its spend, what of its wins was rendered, and the CPM of that in dollars', () => {
    const figures = dspReportFigures(sumLedgers(ledgers.slice(0, 1), reportWindowOf('14d', nowMs)));
    expect(figures).to.deep.equal({ spend_cents: 250, wins: 1000, avg_cpm: 2.5 });
  });

  it('round a CPM to whole micro-dollars, and have none without impressions', () => {
    const odd = dspReportFigures(sumLedgers(ledgers.slice(2), reportWindowOf('24h', nowMs)));
    // 7,500,001 nano-dollars over 3 impressions.
    expect(odd.avg_cpm).to.equal(2.5);
    expect(dspReportFigures(sumLedgers([], reportWindowOf('24h', nowMs))).avg_cpm).to.equal(0);
  });

  it('by day have a row for each UTC day, today too, oldest first', () => {
    const rows = dailyReport(ledgers, '7d', nowMs);
    expect(rows.map(({ date }) => date)).to.deep.equal([
      '2026-11-01',
      '2026-11-02',
      '2026-11-03',
      '2026-11-04',
      '2026-11-05',
      '2026-11-06',
      '2026-11-07',
      '2026-11-08',
    ]);
    expect(rows[1]).to.deep.equal({
      date: '2026-11-02',
      auctions: 2000,
      impressions: 1000,
      fill_rate: 0.25,
      revenue_cents: 200,
      ecpm_cents: 200,
    });
    expect(rows[4]).to.include({ auctions: 0, impressions: 0, fill_rate: 0, revenue_cents: 0, ecpm_cents: 0 });
    expect(rows[7]).to.include({ auctions: 1, impressions: 3, revenue_cents: 0.75, ecpm_cents: 250 });
    expect(dailyReport(ledgers, '14d', nowMs)).to.have.length(15);
    expect(dailyReport([], '30d', nowMs)).to.have.length(31);
  });
});
