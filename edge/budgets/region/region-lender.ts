import type { BudgetLease } from '#actors/budget/messages';
import { mapLimit } from '#async/map-limit';
import { LogUnavailable } from '#runtime/actor/errors';
import type { Logger } from '#runtime/actor/logger';
import type { Clock } from '#runtime/ports/clock';
import type { Random } from '#runtime/ports/random';
import type { SharedRecords } from '#runtime/ports/shared-records';
import type { LeaseRequest } from '../held-budget.ts';
import { FEW_BUDGETS, isWaiting } from '../lease-terms.ts';
import type { BudgetLender } from '../lender.ts';
import { askHome, mustReturn, needOf, withAnswer } from './ask-home.ts';
import { answerTo, newRegionBudget, type RegionBudget, withLeaseTo, withRequest } from './region-budget.ts';
import { decodeRegionBudget, encodeRegionBudget } from './region-budget-text.ts';

export interface RegionLenderOptions {
  /** The records that all edges of the region share. */
  readonly records: SharedRecords;
  readonly home: BudgetLender;
  readonly region: string;
  readonly clock: Clock;
  readonly random: Pick<Random, 'id'>;
  readonly logger: Logger;
  /** Default {@link FEW_BUDGETS}. */
  readonly fewBudgets?: number;
}

/** A record whose changes by others came first so often is left for the edge's next request. */
const MOST_ATTEMPTS = 20;
/** ms for which home is not asked after it did not answer: edges get what the region holds meanwhile. */
const AWAY_MS = 2_000;
const TICK_MS = 1_000;
/** Each group of records is swept by one edge of the region about once in so many ms. */
const SWEEP_EVERY_MS = 60_000;
/** A budget that nobody has asked for within so many ms, and of which nothing is held, is forgotten. */
const FORGET_MS = 900_000;
/** Where there are many budgets, home waits so many ms for what was not sold in windows that are over. */
const RETURN_LATER_MS = 1_800_000;
const ASKS_AT_ONCE = 64;

/**
 * Lends to the edges of a region what the region has leased at home, up to an hour ahead: so home is asked seldom, and
 * a region that is cut off sells for that long. The leases are records that the region's edges share, and whoever draws
 * the last of one asks home for all of them.
 */
export class RegionLender implements BudgetLender {
  readonly #options: RegionLenderOptions;
  /** When each budget was asked for last, ms since the epoch. */
  readonly #budgets = new Map<string, number>();
  readonly #underWay = new Set<Promise<unknown>>();
  /** Of the monotonic clock. */
  #awayUntilMs = 0;
  #nextGroup = 0;
  #draws = 0;
  #asks = 0;
  #failures = 0;
  #cancelTimer: (() => void) | null = null;
  #closed = false;

  constructor(options: RegionLenderOptions) {
    this.#options = options;
  }

  /** Number of requests of this edge. */
  get draws(): number {
    return this.#draws;
  }

  /** Number of requests to home that this edge made for the region. */
  get asks(): number {
    return this.#asks;
  }

  /** Number of those whose outcome is unknown. */
  get failures(): number {
    return this.#failures;
  }

  async lease(budgetId: string, request: LeaseRequest): Promise<BudgetLease> {
    const { clock } = this.#options;
    this.#draws += 1;
    this.#budgets.set(budgetId, clock.now());
    const { answer, ask, closedSlots } = await this.#change(budgetId, (known) => this.#draw(known, request));
    if (ask === null) return answer!;
    const answering = this.#ask(budgetId, ask);
    if (answer !== null) {
      this.#track(answering.then((lease) => this.#apply(budgetId, ask, lease)));
      return answer;
    }
    const lease = await answering;
    return this.#change(budgetId, (known) => {
      const nowMs = clock.now();
      if (known === null) throw new LogUnavailable('the leases of the region were lost meanwhile');
      const state = withLeaseTo(withAnswer(known, ask, lease, nowMs), request, nowMs);
      return { state, result: answerTo(state, request, closedSlots) };
    });
  }

  start(): void {
    this.#cancelTimer = this.#options.clock.after(TICK_MS, () => {
      this.#track(this.sweep());
      if (!this.#closed) this.start();
    });
  }

  /** Looks after the budgets of one group that no edge asks for: what is over, or not sold any more, goes back home. */
  async sweep(): Promise<void> {
    const { records, clock } = this.#options;
    const group = this.#nextGroup;
    this.#nextGroup = (group + 1) % records.groups;
    const nowMs = clock.now();
    if (group === 0) this.#forgetUnused(nowMs);
    if (this.#isAway() || !(await this.#takesTurn(group))) return;
    const kept = await records.list(group);
    // An edge that has just started, or is seldom asked, knows few of the region's budgets.
    const returnWithinMs = this.#returnWithin(Math.max(this.#budgets.size, kept.length * records.groups));
    const due = kept.filter(({ id, text }) => {
      if (id.startsWith(SWEPT)) return false;
      const state = decodeRegionBudget(text);
      return mustReturn(state, nowMs, returnWithinMs) || isForgotten(state, nowMs);
    });
    await mapLimit(due, ASKS_AT_ONCE, ({ id }) => this.#giveBack(id, returnWithinMs));
  }

  /** Called after the edge has closed its leases: gives back what no other edge of the region sells from. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelTimer?.();
    await Promise.all(this.#underWay);
    await mapLimit([...this.#budgets.keys()], ASKS_AT_ONCE, (id) => this.#giveBack(id, 0, 0)).catch((error) => {
      this.#options.logger.warn(
        { err: error },
        "the region's leases could not be returned: another edge of the region does, or they are free when their budget windows are settled",
      );
    });
  }

  #draw(known: RegionBudget | null, request: LeaseRequest): Change<Drawn> {
    const nowMs = this.#options.clock.now();
    const before = known ?? newRegionBudget(this.#name(), request.limits);
    const heard = withRequest(before, request, nowMs);
    if (heard === null)
      return { state: known, result: { answer: answerTo(before, request, []), ask: null, closedSlots: [] } };
    const { closedSlots } = heard;
    const need = this.#isAway() ? null : needOf(heard.state, request, nowMs, this.#returnWithin(this.#budgets.size));
    if (need === 'first') {
      const { state, ask } = askHome(heard.state, request, nowMs);
      return { state, result: { answer: null, ask, closedSlots } };
    }
    const granted = withLeaseTo(heard.state, request, nowMs);
    const { state, ask } = need === null ? { state: granted, ask: null } : askHome(granted, request, nowMs);
    return { state, result: { answer: answerTo(state, request, closedSlots), ask, closedSlots } };
  }

  async #ask(budgetId: string, ask: LeaseRequest): Promise<BudgetLease | null> {
    const { home, clock, logger } = this.#options;
    this.#asks += 1;
    try {
      return await home.lease(budgetId, ask);
    } catch (error) {
      this.#failures += 1;
      this.#awayUntilMs = clock.monotonic() + AWAY_MS;
      logger.debug({ err: error, budget: budgetId }, "a region's lease request failed");
      return null;
    }
  }

  #apply(budgetId: string, ask: LeaseRequest, lease: BudgetLease | null): Promise<void> {
    return this.#change(budgetId, (known) => ({
      state: known && withAnswer(known, ask, lease, this.#options.clock.now()),
      result: undefined,
    }));
  }

  async #giveBack(budgetId: string, returnWithinMs: number, idleMs?: number): Promise<void> {
    const ask = await this.#change<LeaseRequest | null>(budgetId, (known) => {
      const nowMs = this.#options.clock.now();
      if (known === null || !mustReturn(known, nowMs, returnWithinMs, idleMs)) {
        return { state: known === null || isForgotten(known, nowMs) ? null : known, result: null };
      }
      const { state, ask: made } = askHome(known, null, nowMs, idleMs);
      return { state, result: made };
    });
    if (ask !== null) await this.#apply(budgetId, ask, await this.#ask(budgetId, ask));
  }

  /** Changes a record. What others have changed meanwhile is read again. */
  async #change<T>(budgetId: string, change: (known: RegionBudget | null) => Change<T>): Promise<T> {
    const { records } = this.#options;
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      const record = await records.read(budgetId);
      const known = record === null ? null : decodeRegionBudget(record.text);
      const { state, result } = change(known);
      if (state === known) return result;
      const text = state === null ? null : encodeRegionBudget(state);
      if (await records.replace(budgetId, record?.version ?? null, text)) return result;
    }
    throw new LogUnavailable('others change the leases of the region all the time');
  }

  /** Whether this edge is the one that sweeps the group now. */
  async #takesTurn(group: number): Promise<boolean> {
    const { records, clock } = this.#options;
    const id = `${SWEPT}${group}`;
    const nowMs = clock.now();
    const record = await records.read(id);
    if (record !== null && isWaiting(nowMs, Number(record.text), SWEEP_EVERY_MS)) return false;
    return records.replace(id, record?.version ?? null, `${nowMs}`);
  }

  #forgetUnused(nowMs: number): void {
    for (const [id, usedAtMs] of this.#budgets) if (usedAtMs <= nowMs - FORGET_MS) this.#budgets.delete(id);
  }

  #returnWithin(budgets: number): number {
    return budgets > (this.#options.fewBudgets ?? FEW_BUDGETS) ? RETURN_LATER_MS : 0;
  }

  #isAway(): boolean {
    return this.#options.clock.monotonic() < this.#awayUntilMs;
  }

  #name(): string {
    return `${this.#options.region}#${this.#options.random.id()}`;
  }

  #track(work: Promise<unknown>): void {
    const tracked = work
      .catch((error) => this.#options.logger.debug({ err: error }, "the region's leases could not be changed"))
      .finally(() => this.#underWay.delete(tracked));
    this.#underWay.add(tracked);
  }
}

interface Drawn {
  /** Null where home is asked first. */
  readonly answer: BudgetLease | null;
  readonly ask: LeaseRequest | null;
  readonly closedSlots: readonly number[];
}

/** A record whose state becomes null is removed. */
interface Change<T> {
  readonly state: RegionBudget | null;
  readonly result: T;
}

/** Records with this prefix say when a group was swept. */
const SWEPT = '!swept:';

function isForgotten({ slots, edges, askedAtMs }: RegionBudget, nowMs: number): boolean {
  return slots.length === 0 && askedAtMs === null && edges.every(({ heardAtMs }) => heardAtMs <= nowMs - FORGET_MS);
}
