import { grossOfLedger } from '../../actors/budget/budget-status.ts';
import type { BudgetState } from '../../actors/budget/state.ts';
import { type LedgerIdParts, utcDay } from '../../actors/ledger/ledger-id.ts';
import type { LedgerState } from '../../actors/ledger/state.ts';
import type { BudgetSnapshot } from './budget-snapshots.ts';

/** What the ledgers of one holder say of its budget, whole nano-dollars, all days that are kept. */
export interface HolderSpend {
  /** Of slots that are settled, by the UTC day of the ledger; and what is in no slot. */
  readonly settledByLedger: Map<string, bigint>;
  /** The same by the UTC day of the sale. */
  readonly settledBySale: Map<string, bigint>;
  /** Of slots that are not settled, by their start. */
  readonly open: Map<number, bigint>;
  /** Start of the last slot in which anything was sold; -1 for none. */
  lastSoldMs: number;
}

function nothingSpent(): HolderSpend {
  return { settledByLedger: new Map(), settledBySale: new Map(), open: new Map(), lastSoldMs: -1 };
}

/**
 * Takes live ledgers in any order, and keeps a few sums for each holder. The budgets must have been read before the ledgers are: of
 * what was settled by then nothing can come any more, so the ledgers hold it.
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
    let unslottedNanos = grossOfLedger(state);
    for (const [slot, { impressions, grossNanos }] of Object.entries(state.slots)) {
      const [slotMs, nanos] = [Number(slot), BigInt(grossNanos)];
      unslottedNanos -= nanos;
      if (impressions > 0 && slotMs > spent.lastSoldMs) spent.lastSoldMs = slotMs;
      if (budget === undefined) continue;
      if (isSettled(budget, slotMs)) {
        settledNanos += nanos;
        add(spent.settledBySale, utcDay(slotMs), nanos);
      } else add(spent.open, slotMs, nanos);
    }
    if (budget === undefined) return;
    if (unslottedNanos < 0n) unslottedNanos = 0n;
    add(spent.settledBySale, day, unslottedNanos);
    add(spent.settledByLedger, day, settledNanos + unslottedNanos);
  }
}

/** Of slots up to the last that was settled, those that the budget still knows were not. */
export function isSettled({ settledThroughMs, slots }: BudgetState, slotMs: number): boolean {
  return slotMs <= settledThroughMs && !slots.some((slot) => slot.slotMs === slotMs);
}

function add<K>(sums: Map<K, bigint>, key: K, nanos: bigint): void {
  sums.set(key, (sums.get(key) ?? 0n) + nanos);
}
