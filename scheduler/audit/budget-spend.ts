import { grossOfLedger } from '../../actors/budget/budget-status.ts';
import type { BudgetState } from '../../actors/budget/state.ts';
import { type LedgerIdParts, utcDay } from '../../actors/ledger/ledger-id.ts';
import type { LedgerState } from '../../actors/ledger/state.ts';
import type { BudgetSnapshot } from './budget-snapshots.ts';

/**
 * For this many ms after a change an edge may still sell by the older settings, on what it takes for another day: its
 * clock may be off too.
 */
export const HEARD_WITHIN_MS = 600_000;

/** The spend of one holder by its ledgers, whole nano-dollars, over all days that are kept. */
export interface HolderSpend {
  /** The spend of settled budget windows by the UTC day of the ledger, with spend that is in no window. */
  readonly settledByLedger: Map<string, bigint>;
  /** The same by the UTC day of the sale. */
  readonly settledBySale: Map<string, bigint>;
  /** The spend of windows that are not settled, by their start. */
  readonly open: Map<number, bigint>;
  /** The start of the last window in which anything was sold; -1 for none. */
  lastSoldMs: number;
  /** The start of the first window since the budget's limits began in which anything was sold; null for none. */
  firstLimitedMs: number | null;
}

function nothingSpent(): HolderSpend {
  return {
    settledByLedger: new Map(),
    settledBySale: new Map(),
    open: new Map(),
    lastSoldMs: -1,
    firstLimitedMs: null,
  };
}

/**
 * Sums live ledgers in any order, and keeps a few sums for each holder. The budgets must be read before the ledgers:
 * nothing can be added to a window that was settled by then, so the ledgers hold all of it.
 */
export class BudgetSpend {
  readonly #budgets: ReadonlyMap<string, BudgetSnapshot>;
  readonly #spent = new Map<string, HolderSpend>();

  constructor(budgets: ReadonlyMap<string, BudgetSnapshot>) {
    this.#budgets = budgets;
  }

  of(holder: string): HolderSpend {
    let spent = this.#spent.get(holder);
    if (spent === undefined) {
      spent = nothingSpent();
      this.#spent.set(holder, spent);
    }
    return spent;
  }

  get holders(): Iterable<string> {
    return this.#spent.keys();
  }

  take({ scope, whose, day, sandbox }: LedgerIdParts, state: LedgerState): void {
    if (sandbox || (scope !== 'dsp' && scope !== 'campaign')) return;
    const spent = this.of(`${scope}:${whose}`);
    const budget = this.#budgets.get(`${scope}:${whose}`)?.state;
    let settledNanos = 0n;
    let outsideWindowsNanos = grossOfLedger(state);
    for (const [window, { impressions, grossNanos }] of Object.entries(state.slots)) {
      const [slotMs, nanos] = [Number(window), BigInt(grossNanos)];
      outsideWindowsNanos -= nanos;
      if (impressions > 0 && slotMs > spent.lastSoldMs) spent.lastSoldMs = slotMs;
      if (budget === undefined) continue;
      const isLimited = impressions > 0 && slotMs >= (budget.limits?.sinceMs ?? 0) + HEARD_WITHIN_MS;
      if (isLimited && slotMs < (spent.firstLimitedMs ?? Number.POSITIVE_INFINITY)) spent.firstLimitedMs = slotMs;
      if (isSettled(budget, slotMs)) {
        settledNanos += nanos;
        add(spent.settledBySale, utcDay(slotMs), nanos);
      } else add(spent.open, slotMs, nanos);
    }
    if (budget === undefined) return;
    if (outsideWindowsNanos < 0n) outsideWindowsNanos = 0n;
    add(spent.settledBySale, day, outsideWindowsNanos);
    add(spent.settledByLedger, day, settledNanos + outsideWindowsNanos);
  }
}

/** Whether a window is settled. Up to the last settled window, the windows that the budget still holds are not. */
export function isSettled({ settledThroughMs, slots }: BudgetState, slotMs: number): boolean {
  return slotMs <= settledThroughMs && !slots.some((window) => window.slotMs === slotMs);
}

function add<K>(sums: Map<K, bigint>, key: K, nanos: bigint): void {
  sums.set(key, (sums.get(key) ?? 0n) + nanos);
}
