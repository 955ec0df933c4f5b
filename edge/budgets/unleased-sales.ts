import type { BudgetHolder } from '../../actors/budget/budget-id.ts';
import { BUDGET_WINDOW_MS, budgetWindowStart } from '../../actors/budget/budget-window.ts';
import type { UnleasedSale } from './leased-budgets.ts';

type HolderKey = Pick<BudgetHolder, 'scope' | 'id' | 'sandbox'>;

/** Whole nano-dollars, by the start of the budget window in which they were sold. */
export type SoldByWindow = ReadonlyMap<number, number>;

/**
 * This edge's sales of holders without a limit, for as long as they may be billed. Where it is the only edge, these are
 * all such sales.
 */
export class UnleasedSales {
  readonly #keptMs: number;
  readonly #byHolder = new Map<string, Map<number, number>>();
  #sweptThroughMs = 0;

  /** `keptMs`: ms after its sale within which an impression may be billed. */
  constructor(keptMs: number) {
    this.#keptMs = keptMs;
  }

  add({ priceNanos, soldAtMs, ...holder }: UnleasedSale): void {
    const slotMs = budgetWindowStart(soldAtMs);
    if (slotMs > this.#sweptThroughMs) this.#sweep(slotMs);
    const key = keyOf(holder);
    let windows = this.#byHolder.get(key);
    if (windows === undefined) {
      windows = new Map();
      this.#byHolder.set(key, windows);
    }
    windows.set(slotMs, (windows.get(slotMs) ?? 0) + priceNanos);
  }

  soldByWindow(holder: HolderKey): SoldByWindow {
    return this.#byHolder.get(keyOf(holder)) ?? new Map();
  }

  #sweep(slotMs: number): void {
    this.#sweptThroughMs = slotMs;
    for (const [key, windows] of this.#byHolder) {
      for (const soldMs of windows.keys())
        if (soldMs + BUDGET_WINDOW_MS + this.#keptMs <= slotMs) windows.delete(soldMs);
      if (windows.size === 0) this.#byHolder.delete(key);
    }
  }
}

function keyOf({ scope, id, sandbox }: HolderKey): string {
  return `${sandbox ? 'sandbox' : 'live'} ${scope}:${id}`;
}
