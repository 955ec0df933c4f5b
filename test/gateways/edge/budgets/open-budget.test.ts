import { expect } from 'chai';
import { standingAt } from '../../../../actors/budget/standing.ts';
import { emptyBudget } from '../../../../actors/budget/state.ts';
import { emptyLedger } from '../../../../actors/ledger/reduce.ts';
import { openingOf } from '../../../../gateways/edge/budgets/open-budget.ts';

const NOON = Date.UTC(2026, 2, 14, 12);
const SLOT_MS = 300_000;

/** A day's books: what was billed in all, and what of it was sold in which slot. */
function ledgerOf(day: string, grossNanos: number, slots: Readonly<Record<number, number>>) {
  const id = `campaign:c:${day}`;
  const page = { impressions: 1, grossNanos, feeNanos: 0, counts: {}, latency: {}, counterparties: {}, creatives: {} };
  const sold = Object.entries(slots).map(([slotMs, nanos]) => [slotMs, { impressions: 1, grossNanos: nanos }]);
  return { id, state: { ...emptyLedger(id), hours: { 12: { fra: page } }, slots: Object.fromEntries(sold) } };
}

describe('what ledgers say of a budget that nothing was leased of', () => {
  const yesterdayMs = NOON - 13 * 3_600_000;
  const ledgers = [
    ledgerOf('2026-03-13', 100, { [yesterdayMs]: 60 }),
    // Billed today, sold yesterday; 5 of it by an older edge that did not say when.
    ledgerOf('2026-03-14', 50, { [yesterdayMs]: 10, [NOON - SLOT_MS]: 15, [NOON]: 20 }),
  ];

  it('is charged to the day of the sale; slots that may still grow are named', () => {
    const opening = openingOf(ledgers, 7, NOON - SLOT_MS);
    expect(opening).to.deep.equal({
      sinceMs: 7,
      spentNanos: 115,
      days: [
        { day: '2026-03-13', spentNanos: 110 },
        { day: '2026-03-14', spentNanos: 5 },
      ],
      slotsFromMs: NOON - SLOT_MS,
      slots: [
        { slotMs: NOON - SLOT_MS, spentNanos: 15 },
        { slotMs: NOON, spentNanos: 20 },
      ],
    });
  });

  it('is what the API calls spent; what is leased beyond it is reserved', () => {
    const before = standingAt(null, ledgers, NOON);
    expect([before.spentTodayNanos, before.reservedTodayNanos]).to.deep.equal([40n, 0n]);
    const settled = { settledNanos: 115, settledDays: [{ day: '2026-03-14', nanos: 5 }] };
    const slots = [
      { slotMs: NOON - SLOT_MS, seededNanos: 0, closedNanos: 30, grants: [] },
      { slotMs: NOON, seededNanos: 0, closedNanos: 0, grants: [{ edge: 'e', nanos: 100 }] },
    ];
    const state = { ...emptyBudget(), ...settled, settledThroughMs: NOON - 2 * SLOT_MS, slots };
    expect(standingAt(state, ledgers, NOON)).to.deep.equal({
      spentTodayNanos: 40n,
      reservedTodayNanos: 95n,
      spentTotalNanos: 150n,
      reservedTotalNanos: 95n,
    });
  });
});
