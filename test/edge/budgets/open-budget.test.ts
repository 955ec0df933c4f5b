import { expect } from 'chai';
import { budget } from '#actors/budget/budget';
import { budgetStatusAt } from '#actors/budget/budget-status';
import { type BudgetState, committedSpendAt, emptyBudget } from '#actors/budget/state';
import { emptyLedger } from '#actors/ledger/reduce';
import { LEDGER_WATERMARK_ID, watermark } from '#actors/watermark/watermark';
import { actorKinds } from '#composition/actor-kinds';
import { HeldBudget } from '#edge/budgets/held-budget';
import { openBudget, openingBalanceOf } from '#edge/budgets/open-budget';
import { RegionReadings } from '#edge/budgets/region-readings';
import { SaleCeilings } from '#edge/budgets/sale-ceilings';
import { deadLetterDecisionName } from '#runtime/actor/dead-letter-decision';
import type { Messenger } from '#runtime/actor/messenger';
import { encodeEnvelope } from '#runtime/node/envelope';
import { SILENT } from '#runtime/node/logger';
import type { ActorKey } from '#runtime/ports/store';
import { systemClock } from '#runtime/providers/system/system-clock';
import { parkedSpendOf, undecidedMoney } from '#scheduler/billing/parked-money';
import { RunningNodes } from '../../runtime/node/running-nodes.ts';

const NOON = Date.UTC(2026, 2, 14, 12);
const SLOT_MS = 300_000;

interface Sold {
  readonly id: string;
  readonly priceNanos: number;
  readonly soldAtMs: number;
}

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

  const openingParts = (messenger: Messenger, nowMs: number) => {
    const { store } = nodes.embedded;
    return {
      ...{ store, messenger, clock: { ...systemClock, now: () => nowMs }, latestMs: 2 * HOUR_MS },
      parkedSpend: async (throughMs: number) => parkedSpendOf(await undecidedMoney(store), throughMs),
      endUnleased: async () => {},
    };
  };

  it('sums finally what the ledgers no longer need in detail, and nothing that is still on its way to them', async () => {
    const { messenger } = await nodes.start(actorKinds);
    const { store } = nodes.embedded;
    const opened = async (id: string, regionsMs: number | null = null) => {
      const holder = { scope: 'campaign', id, sandbox: false } as const;
      const limits = { dailyNanos: 100, totalNanos: 0, sinceMs: NOON - 9 * HOUR_MS, revision: 1 };
      const held = new HeldBudget({ id: `campaign:${id}`, holder, limits }, NOON);
      const regions = new RegionReadings(async () => ({ throughMs: regionsMs, atMs: NOON - 1 }));
      await openBudget({ ...openingParts(messenger, NOON), regions }, held);
      const [document] = await store.load([{ kind: budget.kind, id: held.id }]);
      return (document!.state as BudgetState).settledThroughMs;
    };
    const overMs = NOON - 2 * HOUR_MS;
    expect(await opened('no books'), 'its last impressions may be a slot late').to.equal(overMs - 2 * SLOT_MS);
    await messenger.ask(watermark, LEDGER_WATERMARK_ID, 'raise', { throughMs: NOON - 1 });
    expect(await opened('books a moment behind')).to.equal(overMs - 2 * SLOT_MS);
    await messenger.ask(watermark, LEDGER_WATERMARK_ID, 'raise', { throughMs: NOON });
    expect(await opened('books that are complete')).to.equal(overMs - SLOT_MS);
    expect(await opened('a region that is ahead', NOON + 1)).to.equal(overMs - SLOT_MS);
    const cutOff = await opened('a region that is cut off', NOON - 3 * HOUR_MS);
    expect(cutOff).to.equal(overMs - 3 * HOUR_MS - SLOT_MS);
    const gone = await opened('a region that has not been heard of', 0);
    expect(gone, 'nothing of before comes in time').to.equal(overMs - 8 * 24 * HOUR_MS - SLOT_MS);
  });

  it('waits until the ledgers hold what a region had brought, and goes by what it had brought then', async () => {
    const { messenger } = await nodes.start(actorKinds);
    const { store } = nodes.embedded;
    const holder = { scope: 'campaign', id: 'first limit', sandbox: false } as const;
    const limits = { dailyNanos: 100, totalNanos: 0, sinceMs: NOON - 9 * HOUR_MS, revision: 1 };
    const held = new HeldBudget({ id: 'campaign:first limit', holder, limits }, NOON);
    let reading = { throughMs: NOON - 3 * HOUR_MS, atMs: NOON + 1 };
    const regions = new RegionReadings(async () => reading);
    const deps = { ...openingParts(messenger, NOON), regions };
    await messenger.ask(watermark, LEDGER_WATERMARK_ID, 'raise', { throughMs: NOON + 1 });
    expect(await openBudget(deps, held)).to.equal(false);
    // What had waited came home since.
    reading = { throughMs: NOON, atMs: NOON + 5 };
    await messenger.ask(watermark, LEDGER_WATERMARK_ID, 'raise', { throughMs: NOON + 2 });
    expect(await openBudget(deps, held)).to.equal(true);
    const [document] = await store.load([{ kind: budget.kind, id: held.id }]);
    const { settledThroughMs } = document!.state as BudgetState;
    expect(settledThroughMs).to.equal(NOON - 5 * HOUR_MS - SLOT_MS);
  });

  it('leaves open what a region may have brought behind ledgers that stand still', async () => {
    const { messenger } = await nodes.start(actorKinds);
    const { store } = nodes.embedded;
    const [throughMs, nowMs] = [NOON + 24 * HOUR_MS, NOON + 48 * HOUR_MS];
    await messenger.ask(watermark, LEDGER_WATERMARK_ID, 'raise', { throughMs });
    const holder = { scope: 'campaign', id: 'ledgers that stand still', sandbox: false } as const;
    const limits = { dailyNanos: 100, totalNanos: 0, sinceMs: NOON, revision: 1 };
    const held = new HeldBudget({ id: `campaign:${holder.id}`, holder, limits }, nowMs);
    const regions = new RegionReadings(async () => ({ throughMs: 0, atMs: nowMs - 1 }));
    await openBudget({ ...openingParts(messenger, nowMs), regions }, held);
    const [document] = await store.load([{ kind: budget.kind, id: held.id }]);
    const { settledThroughMs } = document!.state as BudgetState;
    expect(settledThroughMs).to.equal(throughMs - 8 * 24 * HOUR_MS - 2 * HOUR_MS - SLOT_MS);
  });

  describe('counts as spent what is parked and may yet be billed', () => {
    const NOW = NOON + 96 * HOUR_MS;
    const LONG_AGO = NOW - 24 * HOUR_MS;
    const JUST_NOW = NOW - HOUR_MS;
    let parked = 0;

    async function park(to: string, type: string, body: object): Promise<string> {
      const position = `${NOW - 1_000}-${++parked}`;
      const id = `0:${position}`;
      const payload = encodeEnvelope({ to, type, body });
      const state = { reason: 'a fault', parkedAtMs: NOW, replayedAtMs: null };
      await nodes.embedded.store.park([{ id, partition: 0, position, to, type, payload, ...state }]);
      return id;
    }

    const parkImpression = (campaign: string, soldAtMs: number, more: object = {}) =>
      park('tally/0', 'impression', { publisher: 'p', dsp: 'd', campaign, soldAtMs, priceCpmMicros: 30, ...more });

    /** Whether the budget of this campaign was opened, and what it takes for spent for good and in open windows. */
    async function opened(id: string, { nowMs = NOW, regions }: { nowMs?: number; regions?: RegionReadings } = {}) {
      const { messenger } = await nodes.start(actorKinds);
      await messenger.ask(watermark, LEDGER_WATERMARK_ID, 'raise', { throughMs: NOW - 1 });
      const limits = { dailyNanos: 0, totalNanos: 100, sinceMs: NOW - 9 * HOUR_MS, revision: 1 };
      const held = new HeldBudget(
        { id: `campaign:${id}`, holder: { scope: 'campaign', id, sandbox: false }, limits },
        nowMs,
      );
      const isOpen = await openBudget({ ...openingParts(messenger, nowMs), ...(regions && { regions }) }, held);
      const [document] = await nodes.embedded.store.load([{ kind: budget.kind, id: held.id }]);
      const { settledNanos, slots } = (document?.state ?? emptyBudget()) as BudgetState;
      return [isOpen, settledNanos, slots.reduce((sum, { seededNanos = 0 }) => sum + seededNanos, 0)];
    }

    it('an impression, in its budget window, or for good when that was settled long ago', async () => {
      await parkImpression('parked', LONG_AGO);
      await parkImpression('parked', JUST_NOW);
      await parkImpression('another', JUST_NOW);
      await parkImpression('parked', JUST_NOW, { sandbox: true });
      expect(await opened('parked')).to.deep.equal([true, 30, 30]);
    });

    it('once where its replay was parked again', async () => {
      for (const id of ['twice', 'twice', 'other']) await parkImpression('again', JUST_NOW, { id });
      expect(await opened('again')).to.deep.equal([true, 0, 60]);
    });

    it('when it came, where it says that it was sold at a time that cannot be', async () => {
      for (const soldAtMs of [-9e15, -1, 9e15, NOW - 11 * 24 * HOUR_MS, 0.5])
        await parkImpression('odd times', soldAtMs, { id: `at ${soldAtMs}` });
      expect(await opened('odd times')).to.deep.equal([true, 0, 150]);
    });

    it('and waits while a replay was begun and not noted: the ledgers may have the impression', async () => {
      const { store } = nodes.embedded;
      await parkImpression('other campaign', JUST_NOW);
      const id = await parkImpression('under way', JUST_NOW);
      expect(await store.putIfAbsent(deadLetterDecisionName(id), 'replayed')).to.equal('replayed');
      expect(await opened('under way')).to.deep.equal([false, 0, 0]);
      expect(await opened('other campaign')).to.deep.equal([true, 0, 30]);
      // Noted, and covered by the ledgers since.
      await store.markReplayed(id, NOW - 2 * HOUR_MS);
      expect(await opened('under way')).to.deep.equal([true, 0, 0]);
    });

    it('an impression that is about to be discarded', async () => {
      const id = await parkImpression('discarding', JUST_NOW);
      await nodes.embedded.store.putIfAbsent(deadLetterDecisionName(id), 'discarded');
      expect(await opened('discarding')).to.deep.equal([true, 0, 30]);
    });

    it('no invalid one, which no replay bills', async () => {
      await park('tally/0', 'invalid', {
        publisher: 'p',
        dsp: 'd',
        campaign: 'bots',
        soldAtMs: JUST_NOW,
        priceCpmMicros: 30,
      });
      expect(await opened('bots')).to.deep.equal([true, 0, 0]);
    });

    it('and waits while totals of its ledger are parked, of which it may have a part', async () => {
      const slots = [
        { slotMs: LONG_AGO, impressions: 2, grossNanos: 5 },
        { slotMs: JUST_NOW, impressions: 1, grossNanos: 7 },
      ];
      const body = { partition: 0, minuteMs: NOW, version: '1-0', regions: [], slots };
      await park('ledger/campaign:totals:2026-03-18T11:sandbox', 'totals', body);
      expect(await opened('totals')).to.deep.equal([true, 0, 0]);
      await park('ledger/campaign:more-totals:2026-03-18T11', 'totals', body);
      expect(await opened('more-totals')).to.deep.equal([false, 0, 0]);
      await park('ledger/campaign:odd-totals:2026-03-18T11', 'totals', { ...body, slots: 'none' });
      expect(await opened('odd-totals')).to.deep.equal([false, 0, 0]);
    });

    it('nothing that is discarded', async () => {
      const id = await parkImpression('discarded', JUST_NOW);
      await nodes.embedded.store.markDiscarded(id, { atMs: NOW, by: 'op', why: 'a test' });
      expect(await opened('discarded')).to.deep.equal([true, 0, 0]);
    });

    it('and waits while a replay of a moment ago may be in the ledgers or not', async () => {
      const id = await parkImpression('replayed', JUST_NOW);
      await nodes.embedded.store.markReplayed(id, NOW - 30_000);
      expect(await opened('replayed')).to.deep.equal([false, 0, 0]);
      expect((await opened('of another')).at(0)).to.equal(true);
      const before = await parkImpression('replayed before', JUST_NOW);
      await nodes.embedded.store.markReplayed(before, NOW - 120_000);
      expect(await opened('replayed before'), 'the ledgers have it').to.deep.equal([true, 0, 0]);
    });

    it('and waits for ledgers that are behind a replay, also where a region is further behind', async () => {
      const id = await parkImpression('replayed behind', JUST_NOW);
      await nodes.embedded.store.markReplayed(id, NOW + 30_000);
      const regions = new RegionReadings(async () => ({ throughMs: NOW - HOUR_MS, atMs: NOW - 2 }));
      expect(await opened('replayed behind', { nowMs: NOW + 100_000, regions })).to.deep.equal([false, 0, 0]);
    });

    it('also what may be of anybody', async () => {
      const id = await park('tally/0', 'impression', { soldAtMs: JUST_NOW, priceCpmMicros: 3 });
      expect(await opened('anybody')).to.deep.equal([true, 0, 3]);
      await nodes.embedded.store.markDiscarded(id, { atMs: NOW, by: 'op', why: 'a test' });
    });
  });
});

describe('a limit that comes to a holder without one', () => {
  const SINCE = NOON - 60_000;
  let nodes: RunningNodes;
  before(async () => {
    nodes = await RunningNodes.open();
  });
  after(() => nodes.close());

  /** Whether its budget can be opened so long after the limit was set, and what it then takes for spent or possible. */
  async function openedAfter(
    id: string,
    ms: number,
    createdAtMs: number,
    {
      isOnlyEdge = false,
      soldBefore = [],
      ledgers = [],
    }: { isOnlyEdge?: boolean; soldBefore?: readonly Sold[]; ledgers?: readonly ReturnType<typeof ledgerOf>[] } = {},
  ) {
    const { messenger } = await nodes.start(actorKinds);
    const clock = { ...systemClock, now: () => SINCE + ms };
    const slotsFromMs = () => NOON - 2 * 3_600_000;
    const edge = { messenger, clock, logger: SILENT, edge: 'fra-1', windowGraceMs: 5_000, slotsFromMs };
    const ceilings = new SaleCeilings(edge);
    for (const sale of soldBefore) {
      ceilings.add({ ...sale, scope: 'dsp', dspId: sale.id, sandbox: false, sandboxGeneration: 0 });
    }
    const { store } = nodes.embedded;
    const createdAt = new Date(createdAtMs).toISOString();
    const held = new HeldBudget(
      {
        id: `dsp:${id}`,
        holder: { scope: 'dsp', id, sandbox: false },
        limits: { dailyNanos: 100, totalNanos: 0, sinceMs: SINCE, revision: 1 },
      },
      SINCE,
    );
    const made = { load: async () => [{ state: { createdAt } }] };
    const reads = {
      load: (keys: readonly ActorKey[], fields: never) => {
        if (keys[0]?.kind === 'dsp') return made.load();
        if (keys[0]?.kind !== 'ledger') return store.load(keys, fields);
        return keys.map((key) => ledgers.find((one) => one.id === key.id) ?? null);
      },
    };
    const parts = {
      store: { ...reads, after: () => reads } as never,
      messenger,
      clock,
      latestMs: 2 * 3_600_000,
      isOnlyEdge,
      parkedSpend: async () => [],
      endUnleased: (budgetId: string) => ceilings.end(budgetId),
    };
    const opened = await openBudget(parts, held);
    const [document] = await store.load([{ kind: budget.kind, id: held.id }]);
    return { opened, state: (document?.state ?? null) as BudgetState | null };
  }

  it('grants nothing until all edges know of it and have reported what they sold', async () => {
    expect((await openedAfter('early', 2_900, SINCE - 1)).opened).to.equal(false);
    expect((await openedAfter('early', 2_900, SINCE - 1)).state, 'nothing is told').to.equal(null);
    expect((await openedAfter('later', 3_000, SINCE - 1)).opened).to.equal(true);
  });
  it('need not wait where there is no other edge, and counts what that has sold, to the nano-dollar', async () => {
    const soldBefore = [
      { id: 'alone', priceNanos: 4, soldAtMs: SINCE - 8 * SLOT_MS },
      { id: 'alone', priceNanos: 40, soldAtMs: SINCE - 3 * SLOT_MS },
      { id: 'alone', priceNanos: 30, soldAtMs: SINCE - 1 },
      { id: 'another', priceNanos: 99, soldAtMs: SINCE - 1 },
    ];
    const { opened, state } = await openedAfter('alone', 0, SINCE - 1, { isOnlyEdge: true, soldBefore });
    expect(opened).to.equal(true);
    expect(committedSpendAt(state!, SINCE).openTodayNanos).to.equal(74);
  });

  it('counts on its day what a fast clock sold after midnight, and what the log dates by a clock that was set back', async () => {
    const DAY_MS = 86_400_000;
    const midnightMs = NOON - 1.5 * DAY_MS;
    const ledger = (day: string, nanos: number, slots: Readonly<Record<number, number>>) => {
      const id = `dsp:midnight:${day}`;
      return { ...ledgerOf(day, nanos, slots), id };
    };
    const ledgers = [
      ledger('2026-03-11', 1, { [midnightMs - DAY_MS]: 1 }),
      ledger('2026-03-12', 30, { [midnightMs - SLOT_MS]: 20, [midnightMs]: 10 }),
      ledger('2026-03-13', 5, { [midnightMs]: 5 }),
      ledger('2026-03-15', 8, { [NOON - 36 * SLOT_MS]: 8 }),
    ];
    const { state } = await openedAfter('midnight', 3_000, NOON - 10 * DAY_MS, { ledgers });
    expect(state!.settledNanos).to.equal(43);
  });

  it('need not wait where the holder was made with it', async () => {
    expect((await openedAfter('made', 0, SINCE)).opened).to.equal(true);
  });
});

describe('what ledgers say of a budget that nothing was leased of', () => {
  const yesterdayMs = NOON - 13 * 3_600_000;
  const ledgers = [
    ledgerOf('2026-03-13', 100, { [yesterdayMs]: 60 }),
    // Billed today, sold yesterday; 5 of it by an older edge that did not say when.
    ledgerOf('2026-03-14', 50, { [yesterdayMs]: 10, [NOON - SLOT_MS]: 15, [NOON]: 20 }),
  ];

  it('is charged to the day of the sale; windows that may still grow are named', () => {
    const opening = openingBalanceOf(ledgers, 7, NOON - SLOT_MS, 0);
    expect(opening).to.deep.equal({
      sinceMs: 7,
      spentNanos: 115,
      days: [
        { day: '2026-03-13', spentNanos: 110 },
        { day: '2026-03-14', spentNanos: 5 },
      ],
      slotsFromMs: NOON - SLOT_MS,
      slots: [
        { slotMs: NOON - SLOT_MS, spentNanos: 15, unleasedNanos: 0 },
        { slotMs: NOON, spentNanos: 20, unleasedNanos: 0 },
      ],
    });
  });

  it('names all windows in which something was sold without a lease, or may have been', () => {
    const { id, state } = ledgerOf('2026-03-14', 20, { [NOON]: 20 });
    const unleased = { [NOON - 3 * SLOT_MS]: 500, [NOON - SLOT_MS]: 70, [NOON]: 30 };
    const sinceMs = NOON + SLOT_MS + 1;
    const { slots } = openingBalanceOf([{ id, state: { ...state, unleased } }], sinceMs, NOON - SLOT_MS, sinceMs);
    expect(slots).to.deep.equal([
      { slotMs: NOON - SLOT_MS, spentNanos: 0, unleasedNanos: 70 },
      { slotMs: NOON, spentNanos: 20, unleasedNanos: 30 },
      { slotMs: NOON + SLOT_MS, spentNanos: 0, unleasedNanos: 0 },
    ]);
  });

  it('is what the API calls spent; what is leased beyond it is reserved', () => {
    const before = budgetStatusAt(null, ledgers, NOON);
    expect([before.spentTodayNanos, before.reservedTodayNanos]).to.deep.equal([40n, 0n]);
    expect(before.spentTotalNanos, 'all that was billed, of any day').to.equal(150n);
    expect(budgetStatusAt(emptyBudget(), ledgers, NOON), 'asked for, and not opened').to.deep.equal(before);
    const settled = { openedSinceMs: 7, settledNanos: 115, settledDays: [{ day: '2026-03-14', nanos: 5 }] };
    const slots = [
      { slotMs: NOON - SLOT_MS, seededNanos: 0, closedNanos: 30, grants: [] },
      { slotMs: NOON, seededNanos: 0, closedNanos: 0, grants: [{ edge: 'e', nanos: 100 }] },
    ];
    const state = { ...emptyBudget(), ...settled, settledThroughMs: NOON - 2 * SLOT_MS, slots };
    expect(budgetStatusAt(state, ledgers, NOON)).to.deep.equal({
      spentTodayNanos: 40n,
      reservedTodayNanos: 95n,
      spentTotalNanos: 150n,
      reservedTotalNanos: 95n,
    });
  });
});
