import { budget } from '../../actors/budget/budget.ts';
import { parseBudgetId } from '../../actors/budget/budget-id.ts';
import { BUDGET_WINDOW_MS } from '../../actors/budget/budget-window.ts';
import { findLeaseOverruns } from '../../actors/budget/lease-overrun.ts';
import type { BudgetState } from '../../actors/budget/state.ts';
import type { Logger } from '../../runtime/actor/logger.ts';
import type { Messenger } from '../../runtime/actor/messenger.ts';
import { readPages } from '../../runtime/ports/read-pages.ts';
import type { ActorDocument, StateReads, StateStore } from '../../runtime/ports/store.ts';
import type { StoreToken } from '../../runtime/ports/store-token.ts';
import { type ParkedMoney, parkedMoney } from '../billing/parked-money.ts';
import { lateByMs, spentByWindow, type WindowsToSettle } from './spent-by-window.ts';
import type { WatermarkMetrics } from './watermark-metrics.ts';

const PAGE = 64;
const AT_ONCE = 8;
/** Where so many budgets had something to settle, the next slot waits: more slots of a budget cost no more than one. */
const BUDGETS_PER_WINDOW = 500;
/** An hour: so long at most is kept reserved what could be free. */
const WINDOWS_PER_PASS = 12;

export interface BudgetSettlementDeps {
  readonly messenger: Messenger;
  readonly store: Pick<StateStore, 'after'>;
  readonly logger: Logger;
  readonly metrics: WatermarkMetrics;
  readonly renderWindowMs: number;
}

/** A budget with slots that can be settled. */
interface DueBudget extends WindowsToSettle {
  readonly id: string;
  readonly state: BudgetState;
}

/**
 * Tells budgets what was spent in slots of which no impression can come any more: what was leased for them and not spent is free
 * again, an edge's that died too. Slots end every five minutes, so there is seldom anything to look for. One walk goes through all
 * budgets by their ids, each of them and their ledgers read once; where there are very many, once for an hour's slots.
 */
export class BudgetSettlement {
  readonly #deps: BudgetSettlementDeps;
  /** Slots up to this one were settled in all budgets. */
  #doneThroughMs = -1;
  /** What the next walk waits for. */
  #nextThroughMs = -1;

  constructor(parts: BudgetSettlementDeps) {
    this.#deps = parts;
  }

  /**
   * `throughMs`: of the log's clock; every impression of before is in the ledgers, as they are read after `token`. Doing it again does
   * nothing.
   */
  async settleThrough(throughMs: number, token: StoreToken, signal: AbortSignal): Promise<void> {
    const { logger, renderWindowMs } = this.#deps;
    const store = this.#deps.store.after(token);
    const lastMs = lastSettledWindow(throughMs, renderWindowMs);
    if (lastMs <= this.#doneThroughMs || lastMs < this.#nextThroughMs) return;
    // An impression that is parked may be billed yet, in its old slot.
    let parked: readonly ParkedMoney[] | undefined;
    let settled = 0;
    let walked = 0;
    signal.throwIfAborted();
    for await (const page of readPages(store, budget.kind, { oldestSlotMs: { lt: lastMs + 1 } }, PAGE)) {
      parked ??= await parkedMoney(store, throughMs);
      settled += await this.#settlePage(store, page, lastMs, parked, signal);
      walked += page.length;
      signal.throwIfAborted();
    }
    this.#doneThroughMs = lastMs;
    const slots = Math.min(WINDOWS_PER_PASS, Math.max(1, Math.ceil(walked / BUDGETS_PER_WINDOW)));
    this.#nextThroughMs = lastMs + slots * BUDGET_WINDOW_MS;
    if (settled > 0) logger.debug({ settled, lastMs }, 'budget slots were settled');
  }

  async #settlePage(
    store: StateReads,
    page: readonly ActorDocument[],
    lastMs: number,
    parked: readonly ParkedMoney[],
    signal: AbortSignal,
  ): Promise<number> {
    const due = page.flatMap((document) => this.#due(document, lastMs, parked) ?? []);
    if (due.length === 0) return 0;
    const spent = await spentByWindow(store, due, this.#deps.renderWindowMs);
    let settled = 0;
    for (let at = 0; at < due.length; at += AT_ONCE) {
      signal.throwIfAborted();
      const group = due.slice(at, at + AT_ONCE).map((one, index) => this.#settle(one, spent[at + index]!));
      for (const slots of await Promise.all(group)) settled += slots;
    }
    return settled;
  }

  /** Null when its slots must wait until the next slot's turn. */
  #due({ id, state: saved }: ActorDocument, lastMs: number, parked: readonly ParkedMoney[]): DueBudget | null {
    const holder = parseBudgetId(id);
    const held = parked.find(({ of }) => of === null || of.has(`${holder.scope}:${holder.id}`));
    if (held !== undefined) {
      this.#deps.logger.warn(
        { budget: id, letter: held.deadLetterId },
        `what was leased is kept: ${held.what}, to be replayed or discarded`,
      );
      return null;
    }
    const state = saved as BudgetState;
    const known = state.slots.map(({ slotMs }) => slotMs).filter((slotMs) => slotMs <= lastMs);
    return { id, state, holder, known, afterMs: state.settledThroughMs, throughMs: lastMs };
  }

  /** Resolves, once the budget has saved it, with the number of slots: 0 when they must wait until the next slot's turn. */
  async #settle({ id, state, known }: DueBudget, spent: ReadonlyMap<number, number>): Promise<number> {
    const { messenger, logger, metrics } = this.#deps;
    const slots = [...new Set([...known, ...spent.keys()])].sort((a, b) => a - b);
    const body = { slots: slots.map((slotMs) => ({ slotMs, spentNanos: spent.get(slotMs) ?? 0 })) };
    try {
      await messenger.ask(budget, id, 'settle', body);
    } catch (err) {
      logger.warn({ err, budget: id }, 'a budget could not be settled: trying again with its next slot');
      return 0;
    }
    metrics.settledWindows.inc(known.length);
    this.#alarm(id, state, spent);
    return known.length;
  }

  /** More was billed than edges could sell: whoever minted the rest has a tracking key of ours. */
  #alarm(id: string, state: BudgetState, spent: ReadonlyMap<number, number>): void {
    const { logger, metrics } = this.#deps;
    for (const { slotMs, leasedNanos, spentNanos } of findLeaseOverruns(state, spent)) {
      metrics.beyondLeasesNanos.inc(spentNanos - leasedNanos);
      const slot = new Date(slotMs).toISOString();
      logger.error(
        { budget: id, slot, leasedNanos, spentNanos },
        'more was billed than was ever leased: has a key leaked?',
      );
    }
  }
}

/** The last slot that is over, with all that may come late of it. */
function lastSettledWindow(throughMs: number, renderWindowMs: number): number {
  return Math.floor((throughMs - lateByMs(renderWindowMs)) / BUDGET_WINDOW_MS) * BUDGET_WINDOW_MS - BUDGET_WINDOW_MS;
}
