import { expect } from 'chai';
import { Compile } from 'typebox/compile';
import { budget } from '#actors/budget/budget';
import { BUDGET_WINDOW_MS, budgetWindowStart } from '#actors/budget/budget-window';
import type { BudgetLease, BudgetLimits, EdgeHolding } from '#actors/budget/messages';
import type { BudgetState } from '#actors/budget/state';
import { utcDay } from '#actors/ledger/ledger-id';

const WINDOW_MS = 20 * 60_000;
const HOUR_MS = 3_600_000;
/** How long after its sale an impression can be billed. */
const LATE_BY_MS = WINDOW_MS + HOUR_MS;

const stateSchema = Compile(budget.state);

interface Message {
  readonly type: 'ceiling' | 'lease' | 'open' | 'settle';
  readonly body: unknown;
  readonly edge?: Edge;
}

interface HeldWindow {
  grantedNanos: number;
  soldNanos: number;
  closed: boolean;
}

/** An edge as the contract of budget messages wants it; its clock is off. */
export class Edge {
  readonly name: string;
  readonly skewMs: number;
  limits: BudgetLimits;
  number = 0;
  readonly slots = new Map<number, HeldWindow>();

  constructor(name: string, skewMs: number, limits: BudgetLimits) {
    this.name = name;
    this.skewMs = skewMs;
    this.limits = limits;
  }

  leftNanos(slotMs: number): number {
    const slot = this.slots.get(slotMs);
    return slot === undefined || slot.closed ? 0 : slot.grantedNanos - slot.soldNanos;
  }

  hear(lease: BudgetLease): void {
    if (lease.number !== this.number) return;
    for (const slotMs of lease.closedSlots) this.slots.delete(slotMs);
    const slot = this.slots.get(lease.slotMs);
    if (slot === undefined) {
      if (lease.grantedNanos > 0 && !lease.closedSlots.includes(lease.slotMs)) {
        this.slots.set(lease.slotMs, { grantedNanos: lease.grantedNanos, soldNanos: 0, closed: false });
      }
    } else if (!slot.closed) slot.grantedNanos = lease.grantedNanos;
  }

  holdings(): EdgeHolding[] {
    return Array.from(this.slots, ([slotMs, slot]) => ({ slotMs, ...slot }));
  }
}

/**
 * A budget, its edges, what they sell and what of it is billed in the end: the model that the actor is held against.
 */
export class BudgetWorld {
  nowMs: number;
  state: BudgetState = budget.initial('dsp:d');
  limits: BudgetLimits;
  readonly edges: Edge[] = [];
  /** Sent, and neither handled nor lost. */
  readonly requests: Message[] = [];
  readonly replies: { readonly edge: Edge; readonly lease: BudgetLease }[] = [];
  /** Sold, and to be billed at an instant of the log's clock. */
  #sales: { readonly slotMs: number; readonly nanos: number; readonly atMs: number }[] = [];
  /** What the ledgers hold. */
  readonly billed = new Map<number, number>();
  /** What they hold of edges' words: sold under no lease. */
  readonly unleased = new Map<number, number>();
  /** The largest limits since the beginning, and on each day. Infinite where there was none for a while. */
  #largestTotal = 0;
  readonly #largestDaily = new Map<string, number>();
  #edgesMade = 0;
  #statements = 0;
  #handled = 0;

  constructor(beginMs: number, limits: Omit<BudgetLimits, 'sinceMs' | 'revision'>) {
    this.nowMs = beginMs;
    this.limits = { ...limits, sinceMs: beginMs, revision: 1 };
    this.#noteLimits();
  }

  addEdge(skewMs: number): Edge {
    this.#edgesMade += 1;
    const edge = new Edge(`edge-${this.#edgesMade}`, skewMs, this.limits);
    this.edges.push(edge);
    return edge;
  }

  limit(dailyNanos: number, totalNanos: number): void {
    this.limits = { ...this.limits, dailyNanos, totalNanos, revision: this.limits.revision + 1 };
    this.#noteLimits();
  }

  /** Time passes; what falls due is billed. */
  pass(ms: number): void {
    this.#noteLimits();
    this.nowMs += ms;
    this.#noteLimits();
    const due = this.#sales.filter(({ atMs }) => atMs <= this.nowMs);
    this.#sales = this.#sales.filter(({ atMs }) => atMs > this.nowMs);
    for (const { slotMs, nanos } of due) this.billed.set(slotMs, (this.billed.get(slotMs) ?? 0) + nanos);
  }

  clockOf(edge: Edge): number {
    return this.nowMs + edge.skewMs;
  }

  /**
   * One impression, if the edge's leases pay for it; it is billed after `delayShare` of the longest time, or never
   * (null).
   */
  sell(edge: Edge, nanos: number, delayShare: number | null): boolean {
    const soldAtMs = this.clockOf(edge);
    const slotMs = budgetWindowStart(soldAtMs);
    if (edge.leftNanos(slotMs) < nanos) return false;
    edge.slots.get(slotMs)!.soldNanos += nanos;
    const latestMs = soldAtMs + LATE_BY_MS - 1;
    if (delayShare !== null && latestMs > this.nowMs) {
      this.#sales.push({ slotMs, nanos, atMs: this.nowMs + Math.floor((latestMs - this.nowMs) * delayShare) });
    }
    return true;
  }

  closeOld(edge: Edge): void {
    const currentMs = budgetWindowStart(this.clockOf(edge));
    for (const [slotMs, slot] of edge.slots) if (slotMs < currentMs) slot.closed = true;
  }

  ask(edge: Edge, wantNanos: number, leastNanos: number, slotMs = budgetWindowStart(this.clockOf(edge))): void {
    edge.number += 1;
    const { name, number, limits } = edge;
    const body = { edge: name, number, limits, holdings: edge.holdings(), slotMs, wantNanos, leastNanos };
    this.requests.push({ type: 'lease', body: structuredClone(body), edge });
  }

  /**
   * There was no limit for a while, in which so much was sold in each of some windows; of each, one half is billed
   * after a share of the longest time, the other never. What was sold by then, and what edges still have, the limits
   * that come cannot take back. Edges of older releases report these sales to the ledgers; others state a ceiling
   * before and, while they live, the sums later.
   */
  beginAnew(slots = 0, nanos = 0, delayShare = 0): void {
    const edge = slots % 2 === 0 ? `seller-${++this.#edgesMade}` : null;
    const sold = new Map<number, number>();
    for (let turn = 0; turn < slots; turn++) {
      const slotMs = budgetWindowStart(this.nowMs);
      if (edge === null) this.unleased.set(slotMs, (this.unleased.get(slotMs) ?? 0) + 2 * nanos);
      else {
        sold.set(slotMs, (sold.get(slotMs) ?? 0) + 2 * nanos);
        this.#stateCeiling(edge, sold, 8 * nanos);
      }
      this.#sales.push({ slotMs, nanos, atMs: this.nowMs + Math.floor((LATE_BY_MS - 1) * delayShare) });
      this.pass(BUDGET_WINDOW_MS / 2);
    }
    this.limits = { ...this.limits, sinceMs: this.nowMs, revision: this.limits.revision + 1 };
    if (slots > 0) this.#allowWhatIsSold();
    if (edge !== null) this.requests.push(this.#statement(edge, sold, 0));
  }

  /**
   * A ceiling for the newest window and five more, which comes before anything is sold beyond the last; and comes again
   * some time.
   */
  #stateCeiling(edge: string, sold: ReadonlyMap<number, number>, nanos: number): void {
    const statement = this.#statement(edge, sold, nanos);
    this.requests.push(statement);
    this.deliver(this.requests.length - 1, true);
  }

  #statement(edge: string, sold: ReadonlyMap<number, number>, ceilingNanos: number): Message {
    const spans = Array.from(sold, ([slotMs, nanos]) => ({ fromMs: slotMs, throughMs: slotMs, nanos }));
    const newestMs = Math.max(...sold.keys());
    const ceiling = { fromMs: newestMs, throughMs: newestMs + 5 * BUDGET_WINDOW_MS, nanos: ceilingNanos };
    const slotsFromMs = budgetWindowStart(this.nowMs - LATE_BY_MS);
    const body = {
      edge,
      number: ++this.#statements,
      slotsFromMs,
      spans: ceilingNanos > 0 ? [...spans, ceiling] : spans,
    };
    return { type: 'ceiling', body };
  }

  #allowWhatIsSold(): void {
    const days = new Map<string, number>();
    const add = (slotMs: number, more: number) => days.set(utcDay(slotMs), (days.get(utcDay(slotMs)) ?? 0) + more);
    for (const [slotMs, nanos] of this.billed) add(slotMs, nanos);
    for (const { slotMs, nanos } of this.#sales) add(slotMs, nanos);
    for (const { slotMs, grants } of this.state.slots) for (const { nanos } of grants) add(slotMs, nanos);
    let inAll = 0;
    for (const [day, nanos] of days) {
      inAll += nanos;
      this.#largestDaily.set(day, Math.max(this.#largestDaily.get(day) ?? 0, nanos));
    }
    this.#largestTotal = Math.max(this.#largestTotal, inAll);
  }

  /** What the ledgers hold now. */
  open(): void {
    const slotsFromMs = budgetWindowStart(this.nowMs - LATE_BY_MS);
    const slots = Array.from(new Set([...this.billed.keys(), ...this.unleased.keys()]), (slotMs) => ({
      slotMs,
      spentNanos: this.billed.get(slotMs) ?? 0,
      unleasedNanos: this.unleased.get(slotMs) ?? 0,
    }));
    const over = slots.filter(({ slotMs }) => slotMs < slotsFromMs);
    const days = [...new Set(over.map(({ slotMs }) => utcDay(slotMs)))].map((day) => ({
      day,
      spentNanos: sumOf(over.filter(({ slotMs }) => utcDay(slotMs) === day)),
    }));
    const open = slots.filter(({ slotMs }) => slotMs >= slotsFromMs);
    const { sinceMs } = this.limits;
    this.requests.push({ type: 'open', body: { sinceMs, spentNanos: sumOf(over), days, slotsFromMs, slots: open } });
  }

  /** What the books' duty does when all impressions of before `throughMs` are in the ledgers. */
  settle(throughMs = this.nowMs): void {
    const over = this.state.slots.filter(({ slotMs }) => slotMs + BUDGET_WINDOW_MS + LATE_BY_MS <= throughMs);
    if (over.length === 0) return;
    const slots = over.map(({ slotMs }) => ({ slotMs, spentNanos: this.billed.get(slotMs) ?? 0 }));
    this.requests.push({ type: 'settle', body: { slots } });
  }

  /** The message comes to the actor; it stays sent when it is to come again. */
  deliver(at: number, again = false): void {
    const message = this.requests[at];
    if (message === undefined) return;
    if (!again) this.requests.splice(at, 1);
    this.#handled += 1;
    const context = {
      id: 'dsp:d',
      address: 'budget/dsp:d',
      nowMs: this.nowMs,
      position: `${this.nowMs}-${this.#handled}`,
      random: () => 0,
    };
    const before = deepFreeze(this.state);
    const effects = budget.handle(before, { type: message.type, body: deepFreeze(message.body) } as never, context);
    const { state, reply } = effects as { state?: BudgetState; reply?: BudgetLease };
    if (state !== undefined) this.state = state;
    this.#noteLimits();
    expect(stateSchema.Errors(this.state), 'the state keeps its schema').to.deep.equal([]);
    if (message.edge !== undefined && reply !== undefined) this.replies.push({ edge: message.edge, lease: reply });
  }

  hear(at: number, again = false): void {
    const reply = this.replies[at];
    if (reply === undefined) return;
    if (!again) this.replies.splice(at, 1);
    reply.edge.hear(reply.lease);
  }

  /** Everything that was sent arrives, and so do its answers. */
  calm(): void {
    while (this.requests.length > 0) this.deliver(0);
    while (this.replies.length > 0) this.hear(0);
  }

  billedOn(day: string): number {
    let sum = 0;
    for (const [slotMs, nanos] of this.billed) if (utcDay(slotMs) === day) sum += nanos;
    return sum;
  }

  get billedInAll(): number {
    return [...this.billed.values()].reduce((sum, nanos) => sum + nanos, 0);
  }

  /** The law. */
  check(): void {
    for (const day of new Set(Array.from(this.billed.keys(), utcDay))) {
      const limit = this.#largestDaily.get(day) ?? Number.POSITIVE_INFINITY;
      expect(this.billedOn(day), `billed of what was sold on ${day}`).to.be.at.most(limit);
    }
    expect(this.billedInAll, 'billed in all').to.be.at.most(this.#largestTotal);
  }

  /**
   * What the budget has heard of holds, until it hears of something newer. Edges' clocks may be a little ahead, into
   * the next day; so what holds now holds for that too.
   */
  #noteLimits(): void {
    const { dailyNanos, totalNanos } = this.state.limits ?? this.limits;
    const none = (limit: number) => (limit === 0 ? Number.POSITIVE_INFINITY : limit);
    this.#largestTotal = Math.max(this.#largestTotal, none(totalNanos));
    for (const day of [
      utcDay(this.nowMs - BUDGET_WINDOW_MS),
      utcDay(this.nowMs),
      utcDay(this.nowMs + 2 * BUDGET_WINDOW_MS),
    ]) {
      this.#largestDaily.set(day, Math.max(this.#largestDaily.get(day) ?? 0, none(dailyNanos)));
    }
  }
}

function sumOf(spent: readonly { readonly spentNanos: number }[]): number {
  return spent.reduce((sum, { spentNanos }) => sum + spentNanos, 0);
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
}
