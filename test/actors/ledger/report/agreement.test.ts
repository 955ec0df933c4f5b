import { expect } from 'chai';
import fc from 'fast-check';
import { isFiled } from '#actors/ledger/closed-hours';
import { ledger } from '#actors/ledger/ledger';
import { dayLedgerId, hourLedgerId, hourOfLedger } from '#actors/ledger/ledger-id';
import type { ClosedHour } from '#actors/ledger/messages';
import { DAILY_PERIODS, dailyReport } from '#actors/ledger/report/daily-report';
import { demandFigures, publisherBreakdown } from '#actors/ledger/report/demand-report';
import { monthOf, reportWindowOfMonth } from '#actors/ledger/report/month';
import { type Period, type ReportWindow, reportWindowOf } from '#actors/ledger/report/period';
import { platformFigures } from '#actors/ledger/report/platform-report';
import { dspReportFigures, publisherReportFigures } from '#actors/ledger/report/source-report';
import { invoice, payout } from '#actors/ledger/report/statement';
import { type LedgerPages, type StoredLedger, sumLedgers } from '#actors/ledger/report/sum-ledgers';
import { dspBreakdown, supplyFigures } from '#actors/ledger/report/supply-report';
import { timeSeries } from '#actors/ledger/report/time-series';
import type { LedgerState } from '#actors/ledger/state';
import { leavingOf } from '#test/support/leaving-minutes';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const PERIODS: readonly Period[] = ['1h', '6h', 'today', '24h', '7d', '14d', '30d'];
const SPANS: Readonly<Record<Exclude<Period, 'today'>, number>> = {
  '1h': 60 * MINUTE_MS,
  '6h': 6 * 60 * MINUTE_MS,
  '24h': DAY_MS,
  '7d': 7 * DAY_MS,
  '14d': 14 * DAY_MS,
  '30d': 30 * DAY_MS,
};
const REGIONS = ['fra', 'nyc', 'lon'] as const;
const PUBLISHERS = ['p1', 'p2', 'p3'];
const DSPS = ['d1', 'd2'];
/** Nano-dollars in one ten-thousandth of a cent, the last decimal that is shown. */
const MICRO = 1000;

interface Trade {
  readonly atMs: number;
  readonly region: (typeof REGIONS)[number];
  readonly publisher: string;
  readonly dsp: string;
  readonly grossNanos: number;
  readonly feeNanos: number;
}

/**
 * Instants at which months, years and the clocks of people change: leap day, its absence, new year, both summer times.
 */
const TURNS = [
  '2028-03-01T00:30:00Z',
  '2027-03-01T00:30:00Z',
  '2027-01-01T00:00:00Z',
  '2026-03-29T01:00:00Z',
  '2026-10-25T01:00:00Z',
  '2026-11-21T23:59:59.999Z',
].map(Date.parse);

const now = fc.tuple(fc.constantFrom(...TURNS), fc.integer({ min: -DAY_MS, max: DAY_MS })).map(([at, by]) => at + by);

/** Some minutes ago, some hours, some weeks: each period is to have something on its edges. */
const agoMs = fc.oneof(
  fc.integer({ min: 0, max: 65 * MINUTE_MS }),
  fc.integer({ min: 0, max: 26 * 60 * MINUTE_MS }),
  fc.integer({ min: 0, max: 33 * DAY_MS }),
);

const trades = fc.array(
  fc
    .record({
      agoMs,
      region: fc.constantFrom(...REGIONS),
      publisher: fc.constantFrom(...PUBLISHERS),
      dsp: fc.constantFrom(...DSPS),
      grossNanos: fc.integer({ min: 0, max: 50_000_000 }),
      feePpm: fc.constantFrom(0, 150_000, 333_333, 1_000_000),
    })
    .map(({ feePpm, ...trade }) => ({ ...trade, feeNanos: Math.round((trade.grossNanos * feePpm) / 1_000_000) })),
  { maxLength: 60 },
);

/**
 * The ledgers of both sides, booked by the ledgers' own reducer in the order of time; of every other hour they are
 * filed.
 */
class Books {
  readonly #states = new Map<string, StoredLedger>();

  constructor(booked: readonly Trade[]) {
    for (const [index, trade] of [...booked].sort((a, b) => a.atMs - b.atMs).entries()) {
      this.#book('publisher', trade.publisher, trade.dsp, trade, index);
      this.#book('dsp', trade.dsp, trade.publisher, trade, index);
    }
    for (const { id, state } of [...this.#states.values()]) if (hourOfLedger(id)! % 2 === 1) this.#file(id, state);
  }

  /** As a reader finds them: days, and the hours that these have not received. Minutes stay with filed hours. */
  of(scope: 'publisher' | 'dsp', whose: string, { grain }: Pick<ReportWindow, 'grain'>): LedgerPages[] {
    const own = [...this.#states.values()].filter(({ id }) => id.startsWith(`${scope}:${whose}:`));
    // What has left these ledgers is nowhere else yet.
    if (grain.name === 'minutes') return [...own, ...own.flatMap(leavingOf)];
    const days = new Map(own.map(({ id, state }) => [id, state]));
    return own.filter(({ id }) => {
      const hour = hourOfLedger(id);
      return hour === null || !isFiled(days.get(dayLedgerId(id)) ?? {}, hour);
    });
  }

  #file(id: string, state: LedgerState): void {
    const context = { id, address: `ledger/${id}`, nowMs: 0, position: '9-0', random: () => 0 };
    ledger.handle(state, { type: 'close', body: {} }, context);
    for (const { to, type, body } of ledger.totals!(state, null, id)) {
      if (type === 'minutes') continue;
      const dayId = to.slice('ledger/'.length);
      const day = this.#states.get(dayId) ?? { id: dayId, state: ledger.initial(dayId) };
      this.#states.set(dayId, day);
      const told = structuredClone(body) as ClosedHour;
      ledger.handle(day.state, { type: 'hour', body: told }, { ...context, id: dayId, address: to });
    }
  }

  /** Each trade by a partition of its own. */
  #book(scope: 'publisher' | 'dsp', whose: string, counterparty: string, trade: Trade, partition: number): void {
    const { atMs, region, grossNanos, feeNanos } = trade;
    const minuteMs = Math.floor(atMs / MINUTE_MS) * MINUTE_MS;
    const id = hourLedgerId(scope, whose, minuteMs, false);
    const stored = this.#states.get(id) ?? { id, state: ledger.initial(id) };
    this.#states.set(id, stored);
    const sum = { impressions: 1, grossNanos, feeNanos };
    const regions = [{ region, ...sum, counterparties: [{ id: counterparty, ...sum }], creatives: [] }];
    const version = `${atMs}-0`;
    const context = { id, address: `ledger/${id}`, nowMs: atMs, position: version, random: () => 0 };
    const body = { partition, minuteMs, version, regions };
    ledger.handle(stored.state, { type: 'totals', body }, context);
    const named = { counterparties: [{ id: counterparty, bids: 2, wins: 1 }], creatives: [] };
    const counts = { auctions: 3, imps: 4, filledImps: 1, bids: 2, wins: 1, bidRequests: 3 };
    ledger.handle(stored.state, { type: 'facts', body: { minuteMs, region, counts, ...named, latency: {} } }, context);
  }
}

const nanosOf = (cents: number) => Math.round(cents * 10_000) * MICRO;
const total = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);

describe('actors/ledger/report/agreement of reports on random ledgers', () => {
  const onRandomBooks = (check: (books: Books, booked: readonly Trade[], nowMs: number) => void) =>
    fc.assert(
      fc.property(now, trades, (nowMs, drawn) => {
        const booked = drawn.map(({ agoMs: ago, ...trade }) => ({ ...trade, atMs: nowMs - ago }));
        check(new Books(booked), booked, nowMs);
      }),
      { numRuns: 120 },
    );
  const ledgersOf = (books: Books, scope: 'publisher' | 'dsp', ids: readonly string[], period: Period, nowMs: number) =>
    ids.flatMap((id) => books.of(scope, id, reportWindowOf(period, nowMs)));

  it('each period and region holds what was traded in it, and both sides say the same', () => {
    onRandomBooks((books, booked, nowMs) => {
      for (const period of PERIODS)
        for (const region of [null, ...REGIONS]) {
          const { fromMs, toMs } = reportWindowOf(period, nowMs);
          expect(toMs, 'now is in every period').to.be.above(nowMs);
          if (period === 'today') expect(fromMs).to.equal(new Date(nowMs).setUTCHours(0, 0, 0, 0));
          else {
            // From the page in which what the period names began to the one that is under way.
            const pageMs = reportWindowOf(period, nowMs).grain.lengthMs;
            expect(nowMs - fromMs, period).to.be.within(SPANS[period], SPANS[period] + pageMs - 1);
            expect(toMs - fromMs, period).to.equal(SPANS[period] + pageMs);
          }
          const within = booked.filter(
            (trade) => trade.atMs >= fromMs && trade.atMs < toMs && (region === null || trade.region === region),
          );
          const gross = total(within.map(({ grossNanos }) => grossNanos));
          const fees = total(within.map(({ feeNanos }) => feeNanos));
          const sold = sumLedgers(
            ledgersOf(books, 'publisher', PUBLISHERS, period, nowMs),
            reportWindowOf(period, nowMs),
            region,
          );
          const bought = sumLedgers(
            ledgersOf(books, 'dsp', DSPS, period, nowMs),
            reportWindowOf(period, nowMs),
            region,
          );
          for (const sum of [sold, bought]) {
            const said = [sum.impressions, Number(sum.grossNanos), Number(sum.feeNanos)];
            expect(said, `${period} ${region}`).to.deep.equal([within.length, gross, fees]);
          }
        }
    });
  });

  it('figures of an account are the sums of those of its sources', () => {
    onRandomBooks((books, _booked, nowMs) => {
      for (const period of PERIODS) {
        const all = platformFigures(ledgersOf(books, 'publisher', PUBLISHERS, period, nowMs), period, nowMs, new Map());
        const each = PUBLISHERS.map((id) =>
          supplyFigures(
            sumLedgers(ledgersOf(books, 'publisher', [id], period, nowMs), reportWindowOf(period, nowMs)),
            period,
          ),
        );
        expect(all.impressions).to.equal(total(each.map(({ impressions }) => impressions)));
        expect(all.auctions).to.equal(total(each.map((figures) => figures.bid_requests)));
        // Each is rounded once to the last decimal that it shows.
        const apart = nanosOf(all.revenue_cents) - total(each.map((figures) => nanosOf(figures.revenue_cents)));
        expect(Math.abs(apart)).to.be.at.most((MICRO / 2) * (PUBLISHERS.length + 1));
      }
    });
  });

  it('breakdowns sum to gross, time series and days to the period', () => {
    onRandomBooks((books, _booked, nowMs) => {
      for (const period of PERIODS) {
        const ledgers = ledgersOf(books, 'publisher', ['p1'], period, nowMs);
        const sum = sumLedgers(ledgers, reportWindowOf(period, nowMs));
        const rows = dspBreakdown(sum, (id) => id);
        expect(total(rows.map(({ wins }) => wins))).to.equal(sum.impressions);
        const spent = total(rows.map((row) => nanosOf(row.spend_cents)));
        expect(Math.abs(spent - Number(sum.grossNanos))).to.be.at.most((MICRO / 2) * rows.length);
        const { buckets } = timeSeries(ledgers, period, nowMs, 'net');
        expect(total(buckets.map(({ impressions }) => impressions))).to.equal(sum.impressions);
        const revenue = total(buckets.map((bucket) => nanosOf(bucket.revenue_cents)));
        const exact = Number(sum.grossNanos - sum.feeNanos);
        expect(Math.abs(revenue - exact)).to.be.at.most((MICRO / 2) * buckets.length);

        const bought = sumLedgers(ledgersOf(books, 'dsp', ['d1'], period, nowMs), reportWindowOf(period, nowMs));
        const shares = publisherBreakdown(bought, (id) => id);
        expect(total(shares.map(({ wins }) => wins))).to.equal(demandFigures(bought, period).impressions);
      }
      for (const period of DAILY_PERIODS) {
        const ledgers = ledgersOf(books, 'publisher', ['p1'], period, nowMs);
        const days = dailyReport(ledgers, period, nowMs);
        const sum = sumLedgers(ledgers, reportWindowOf(period, nowMs));
        expect(days).to.have.length(Number.parseInt(period, 10) + 1);
        expect(days.at(-1)!.date, 'today').to.equal(new Date(nowMs).toISOString().slice(0, 10));
        expect(total(days.map(({ impressions }) => impressions))).to.equal(sum.impressions);
        expect(total(days.map(({ auctions }) => auctions))).to.equal(3 * sum.impressions);
      }
    });
  });

  it('statements of the months that a time touches hold it whole, and every impression is in one month', () => {
    onRandomBooks((books, booked, nowMs) => {
      const months = [...new Set(booked.map(({ atMs }) => monthOf(atMs)))];
      let paid = 0;
      let owed = 0;
      for (const month of months) {
        const window = reportWindowOfMonth(month)!;
        const within = booked.filter(({ atMs }) => new Date(atMs).toISOString().startsWith(month));
        for (const scope of ['publisher', 'dsp'] as const)
          for (const id of scope === 'publisher' ? PUBLISHERS : DSPS) {
            const sum = sumLedgers(books.of(scope, id, window), window);
            const own = within.filter((trade) => trade[scope] === id);
            expect(sum.impressions, `${scope} ${id} in ${month}`).to.equal(own.length);
            expect(Number(sum.grossNanos)).to.equal(total(own.map(({ grossNanos }) => grossNanos)));
            if (scope === 'publisher') paid += payout(sum, 0).impressions;
            else owed += invoice(sum, 0).wins;
          }
      }
      expect([paid, owed], `by ${new Date(nowMs).toISOString()}`).to.deep.equal([booked.length, booked.length]);
    });
  });

  it('an average CPM in dollars is a hundredth of the one in cents', () => {
    onRandomBooks((books, _booked, nowMs) => {
      const sold = sumLedgers(ledgersOf(books, 'publisher', ['p1'], '14d', nowMs), reportWindowOf('14d', nowMs));
      const report = publisherReportFigures(sold);
      expect(report.avg_cpm).to.be.closeTo(supplyFigures(sold, '14d').ecpm_cents / 100, 1e-6);
      const bought = sumLedgers(ledgersOf(books, 'dsp', ['d1'], '14d', nowMs), reportWindowOf('14d', nowMs));
      expect(dspReportFigures(bought).avg_cpm).to.be.closeTo(demandFigures(bought, '14d').avg_cpm_cents / 100, 1e-6);
      expect(dspReportFigures(bought).spend_cents).to.equal(demandFigures(bought, '14d').spend_cents);
    });
  });
});
