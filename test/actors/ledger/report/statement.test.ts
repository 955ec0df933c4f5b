import { expect } from 'chai';
import fc from 'fast-check';
import { monthOf, reportWindowOfMonth } from '#actors/ledger/report/month';
import { invoice, payout, statusOf } from '#actors/ledger/report/statement';
import { sumLedgers } from '#actors/ledger/report/sum-ledgers';
import { bookedLedger } from './booked-ledger.ts';

/** The sum of one ledger in which exactly this was booked. */
const sumOf = (impressions: number, grossNanos: number, feeNanos: number) =>
  sumLedgers([bookedLedger('2026-11-02', 0, { impressions, grossNanos, feeNanos })], reportWindowOfMonth('2026-11')!);

/** 1 cent is 10,000,000 nano-dollars. */
const CENT = 10_000_000;

describe('actors/ledger/report/statements', () => {
  describe('a payout, worked by hand', () => {
    // 1,000 impressions at a CPM of 2.50 are 2.50 dollars; 15 % of that are 37.5 cents.
    it('of 250 cents less 15 % is 212.5, to the even cent 212, and 38 for the exchange', () => {
      expect(payout(sumOf(1000, 250 * CENT, 37.5 * CENT), 150_000)).to.deep.equal({
        gross_revenue_cents: 250,
        fee_percent: 15,
        fee_cents: 38,
        net_payout_cents: 212,
        impressions: 1000,
        currency: 'USD',
      });
    });

    it('rounds gross and net once each, halves to the even cent', () => {
      // 3.5 cents gross and 1 of fee: 3.5 → 4, 2.5 → 2, so the fee is 2 and not 1.
      const { gross_revenue_cents, fee_cents, net_payout_cents } = payout(sumOf(1, 3.5 * CENT, CENT), 0);
      expect([gross_revenue_cents, fee_cents, net_payout_cents]).to.deep.equal([4, 2, 2]);
    });

    it('of nothing is nothing', () => {
      expect(payout(sumLedgers([], reportWindowOfMonth('2026-11')!), 25_000)).to.deep.equal({
        gross_revenue_cents: 0,
        fee_percent: 2.5,
        fee_cents: 0,
        net_payout_cents: 0,
        impressions: 0,
        currency: 'USD',
      });
    });
  });

  describe('an invoice, worked by hand', () => {
    it('of 250 cents and 5 % is 262.5, to the even cent 262, of which 12 are the fee', () => {
      expect(invoice(sumOf(1000, 250 * CENT, 0), 50_000)).to.deep.equal({
        spend_cents: 250,
        fee_percent: 5,
        fee_cents: 12,
        total_due_cents: 262,
        wins: 1000,
        currency: 'USD',
      });
    });

    it('adds the fee to the exact spend, not to the rounded one', () => {
      // 0.4 cents and 25 %: 0.5 cents, to the even cent 0. 0.4 cents and 26 %: 0.504 cents, 1.
      expect(invoice(sumOf(1, 0.4 * CENT, 0), 250_000).total_due_cents).to.equal(0);
      expect(invoice(sumOf(1, 0.4 * CENT, 0), 260_000)).to.include({
        spend_cents: 0,
        fee_cents: 1,
        total_due_cents: 1,
      });
    });
  });

  it('always add up, and pay within half a cent of what is exact', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10 ** 15 }),
        fc.integer({ min: 0, max: 1_000_000 }),
        (grossNanos, feePpm) => {
          const feeNanos = Number((BigInt(grossNanos) * BigInt(feePpm)) / 1_000_000n);
          const paid = payout(sumOf(1, grossNanos, feeNanos), feePpm);
          expect(paid.gross_revenue_cents - paid.fee_cents).to.equal(paid.net_payout_cents);
          expect(paid.fee_cents).to.be.at.least(0);
          expect(Math.abs(paid.net_payout_cents * CENT - (grossNanos - feeNanos))).to.be.at.most(CENT / 2);
          const owed = invoice(sumOf(1, grossNanos, 0), feePpm);
          expect(owed.spend_cents + owed.fee_cents).to.equal(owed.total_due_cents);
          expect(owed.fee_cents).to.be.at.least(0);
          const twiceOff = 2n * BigInt(owed.total_due_cents) * BigInt(CENT) * 1_000_000n;
          const twiceExact = 2n * BigInt(grossNanos) * BigInt(1_000_000 + feePpm);
          const off = twiceOff > twiceExact ? twiceOff - twiceExact : twiceExact - twiceOff;
          expect(off <= BigInt(CENT) * 1_000_000n).to.equal(true);
        },
      ),
    );
  });

  describe('a month', () => {
    it('is that of UTC', () => {
      expect(monthOf(Date.parse('2026-10-31T23:59:59.999Z'))).to.equal('2026-10');
      expect(monthOf(Date.parse('2026-11-01T00:00:00Z'))).to.equal('2026-11');
    });

    it('goes from its first instant to the next month', () => {
      const ends = ({ fromMs, toMs }: { fromMs: number; toMs: number }) =>
        [fromMs, toMs].map((atMs) => new Date(atMs).toISOString());
      expect(ends(reportWindowOfMonth('2026-12')!)).to.deep.equal([
        '2026-12-01T00:00:00.000Z',
        '2027-01-01T00:00:00.000Z',
      ]);
      expect(ends(reportWindowOfMonth('2028-02')!)).to.deep.equal([
        '2028-02-01T00:00:00.000Z',
        '2028-03-01T00:00:00.000Z',
      ]);
      expect(ends(reportWindowOfMonth('0099-09')!)).to.deep.equal([
        '0099-09-01T00:00:00.000Z',
        '0099-10-01T00:00:00.000Z',
      ]);
    });

    it('counts its own hours alone, the first and the last', () => {
      const one = { impressions: 1, grossNanos: 1, feeNanos: 0 };
      const ledgers = [
        bookedLedger('2026-10-31', 23, one),
        bookedLedger('2026-11-01', 0, one),
        bookedLedger('2026-11-30', 23, one),
        bookedLedger('2026-12-01', 0, one),
      ];
      expect(sumLedgers(ledgers, reportWindowOfMonth('2026-11')!).impressions).to.equal(2);
    });

    it('is written YYYY-MM', () => {
      for (const month of ['2026-13', '2026-00', '2026-1', '26-01', '2026-01-01', '', 'now', ' 2026-01']) {
        expect(reportWindowOfMonth(month), month).to.equal(null);
      }
    });

    it('is final when it is over', () => {
      expect(statusOf('2026-10', '2026-11')).to.equal('finalized');
      expect(statusOf('2025-12', '2026-01')).to.equal('finalized');
      expect(statusOf('2026-11', '2026-11')).to.equal('in_progress');
    });
  });
});
