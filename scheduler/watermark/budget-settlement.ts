import { budget } from '../../actors/budget/budget.ts';
import { parseBudgetId } from '../../actors/budget/budget-id.ts';
import { BUDGET_WINDOW_MS } from '../../actors/budget/budget-window.ts';
import { findLeaseOverruns } from '../../actors/budget/lease-overrun.ts';
import type { BudgetState } from '../../actors/budget/state.ts';
import type { Logger } from '../../runtime/actor/logger.ts';
import type { Messenger } from '../../runtime/actor/messenger.ts';
import { readPages } from '../../runtime/ports/read-pages.ts';
import { drainedThroughMs } from '../../runtime/ports/relayed.ts';
import type { ActorDocument, StateReads, StateStore } from '../../runtime/ports/store.ts';
import type { StoreToken } from '../../runtime/ports/store-token.ts';
import { type ParkedMoney, parkedMoney } from '../billing/parked-money.ts';
import { lateByMs, spentByWindow, type WindowsToSettle } from './spent-by-window.ts';
import type { WatermarkMetrics } from './watermark-metrics.ts';

const PAGE = 64;
const AT_ONCE = 8;
/**
 * The ledgers of so many ms after the watermark are read too. A clock of the log that was further off misdates more
 * than budgets.
 */
const MOST_SET_BACK_MS = 86_400_000;
/**
 * After this many budgets with something to settle, the next budget window waits: more windows of one budget cost no
 * more than one.
 */
const BUDGETS_PER_WINDOW = 500;
/** The number of budget windows per pass, one hour: the longest time for which free money stays reserved. */
const WINDOWS_PER_PASS = 12;

export interface BudgetSettlementDeps {
  readonly messenger: Messenger;
  readonly store: Pick<StateStore, 'after'>;
  readonly logger: Logger;
  readonly metrics: WatermarkMetrics;
  readonly renderWindowMs: number;
}

/** What is known of the ledgers; see runtime/node/log-barrier.ts. */
export interface CompleteLedgers {
  /** They hold every impression that was appended before this instant of the log's clock. */
  readonly throughMs: number;
  /** None of these was billed later than at this instant. */
  readonly latestMs: number;
  /** They hold them when they are read after it. */
  readonly token: StoreToken;
}

/** A budget with budget windows that can be settled. */
interface DueBudget extends WindowsToSettle {
  readonly id: string;
  readonly state: BudgetState;
}

/**
 * Settles budget windows of which no impression can come any more: reports to each budget what the ledgers hold of
 * them, so that leased and unspent money is free again, also that of an edge that died. A budget window ends every five
 * minutes, so there is seldom anything to look for. One pass walks all budgets by their ids and reads each budget and
 * its ledgers once; with very many budgets, one pass covers the windows of an hour.
 */
export class BudgetSettlement {
  readonly #deps: BudgetSettlementDeps;
  /** All budgets have settled the budget windows up to this one. */
  #doneThroughMs = -1;
  /** The next pass waits until the windows up to this one can be settled. */
  #nextThroughMs = -1;

  constructor(deps: BudgetSettlementDeps) {
    this.#deps = deps;
  }

  /** Whether windows would be settled up to `throughMs` of the log's clock. */
  isDue(throughMs: number): boolean {
    const lastMs = lastSettledWindow(throughMs, this.#deps.renderWindowMs);
    return lastMs > this.#doneThroughMs && lastMs >= this.#nextThroughMs;
  }

  /**
   * Settles all budgets as far as the ledgers are complete. Repetitions change nothing.
   *
   * Where regions have logs of their own, `regionsThroughMs` is to when these are drained, as read before the ledgers
   * were complete: what a region sold may be billed days later, and its window waits as long as that may be.
   */
  async settleThrough(
    { throughMs, latestMs, token }: CompleteLedgers,
    signal: AbortSignal,
    regionsThroughMs: number | null = null,
  ): Promise<void> {
    const { logger, renderWindowMs } = this.#deps;
    const store = this.#deps.store.after(token);
    const drainedMs = regionsThroughMs === null ? throughMs : drainedThroughMs(regionsThroughMs, throughMs);
    const lastMs = lastSettledWindow(Math.min(throughMs, drainedMs), renderWindowMs);
    if (lastMs <= this.#doneThroughMs || lastMs < this.#nextThroughMs) return;
    const billedThroughMs = Math.min(latestMs, throughMs + MOST_SET_BACK_MS);
    // A parked impression may still be billed, in its old budget window.
    let parked: readonly ParkedMoney[] | undefined;
    let settled = 0;
    let walked = 0;
    signal.throwIfAborted();
    for await (const page of readPages(store, budget.kind, { oldestSlotMs: { lt: lastMs + 1 } }, PAGE)) {
      parked ??= await parkedMoney(store, throughMs);
      settled += await this.#settlePage(store, page, { lastMs, billedThroughMs }, parked, signal);
      walked += page.length;
      signal.throwIfAborted();
    }
    this.#doneThroughMs = lastMs;
    const windows = Math.min(WINDOWS_PER_PASS, Math.max(1, Math.ceil(walked / BUDGETS_PER_WINDOW)));
    this.#nextThroughMs = lastMs + windows * BUDGET_WINDOW_MS;
    if (settled > 0) logger.debug({ settled, lastMs }, 'budget windows were settled');
  }

  async #settlePage(
    store: StateReads,
    page: readonly ActorDocument[],
    { lastMs, billedThroughMs }: { readonly lastMs: number; readonly billedThroughMs: number },
    parked: readonly ParkedMoney[],
    signal: AbortSignal,
  ): Promise<number> {
    const due = page.flatMap((document) => this.#due(document, lastMs, parked) ?? []);
    if (due.length === 0) return 0;
    const spent = await spentByWindow(store, due, this.#deps.renderWindowMs, billedThroughMs);
    let settled = 0;
    for (let at = 0; at < due.length; at += AT_ONCE) {
      signal.throwIfAborted();
      const group = due.slice(at, at + AT_ONCE).map((one, index) => this.#settle(one, spent[at + index]!));
      for (const windows of await Promise.all(group)) settled += windows;
    }
    return settled;
  }

  /** The windows of one budget to settle; null when they must wait for the next pass. */
  #due({ id, state: saved }: ActorDocument, lastMs: number, parked: readonly ParkedMoney[]): DueBudget | null {
    const holder = parseBudgetId(id);
    const held = parked.find(({ of }) => of === null || of.has(`${holder.scope}:${holder.id}`));
    if (held !== undefined) {
      this.#deps.logger.warn(
        { budget: id, deadLetter: held.deadLetterId },
        `the leases of a budget are kept: ${held.what}, to be replayed or discarded`,
      );
      return null;
    }
    const state = saved as BudgetState;
    const known = state.slots.map(({ slotMs }) => slotMs).filter((slotMs) => slotMs <= lastMs);
    return { id, state, holder, known, afterMs: state.settledThroughMs, throughMs: lastMs };
  }

  /**
   * Resolves with the number of settled windows once the budget has saved them: 0 when they must wait for the next
   * pass.
   */
  async #settle({ id, state, known }: DueBudget, spent: ReadonlyMap<number, number>): Promise<number> {
    const { messenger, logger, metrics } = this.#deps;
    const windows = [...new Set([...known, ...spent.keys()])].sort((a, b) => a - b);
    const body = { slots: windows.map((slotMs) => ({ slotMs, spentNanos: spent.get(slotMs) ?? 0 })) };
    try {
      await messenger.ask(budget, id, 'settle', body);
    } catch (err) {
      logger.warn({ err, budget: id }, 'a budget could not be settled: trying again with its next window');
      return 0;
    }
    metrics.settledWindows.inc(known.length);
    this.#alarm(id, state, spent);
    return known.length;
  }

  /**
   * Reports money that was billed beyond the leases: the excess was minted with a leaked tracking key of this exchange.
   */
  #alarm(id: string, state: BudgetState, spent: ReadonlyMap<number, number>): void {
    const { logger, metrics } = this.#deps;
    for (const { slotMs, leasedNanos, spentNanos } of findLeaseOverruns(state, spent)) {
      metrics.beyondLeasesNanos.inc(spentNanos - leasedNanos);
      const window = new Date(slotMs).toISOString();
      logger.error(
        { budget: id, window, leasedNanos, spentNanos },
        'more was billed than was ever leased: has a key leaked?',
      );
    }
  }
}

/** The last budget window that is over, with all impressions that may come late. */
function lastSettledWindow(throughMs: number, renderWindowMs: number): number {
  return Math.floor((throughMs - lateByMs(renderWindowMs)) / BUDGET_WINDOW_MS) * BUDGET_WINDOW_MS - BUDGET_WINDOW_MS;
}
