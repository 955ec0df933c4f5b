import type { BudgetHolder } from '../../actors/budget/budget-id.ts';
import { BUDGET_WINDOW_MS, budgetWindowStart } from '../../actors/budget/budget-window.ts';
import type { UnleasedSale } from './leased-budgets.ts';

type Environment = 'live' | 'sandbox';
type HolderKey = Pick<BudgetHolder, 'scope' | 'id' | 'sandbox'>;

/** Whole nano-dollars, by the start of the budget window in which they were sold. */
export type SoldByWindow = ReadonlyMap<number, number>;

/**
 * This edge's sales of holders without a limit, for as long as they may be billed. Where it is the only edge, these are
 * all such sales.
 */
export class UnleasedSales {
  readonly #keptMs: number;
  /** By environment and scope, then by holder id: the sums by window. */
  readonly #byHolder: Readonly<Record<Environment, Record<BudgetHolder['scope'], Map<string, Map<number, number>>>>> = {
    live: { campaign: new Map(), dsp: new Map() },
    sandbox: { campaign: new Map(), dsp: new Map() },
  };
  #sweptThroughMs = 0;

  /** `keptMs`: ms after its sale within which an impression may be billed. */
  constructor(keptMs: number) {
    this.#keptMs = keptMs;
  }

  add({ scope, id, sandbox, priceNanos, soldAtMs }: UnleasedSale): void {
    const slotMs = budgetWindowStart(soldAtMs);
    if (slotMs > this.#sweptThroughMs) this.#sweep(slotMs);
    const holders = this.#byHolder[sandbox ? 'sandbox' : 'live'][scope];
    let windows = holders.get(id);
    if (windows === undefined) {
      windows = new Map();
      holders.set(id, windows);
    }
    windows.set(slotMs, (windows.get(slotMs) ?? 0) + priceNanos);
  }

  soldByWindow({ scope, id, sandbox }: HolderKey): SoldByWindow {
    return this.#byHolder[sandbox ? 'sandbox' : 'live'][scope].get(id) ?? new Map();
  }

  #sweep(slotMs: number): void {
    this.#sweptThroughMs = slotMs;
    const { live, sandbox } = this.#byHolder;
    for (const holders of [live.campaign, live.dsp, sandbox.campaign, sandbox.dsp]) {
      for (const [id, windows] of holders) {
        for (const soldMs of windows.keys())
          if (soldMs + BUDGET_WINDOW_MS + this.#keptMs <= slotMs) windows.delete(soldMs);
        if (windows.size === 0) holders.delete(id);
      }
    }
  }
}
