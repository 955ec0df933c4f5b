import { expect } from 'chai';
import { budget } from '../../../../actors/budget/budget.ts';
import { standingAt } from '../../../../actors/budget/standing.ts';
import { type BudgetState, emptyBudget } from '../../../../actors/budget/state.ts';
import { emptyLedger } from '../../../../actors/ledger/reduce.ts';
import { BOOKS, watermark } from '../../../../actors/watermark/watermark.ts';
import { actorKinds } from '../../../../composition/actor-kinds.ts';
import { HeldBudget } from '../../../../gateways/edge/budgets/held-budget.ts';
import { openBudget, openingOf } from '../../../../gateways/edge/budgets/open-budget.ts';
import { systemClock } from '../../../../runtime/providers/system/system-clock.ts';
import { RunningNodes } from '../../../runtime/node/running-nodes.ts';

const NOON = Date.UTC(2026, 2, 14, 12);
const SLOT_MS = 300_000;

/** A day's books: what was billed in all, and what of it was sold in which slot. */
function ledgerOf(day: string, grossNanos: number, slots: Readonly<Record<number, number>>) {
  const id = `campaign:c:${day}`;
  const page = { impressions: 1, grossNanos, feeNanos: 0, counts: {}, latency: {}, counterparties: {}, creatives: {} };
  const sold = Object.entries(slots).map(([slotMs, nanos]) => [slotMs, { impressions: 1, grossNanos: nanos }]);
  return { id, state: { ...emptyLedger(id), hours: { 12: { fra: page } }, slots: Object.fromEntries(sold) } };
}

describe('opening a budget', () => {
  const HOUR_MS = 3_600_000;
  let nodes: RunningNodes;
  before(async () => {
    nodes = await RunningNodes.open();
  });
  after(() => nodes.close());

  it('sums for good what the books have outlived, and nothing else: not what is still on its way to them', async () => {
    const { messenger } = await nodes.start(actorKinds);
    const { store } = nodes.embedded;
    const clock = { ...systemClock, now: () => NOON };
    const opened = async (id: string) => {
      const holder = { scope: 'campaign', id, sandbox: false } as const;
      const limits = { dailyNanos: 100, totalNanos: 0, sinceMs: NOON - 9 * HOUR_MS, revision: 1 };
      const held = new HeldBudget({ id: `campaign:${id}`, holder, limits }, NOON);
      await openBudget({ store, messenger, clock, latestMs: 2 * HOUR_MS }, held);
      const [document] = await store.load([{ kind: budget.kind, id: held.id }]);
      return (document!.state as BudgetState).settledThroughMs;
    };
    const overMs = NOON - 2 * HOUR_MS;
    expect(await opened('no books'), 'its last impressions may be a slot late').to.equal(overMs - 2 * SLOT_MS);
    await messenger.ask(watermark, BOOKS, 'raise', { throughMs: NOON - 1 });
    expect(await opened('books a moment behind')).to.equal(overMs - 2 * SLOT_MS);
    await messenger.ask(watermark, BOOKS, 'raise', { throughMs: NOON });
    expect(await opened('books that are complete')).to.equal(overMs - SLOT_MS);
  });
});

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
    expect(before.spentTotalNanos, 'all that was billed, of any day').to.equal(150n);
    expect(standingAt(emptyBudget(), ledgers, NOON), 'asked for, and not opened').to.deep.equal(before);
    const settled = { openedSinceMs: 7, settledNanos: 115, settledDays: [{ day: '2026-03-14', nanos: 5 }] };
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
