import { beyondLeases } from '../../actors/budget/beyond-leases.ts';
import { budget } from '../../actors/budget/budget.ts';
import { budgetHolder } from '../../actors/budget/budget-id.ts';
import { SLOT_MS } from '../../actors/budget/slot.ts';
import type { BudgetState } from '../../actors/budget/state.ts';
import type { Logger } from '../../runtime/actor/logger.ts';
import type { Messenger } from '../../runtime/actor/messenger.ts';
import { pieces } from '../../runtime/ports/pieces.ts';
import type { ActorDocument, StateReads, StateStore } from '../../runtime/ports/store.ts';
import type { StoreToken } from '../../runtime/ports/store-token.ts';
import { type ParkedMoney, parkedMoney } from '../billing/parked-money.ts';
import type { BooksMetrics } from './books-metrics.ts';
import { lateByMs, type Settled, spentBySlot } from './spent-by-slot.ts';

const PAGE = 64;
const AT_ONCE = 8;
/** Where so many budgets had something to settle, the next slot waits: more slots of a budget cost no more than one. */
const BUDGETS_FOR_EACH_SLOT = 500;
/** An hour: so long at most is kept reserved what could be free. */
const SLOTS_AT_ONCE = 12;

export interface SettlingParts {
  readonly messenger: Messenger;
  readonly store: Pick<StateStore, 'after'>;
  readonly logger: Logger;
  readonly metrics: BooksMetrics;
  readonly renderWindowMs: number;
}

/** A budget with slots that can be settled. */
interface Due extends Settled {
  readonly id: string;
  readonly state: BudgetState;
}

/**
 * Tells budgets what was spent in slots of which no impression can come any more: what was leased for them and not spent is free
 * again, an edge's that died too. Slots end every five minutes, so there is seldom anything to look for. One walk goes through all
 * budgets by their ids, each of them and their ledgers read once; where there are very many, once for an hour's slots.
 */
export class Settling {
  readonly #parts: SettlingParts;
  /** Slots up to this one were settled in all budgets. */
  #doneThroughMs = -1;
  /** What the next walk waits for. */
  #nextThroughMs = -1;

  constructor(parts: SettlingParts) {
    this.#parts = parts;
  }

  /**
   * `throughMs`: of the log's clock; every impression of before is in the ledgers, as they are read after `token`. Doing it again does
   * nothing.
   */
  async settleThrough(throughMs: number, token: StoreToken, signal: AbortSignal): Promise<void> {
    const { logger, renderWindowMs } = this.#parts;
    const store = this.#parts.store.after(token);
    const lastMs = lastSettled(throughMs, renderWindowMs);
    if (lastMs <= this.#doneThroughMs || lastMs < this.#nextThroughMs) return;
    // An impression that is parked may be billed yet, in its old slot.
    let parked: readonly ParkedMoney[] | undefined;
    let settled = 0;
    let walked = 0;
    signal.throwIfAborted();
    for await (const page of pieces(store, budget.kind, { oldestSlotMs: { lt: lastMs + 1 } }, PAGE)) {
      parked ??= await parkedMoney(store, throughMs);
      settled += await this.#settlePage(store, page, lastMs, parked, signal);
      walked += page.length;
      signal.throwIfAborted();
    }
    this.#doneThroughMs = lastMs;
    const slots = Math.min(SLOTS_AT_ONCE, Math.max(1, Math.ceil(walked / BUDGETS_FOR_EACH_SLOT)));
    this.#nextThroughMs = lastMs + slots * SLOT_MS;
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
    const spent = await spentBySlot(store, due, this.#parts.renderWindowMs);
    let settled = 0;
    for (let at = 0; at < due.length; at += AT_ONCE) {
      signal.throwIfAborted();
      const group = due.slice(at, at + AT_ONCE).map((one, index) => this.#settle(one, spent[at + index]!));
      for (const slots of await Promise.all(group)) settled += slots;
    }
    return settled;
  }

  /** Null when its slots must wait until the next slot's turn. */
  #due({ id, state: saved }: ActorDocument, lastMs: number, parked: readonly ParkedMoney[]): Due | null {
    const holder = budgetHolder(id);
    const held = parked.find(({ of }) => of === null || of.has(`${holder.scope}:${holder.id}`));
    if (held !== undefined) {
      this.#parts.logger.warn(
        { budget: id, letter: held.letterId },
        `what was leased is kept: ${held.what}, to be replayed or discarded`,
      );
      return null;
    }
    const state = saved as BudgetState;
    const known = state.slots.map(({ slotMs }) => slotMs).filter((slotMs) => slotMs <= lastMs);
    return { id, state, holder, known, afterMs: state.settledThroughMs, throughMs: lastMs };
  }

  /** Resolves, once the budget has saved it, with the number of slots: 0 when they must wait until the next slot's turn. */
  async #settle({ id, state, known }: Due, spent: ReadonlyMap<number, number>): Promise<number> {
    const { messenger, logger, metrics } = this.#parts;
    const slots = [...new Set([...known, ...spent.keys()])].sort((a, b) => a - b);
    const body = { slots: slots.map((slotMs) => ({ slotMs, spentNanos: spent.get(slotMs) ?? 0 })) };
    try {
      await messenger.ask(budget, id, 'settle', body);
    } catch (err) {
      logger.warn({ err, budget: id }, 'a budget could not be settled: trying again with its next slot');
      return 0;
    }
    metrics.settledSlots.inc(known.length);
    this.#alarm(id, state, spent);
    return known.length;
  }

  /** More was billed than edges could sell: whoever minted the rest has a tracking key of ours. */
  #alarm(id: string, state: BudgetState, spent: ReadonlyMap<number, number>): void {
    const { logger, metrics } = this.#parts;
    for (const { slotMs, leasedNanos, spentNanos } of beyondLeases(state, spent)) {
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
function lastSettled(throughMs: number, renderWindowMs: number): number {
  return Math.floor((throughMs - lateByMs(renderWindowMs)) / SLOT_MS) * SLOT_MS - SLOT_MS;
}
