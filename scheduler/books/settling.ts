import { beyondLeases } from '../../actors/budget/beyond-leases.ts';
import { budget } from '../../actors/budget/budget.ts';
import { budgetHolder } from '../../actors/budget/budget-id.ts';
import { SLOT_MS } from '../../actors/budget/slot.ts';
import type { BudgetState } from '../../actors/budget/state.ts';
import type { Logger } from '../../runtime/actor/logger.ts';
import type { Messenger } from '../../runtime/actor/messenger.ts';
import type { ActorDocument, StateStore } from '../../runtime/ports/store.ts';
import { type ParkedMoney, parkedMoney } from '../billing/parked-money.ts';
import type { BooksMetrics } from './books-metrics.ts';
import { lateByMs, spentBySlot } from './spent-by-slot.ts';

const PAGE = 64;
const AT_ONCE = 8;

export interface SettlingParts {
  readonly messenger: Messenger;
  readonly store: StateStore;
  readonly logger: Logger;
  readonly metrics: BooksMetrics;
  readonly renderWindowMs: number;
}

/**
 * Tells budgets what was spent in slots of which no impression can come any more: what was leased for them and not spent is free
 * again, an edge's that died too. Slots end every five minutes, so there is seldom anything to look for.
 */
export class Settling {
  readonly #parts: SettlingParts;
  /** Slots up to this one were settled in all budgets. */
  #doneThroughMs = -1;

  constructor(parts: SettlingParts) {
    this.#parts = parts;
  }

  /** `throughMs`: of the log's clock; every impression of before is in the ledgers. Doing it again does nothing. */
  async settleThrough(throughMs: number, signal: AbortSignal): Promise<void> {
    const lastMs = lastSettled(throughMs, this.#parts.renderWindowMs);
    if (lastMs <= this.#doneThroughMs) return;
    // An impression that is parked may be billed yet, in its old slot.
    let parked: readonly ParkedMoney[] | undefined;
    let settled = 0;
    for (let skip = 0; ; ) {
      const { documents } = await this.#parts.store.query(budget.kind, {
        where: { oldestSlotMs: { lt: lastMs + 1 } },
        orderBy: 'id',
        skip,
        limit: PAGE,
      });
      for (let at = 0; at < documents.length; at += AT_ONCE) {
        signal.throwIfAborted();
        parked ??= await parkedMoney(this.#parts.store, throughMs);
        const group = documents.slice(at, at + AT_ONCE).map((document) => this.#settle(document, lastMs, parked ?? []));
        for (const slots of await Promise.all(group)) {
          settled += slots;
          if (slots === 0) skip += 1;
        }
      }
      if (documents.length < PAGE) break;
    }
    this.#doneThroughMs = lastMs;
    if (settled > 0) this.#parts.logger.debug({ settled, lastMs }, 'budget slots were settled');
  }

  /** Resolves, once the budget has saved it, with the number of slots: 0 when they must wait until the next slot's turn. */
  async #settle({ id, state }: ActorDocument, lastMs: number, parked: readonly ParkedMoney[]): Promise<number> {
    const { messenger, store, logger, metrics, renderWindowMs } = this.#parts;
    const holder = budgetHolder(id);
    const held = parked.find(({ of }) => of === null || of.has(`${holder.scope}:${holder.id}`));
    if (held !== undefined) {
      logger.warn(
        { budget: id, letter: held.letterId },
        `what was leased is kept: ${held.what}, to be replayed or discarded`,
      );
      return 0;
    }
    const { slots: unsettled, settledThroughMs: afterMs } = state as BudgetState;
    const known = unsettled.map(({ slotMs }) => slotMs).filter((slotMs) => slotMs <= lastMs);
    const spent = await spentBySlot(store, holder, { known, afterMs, throughMs: lastMs }, renderWindowMs);
    const slots = [...new Set([...known, ...spent.keys()])].sort((a, b) => a - b);
    const body = { slots: slots.map((slotMs) => ({ slotMs, spentNanos: spent.get(slotMs) ?? 0 })) };
    try {
      await messenger.ask(budget, id, 'settle', body);
    } catch (err) {
      logger.warn({ err, budget: id }, 'a budget could not be settled: trying again with its next slot');
      return 0;
    }
    metrics.settledSlots.inc(known.length);
    this.#alarm(id, state as BudgetState, spent);
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
