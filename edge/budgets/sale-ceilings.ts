import { budget } from '../../actors/budget/budget.ts';
import { budgetId } from '../../actors/budget/budget-id.ts';
import { budgetWindowStart } from '../../actors/budget/budget-window.ts';
import { mapLimit } from '../../async/map-limit.ts';
import type { Logger } from '../../runtime/actor/logger.ts';
import type { Messenger } from '../../runtime/actor/messenger.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import type { UnleasedSale } from './leased-budgets.ts';
import { UnleasedSales } from './unleased-sales.ts';

const TICK_MS = 1_000;
/** Upper bound of statements under way at once; the others wait. */
const STATEMENTS_AT_ONCE = 64;

export interface SaleCeilingsOptions {
  readonly messenger: Pick<Messenger, 'tell'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Unique name of this run of this process. */
  readonly edge: string;
  /** ms after a window's end within which an auction may still sell in it. */
  readonly windowGraceMs: number;
  /** The start of the earliest budget window of which impressions may still be billed, ms since the epoch. */
  readonly slotsFromMs: () => number;
}

interface StatedHolder {
  readonly id: string;
  readonly sales: UnleasedSales;
  /** The statement under way. */
  sending: Promise<void> | null;
}

/**
 * Tells budgets the most that this edge sells without a lease, because their holders have no limit: a limit that is set
 * later must count these sales, also those of an edge that has died. A ceiling is stated through the log when half of
 * the last one is used, for half an hour ahead, so no sale waits for it. The first sale in half an hour is beyond it
 * until its statement is durable, as is what is sold while the log does not answer; statements are complete, so the
 * next one says it all.
 */
export class SaleCeilings {
  readonly #options: SaleCeilingsOptions;
  readonly #holders = new Map<string, StatedHolder>();
  /** Holders whose last statement is not all that must be said. */
  readonly #due = new Set<StatedHolder>();
  /** Holders whose last statement may not have arrived: it is repeated at the next tick. */
  readonly #failed = new Set<StatedHolder>();
  #underWay = 0;
  /** One sequence for the statements to all budgets: a holder that is forgotten must not start from 0. */
  #statements = 0;
  #failures = 0;
  #sweptOpenFromMs = 0;
  #cancelTimer: (() => void) | null = null;
  #closed = false;

  constructor(options: SaleCeilingsOptions) {
    this.#options = options;
  }

  /** Number of holders whose sales are beyond the ceiling that their budget certainly knows. */
  get due(): number {
    return this.#due.size + this.#failed.size + this.#underWay;
  }

  /** Number of statements that were sent. */
  get statements(): number {
    return this.#statements;
  }

  /** Number of statements that may not have arrived; they are repeated. */
  get failures(): number {
    return this.#failures;
  }

  /** Called with each sale without a lease. Returns at once. */
  add(sold: UnleasedSale): void {
    const id = budgetId(sold);
    let holder = this.#holders.get(id);
    if (holder === undefined) {
      holder = { id, sales: new UnleasedSales(), sending: null };
      this.#holders.set(id, holder);
    }
    if (!holder.sales.add(sold.priceNanos, sold.soldAtMs)) return;
    this.#due.add(holder);
    this.#drain();
  }

  /**
   * Called when a holder has a limit: resolves when its budget knows exactly what this edge has sold without a lease.
   * Rejects when that is unknown.
   */
  async end(id: string): Promise<void> {
    const holder = this.#holders.get(id);
    if (holder !== undefined) await this.#stateExactly(holder);
  }

  start(): void {
    this.#cancelTimer = this.#options.clock.after(TICK_MS, () => {
      this.tick();
      if (!this.#closed) this.start();
    });
  }

  /** Repeats what may not have arrived and, after each window, replaces ceilings that are over by what was sold. */
  tick(): void {
    for (const holder of this.#failed) this.#due.add(holder);
    this.#failed.clear();
    const openFromMs = this.#openFromMs();
    if (openFromMs > this.#sweptOpenFromMs) this.#sweep(openFromMs);
    this.#drain();
  }

  /** Called after the last auction. States what was sold in fact, unless the log does not answer. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelTimer?.();
    const holders = [...this.#holders.values()];
    await mapLimit(holders, STATEMENTS_AT_ONCE, (holder) => this.#stateExactly(holder)).catch((error) => {
      this.#options.logger.warn(
        { err: error },
        'sales without a limit could not be stated exactly: a limit that is set within hours counts a little more',
      );
    });
  }

  #sweep(openFromMs: number): void {
    this.#sweptOpenFromMs = openFromMs;
    const slotsFromMs = this.#options.slotsFromMs();
    for (const holder of this.#holders.values()) {
      const { id, sales } = holder;
      sales.forgetBefore(slotsFromMs);
      if (sales.throughMs < openFromMs && !sales.isExact) this.#due.add(holder);
      else if (sales.isEmpty && sales.isExact && !this.#mustSay(holder)) this.#holders.delete(id);
    }
  }

  #openFromMs(): number {
    return budgetWindowStart(this.#options.clock.now() - this.#options.windowGraceMs);
  }

  #mustSay(holder: StatedHolder): boolean {
    return this.#due.has(holder) || this.#failed.has(holder) || holder.sending !== null;
  }

  #drain(): void {
    for (const holder of this.#due) {
      if (this.#closed || this.#underWay >= STATEMENTS_AT_ONCE) return;
      if (holder.sending !== null) continue;
      void this.#send(holder).catch((error) =>
        this.#options.logger.debug({ err: error, budget: holder.id }, 'a ceiling could not be stated'),
      );
    }
  }

  async #stateExactly(holder: StatedHolder): Promise<void> {
    const { sales } = holder;
    if (sales.throughMs !== -1 || !sales.isExact || this.#failed.delete(holder)) this.#due.add(holder);
    sales.end();
    while (this.#due.has(holder) || holder.sending !== null) await (holder.sending ?? this.#send(holder));
  }

  #send(holder: StatedHolder): Promise<void> {
    this.#due.delete(holder);
    this.#underWay += 1;
    const sending = this.#tell(holder).finally(() => {
      this.#underWay -= 1;
      holder.sending = null;
      this.#drain();
    });
    holder.sending = sending;
    return sending;
  }

  async #tell({ id, sales }: StatedHolder): Promise<void> {
    const { messenger, edge, slotsFromMs: from } = this.#options;
    const slotsFromMs = from();
    sales.forgetBefore(slotsFromMs);
    const spans = sales.spans(this.#openFromMs());
    try {
      await messenger.tell(budget, id, 'ceiling', { edge, number: ++this.#statements, slotsFromMs, spans });
    } catch (error) {
      this.#failures += 1;
      const holder = this.#holders.get(id);
      if (holder !== undefined) this.#failed.add(holder);
      throw error;
    }
  }
}
