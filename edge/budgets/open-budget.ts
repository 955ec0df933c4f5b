import type { Static } from 'typebox';
import { budget } from '../../actors/budget/budget.ts';
import type { BudgetHolder } from '../../actors/budget/budget-id.ts';
import { grossOfLedger, SPEND_LEDGER_FIELDS } from '../../actors/budget/budget-status.ts';
import { BUDGET_WINDOW_MS, budgetWindowStart } from '../../actors/budget/budget-window.ts';
import type { budgetMessages } from '../../actors/budget/messages.ts';
import { campaign } from '../../actors/campaign/campaign.ts';
import { dsp } from '../../actors/dsp/dsp.ts';
import { ledger } from '../../actors/ledger/ledger.ts';
import { DAY_MS, dayOfLedger, utcDay } from '../../actors/ledger/ledger-id.ts';
import { ledgerIdsBetween } from '../../actors/ledger/report/period.ts';
import type { StoredLedger } from '../../actors/ledger/report/sum-ledgers.ts';
import type { LedgerState } from '../../actors/ledger/state.ts';
import { readAtWatermark, type WatermarkedReads } from '../../actors/watermark/read-watermark.ts';
import type { Messenger } from '../../runtime/actor/messenger.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import type { StateReads, StateStore } from '../../runtime/ports/store.ts';
import type { HeldBudget } from './held-budget.ts';
import type { UnleasedSales } from './unleased-sales.ts';

type OpeningBalance = Static<(typeof budgetMessages)['open']>;

const HOUR_MS = 3_600_000;
const LEDGERS_AT_ONCE = 100;
/** So long after a limit was set every edge has heard of it, and told what it sold until then. */
const HEARD_AND_TOLD_MS = 3_000;
/** Books that are further behind are kept by nobody: what edges have told is waited for by the clock. */
const KEPT_WITHIN_MS = 600_000;

export interface OpeningDeps {
  readonly store: StateStore;
  readonly messenger: Messenger;
  readonly clock: Clock;
  /** How long after its sale an impression may still be billed. */
  readonly latestMs: number;
  /**
   * Where this edge is the only one there is: all that it has sold under no lease since `sinceMs`, of which its ledgers may not have
   * heard yet. Others must be waited for.
   */
  readonly soldHere?: { readonly sales: UnleasedSales; readonly sinceMs: number };
}

/**
 * Tells a budget what was spent, and what may yet be of what was sold, when nothing of it was leased: all that the holder's ledgers
 * hold, of all days since it was made. False, and nothing is told, while it is not sure that they hold all that edges sold
 * before they heard of the limit: for some seconds after it was set to a holder that had none, unless there is no other edge.
 * Throws when the store or the log cannot be reached.
 */
export async function openBudget(deps: OpeningDeps, { id, holder, limits }: HeldBudget): Promise<boolean> {
  const { messenger, clock, latestMs, soldHere } = deps;
  const nowMs = clock.now();
  const { throughMs, store } = await ledgersCompleteThrough(deps.store);
  const kind = holder.scope === 'dsp' ? dsp.kind : campaign.kind;
  const [made] = await store.load([{ kind, id: holder.id }]);
  const { createdAt = '' } = (made?.state ?? {}) as { readonly createdAt?: string };
  const fromMs = createdAt === '' ? nowMs - DAY_MS : Date.parse(createdAt);
  const wasUnlimited = limits.sinceMs > fromMs;
  const toldThroughMs = throughMs > nowMs - KEPT_WITHIN_MS ? throughMs : nowMs;
  if (wasUnlimited && soldHere === undefined && toldThroughMs < limits.sinceMs + HEARD_AND_TOLD_MS) return false;
  const slotsFromMs = budgetWindowStart(
    (throughMs === 0 ? nowMs - BUDGET_WINDOW_MS : Math.min(throughMs, nowMs)) - latestMs,
  );
  // A demand source has a budget of the day alone: what it spent before yesterday is no concern of it.
  const firstMs = holder.scope === 'dsp' ? Math.max(fromMs, Math.min(nowMs - latestMs - DAY_MS, slotsFromMs)) : fromMs;
  const ids = ledgerIdsBetween(holder, firstMs, nowMs + HOUR_MS);
  const ledgers: StoredLedger[] = [];
  for (let at = 0; at < ids.length; at += LEDGERS_AT_ONCE) {
    const keys = ids.slice(at, at + LEDGERS_AT_ONCE).map((ledgerId) => ({ kind: ledger.kind, id: ledgerId }));
    for (const document of await store.load(keys, SPEND_LEDGER_FIELDS)) {
      if (document && !document.deleted) ledgers.push({ id: document.id, state: document.state as LedgerState });
    }
  }
  const unleasedThroughMs = wasUnlimited ? limits.sinceMs + HEARD_AND_TOLD_MS : 0;
  const opening = openingBalanceOf(ledgers, limits.sinceMs, slotsFromMs, unleasedThroughMs);
  await messenger.ask(budget, id, 'open', soldHere === undefined ? opening : addLocalSales(opening, holder, soldHere));
  return true;
}

/** Ledgers say the same, a second or two later, and what was sold before this edge was. */
function addLocalSales(
  opening: OpeningBalance,
  holder: BudgetHolder,
  { sales, sinceMs }: NonNullable<OpeningDeps['soldHere']>,
): OpeningBalance {
  const slots = new Map(opening.slots.map((slot) => [slot.slotMs, slot]));
  for (const [slotMs, nanos] of sales.soldByWindow(holder)) {
    if (slotMs < opening.slotsFromMs) continue;
    const { spentNanos = 0, unleasedNanos = 0 } = slots.get(slotMs) ?? {};
    // In the window in which it began another may have sold too.
    const inAll = slotMs <= budgetWindowStart(sinceMs) ? unleasedNanos + nanos : Math.max(unleasedNanos, nanos);
    slots.set(slotMs, { slotMs, spentNanos, unleasedNanos: capAtMaxLimit(inAll) });
  }
  return { ...opening, slots: [...slots.values()] };
}

/**
 * How far ledgers that are read from now on are sure to be complete; ms since the epoch, 0 for nobody knows. Windows that the books
 * have outlived are summed for good, and no others: what comes last of a window is on its way to the ledgers for seconds, or for as long as a
 * partition stands still. While nobody keeps the books, and so nothing is settled, a window's length is allowed for that.
 */
function ledgersCompleteThrough(store: StateStore): Promise<WatermarkedReads<StateReads>> {
  return readAtWatermark(store);
}

/**
 * What older edges sold is in no window: it was sold on the day of its ledger, as far as anybody knows. All windows up to that of
 * `unleasedThroughMs` are named, those too of which nothing is known: what an edge sold that died before it could tell may
 * come yet, and is found when they are settled.
 */
export function openingBalanceOf(
  ledgers: readonly StoredLedger[],
  sinceMs: number,
  slotsFromMs: number,
  unleasedThroughMs: number,
): OpeningBalance {
  const days = new Map<string, number>();
  const slots = new Map<number, number>();
  const unleased = new Map<number, number>();
  for (let slotMs = slotsFromMs; slotMs <= unleasedThroughMs; slotMs += BUDGET_WINDOW_MS) slots.set(slotMs, 0);
  const spend = (day: string, nanos: number) => days.set(day, capAtMaxLimit((days.get(day) ?? 0) + nanos));
  for (const { id, state } of ledgers) {
    let unslottedNanos = grossOfLedger(state);
    for (const [slot, { grossNanos }] of Object.entries(state.slots ?? {})) {
      const slotMs = Number(slot);
      unslottedNanos -= BigInt(grossNanos);
      if (slotMs < slotsFromMs) spend(utcDay(slotMs), grossNanos);
      else slots.set(slotMs, capAtMaxLimit((slots.get(slotMs) ?? 0) + grossNanos));
    }
    if (unslottedNanos > 0n) spend(dayOfLedger(id), capAtMaxLimit(Number(unslottedNanos)));
    for (const [slot, nanos] of Object.entries(state.unleased ?? {})) {
      const slotMs = Number(slot);
      if (slotMs < slotsFromMs) continue;
      unleased.set(slotMs, capAtMaxLimit((unleased.get(slotMs) ?? 0) + nanos));
      if (!slots.has(slotMs)) slots.set(slotMs, 0);
    }
  }
  return {
    sinceMs,
    spentNanos: capAtMaxLimit([...days.values()].reduce((sum, nanos) => sum + nanos, 0)),
    days: Array.from(days, ([day, spentNanos]) => ({ day, spentNanos })),
    slotsFromMs,
    slots: Array.from(slots, ([slotMs, spentNanos]) => ({
      slotMs,
      spentNanos,
      unleasedNanos: unleased.get(slotMs) ?? 0,
    })),
  };
}

/** More than any limit is as good as more than that. */
function capAtMaxLimit(nanos: number): number {
  return Math.min(nanos, Number.MAX_SAFE_INTEGER);
}
