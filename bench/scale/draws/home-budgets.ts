import { budget } from '#actors/budget/budget';
import type { BudgetLease } from '#actors/budget/messages';
import type { BudgetState } from '#actors/budget/state';
import type { HeldBudget } from '#edge/budgets/held-budget';
import type { BudgetLender } from '#edge/budgets/lender';

/** The budgets' actors, handled at once: what they take is counted, so that it can be subtracted. */
export class HomeBudgets implements BudgetLender {
  readonly #nowMs: () => number;
  readonly #states = new Map<string, BudgetState>();
  /** Time in which messages were handled, µs. */
  micros = 0;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  async lease(id: string, request: Parameters<BudgetLender['lease']>[1]): Promise<BudgetLease> {
    return this.#handle(id, 'lease', request) as BudgetLease;
  }

  /** Opens a budget of which nothing was spent. */
  open({ id, limits }: HeldBudget): void {
    const slotsFromMs = this.#nowMs() - 7_200_000;
    this.#handle(id, 'open', { sinceMs: limits.sinceMs, spentNanos: 0, days: [], slotsFromMs, slots: [] });
  }

  #handle(id: string, type: string, body: unknown): unknown {
    const beganMs = performance.now();
    const nowMs = this.#nowMs();
    const context = { id, address: `budget/${id}`, nowMs, position: '1-0', random: Math.random };
    const { state, reply } = budget.handle(
      this.#states.get(id) ?? budget.initial(id),
      { type, body } as never,
      context,
    ) as { state?: BudgetState; reply?: unknown };
    if (state !== undefined) this.#states.set(id, state);
    this.micros += (performance.now() - beganMs) * 1_000;
    return reply;
  }
}
