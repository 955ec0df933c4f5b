import { expect } from 'chai';
import { Registry } from 'prom-client';
import { budget } from '#actors/budget/budget';
import { budgetId } from '#actors/budget/budget-id';
import { BUDGET_WINDOW_MS } from '#actors/budget/budget-window';
import { emptyBudget, emptyBudgetWindow } from '#actors/budget/state';
import { ledger } from '#actors/ledger/ledger';
import { ledgerId } from '#actors/ledger/ledger-id';
import type { Messenger } from '#runtime/actor/messenger';
import type { StateStore } from '#runtime/ports/store';
import { BudgetSettlement } from '#scheduler/watermark/budget-settlement';
import { WatermarkMetrics } from '#scheduler/watermark/watermark-metrics';
import { document } from '../../runtime/store-contract/documents.ts';
import { type EmbeddedStoreAlone, openStoreAlone } from '../jobs/embedded-store.ts';

const HOUR_MS = 3_600_000;
const FIRST_MS = Date.parse('2026-05-06T10:00:00Z');
const SLOTS = 3;

interface Asked {
  readonly id: string;
  readonly slots: readonly { readonly slotMs: number; readonly spentNanos: number }[];
}

describe('settling of very many budgets', () => {
  let at: EmbeddedStoreAlone;
  let calls: Map<string, number>;
  let asked: Asked[];
  let settling: BudgetSettlement;

  beforeEach(async () => {
    at = await openStoreAlone();
    calls = new Map();
    asked = [];
    const store = new Proxy(at.store, {
      get(target, name) {
        const value = Reflect.get(target, name, target) as (...args: unknown[]) => unknown;
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) => {
          calls.set(String(name), (calls.get(String(name)) ?? 0) + 1);
          return value.apply(target, args);
        };
      },
    }) as StateStore;
    const counted = { after: () => store };
    const ask = async (_kind: unknown, id: string, _type: string, { slots }: Omit<Asked, 'id'>) =>
      void asked.push({ id, slots });
    const logger = { debug() {}, info() {}, warn() {}, error() {} };
    const messenger = { ask } as unknown as Messenger;
    const metrics = new WatermarkMetrics(new Registry());
    settling = new BudgetSettlement({ messenger, store: counted, logger, metrics, renderWindowMs: HOUR_MS });
  });
  afterEach(async () => at.close());

  const idOf = (number: number) => `d${String(number).padStart(4, '0')}`;
  const slotsFrom = (fromMs: number) =>
    Array.from({ length: SLOTS }, (_, index) => emptyBudgetWindow(fromMs + index * BUDGET_WINDOW_MS));
  const slot = (slotMs: number) => ({ ...slotsFrom(slotMs)[0]!, closedNanos: 100 });
  const save = (count: number) =>
    at.store.save(
      Array.from({ length: count }, (_, number) => {
        const slots = slotsFrom(FIRST_MS).map(({ slotMs }) => slot(slotMs));
        const state = { ...emptyBudget(), slots, oldestSlotMs: FIRST_MS };
        return document(budget.kind, budgetId({ scope: 'dsp', id: idOf(number), sandbox: false }), { state });
      }),
    );
  /** When the windows from the first on are over, with all that may come late. */
  const overMs = (slots: number) => FIRST_MS + slots * BUDGET_WINDOW_MS + 2 * HOUR_MS;
  const neverAborted = new AbortController().signal;
  const through = (throughMs: number) => ({ throughMs, latestMs: throughMs, token: '' });

  it('reads each budget once, and the ledgers of 64 together', async () => {
    await save(300);
    const spentId = ledgerId('dsp', idOf(7), FIRST_MS, false);
    const slots = { [FIRST_MS + BUDGET_WINDOW_MS]: { impressions: 1, grossNanos: 70 } };
    await at.store.save([document(ledger.kind, spentId, { state: { ...ledger.initial(spentId), slots } })]);
    await settling.settleThrough(through(overMs(SLOTS)), neverAborted);
    expect(new Set(asked.map(({ id }) => id)).size).to.equal(300);
    expect(asked.length).to.equal(300);
    const seventh = asked.find(({ id }) => id.includes(idOf(7)))!;
    expect(seventh.slots).to.deep.equal([
      { slotMs: FIRST_MS, spentNanos: 0 },
      { slotMs: FIRST_MS + BUDGET_WINDOW_MS, spentNanos: 70 },
      { slotMs: FIRST_MS + 2 * BUDGET_WINDOW_MS, spentNanos: 0 },
    ]);
    // For each page: up to when hours are filed, the ledgers of days, and those of hours.
    expect(Object.fromEntries(calls)).to.deep.equal({ page: 5, load: 3 * 5, deadLetters: 1 });
  });

  it('waits for an hour of windows where there are very many, and for the next window where there are few', async () => {
    await save(6_000);
    await settling.settleThrough(through(overMs(1)), neverAborted);
    expect(asked.length).to.equal(6_000);
    for (let slots = 2; slots < 13; slots += 1) await settling.settleThrough(through(overMs(slots)), neverAborted);
    expect(asked.length).to.equal(6_000);
    await settling.settleThrough(through(overMs(13)), neverAborted);
    expect(asked.length).to.equal(12_000);
  });

  it('settles with each window where there are few', async () => {
    await save(10);
    for (let slots = 1; slots <= SLOTS; slots += 1) await settling.settleThrough(through(overMs(slots)), neverAborted);
    expect(asked.length).to.equal(10 * SLOTS);
  });

  it('waits until every region is drained, and counts what came from there days later', async () => {
    await save(1);
    const dayMs = 24 * HOUR_MS;
    const nowMs = overMs(SLOTS) + 3 * dayMs;
    const lateId = ledgerId('dsp', idOf(0), nowMs - dayMs, false);
    const slots = { [FIRST_MS]: { impressions: 1, grossNanos: 40 } };
    await at.store.save([document(ledger.kind, lateId, { state: { ...ledger.initial(lateId), slots } })]);
    await settling.settleThrough(through(nowMs), neverAborted, overMs(0));
    expect(asked).to.deep.equal([]);
    expect(settling.isDue(nowMs)).to.equal(true);
    await settling.settleThrough(through(nowMs), neverAborted, overMs(1));
    expect(asked.flatMap(({ slots: settled }) => settled)).to.deep.equal([{ slotMs: FIRST_MS, spentNanos: 40 }]);
    await settling.settleThrough(through(nowMs), neverAborted, nowMs);
    expect(asked.flatMap(({ slots: settled }) => settled)).to.have.lengthOf(1 + SLOTS);
    expect(settling.isDue(nowMs)).to.equal(false);
  });

  it('counts what is dated by a clock of the log that was set back since, on the next day', async () => {
    await save(1);
    const midnightMs = Date.parse('2026-05-07T00:00:00Z');
    const nextDayId = ledgerId('dsp', idOf(0), midnightMs, false);
    const slots = { [FIRST_MS]: { impressions: 1, grossNanos: 40 } };
    await at.store.save([document(ledger.kind, nextDayId, { state: { ...ledger.initial(nextDayId), slots } })]);
    const complete = { throughMs: midnightMs - 2_000, latestMs: midnightMs + 1_640, token: '' };
    for (const regionsThroughMs of [overMs(0), overMs(1)])
      await settling.settleThrough(complete, neverAborted, regionsThroughMs);
    expect(asked.flatMap(({ slots: settled }) => settled)).to.deep.equal([{ slotMs: FIRST_MS, spentNanos: 40 }]);
  });
});
