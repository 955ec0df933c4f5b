import { budget } from '#actors/budget/budget';
import { budgetWindowStart } from '#actors/budget/budget-window';
import { limitedSince } from '#actors/budget/limited-since';
import type { BudgetLease, BudgetLimits } from '#actors/budget/messages';
import type { BudgetState } from '#actors/budget/state';
import type { DspProjection } from '#actors/dsp/fields';
import { utcDay } from '#actors/ledger/ledger-id';
import type { HeldBudget } from '#edge/budgets/held-budget';
import { FEW_BUDGETS } from '#edge/budgets/lease-terms';
import { LeasedBudgets } from '#edge/budgets/leased-budgets';
import { homeLender } from '#edge/budgets/lender';
import { RegionLender } from '#edge/budgets/region/region-lender';
import { SaleCeilings } from '#edge/budgets/sale-ceilings';
import { type CatalogueCampaign, toCatalogueCampaign } from '#edge/catalogue/kept-campaign';
import { ActorTimeout, LogUnavailable } from '#runtime/actor/errors';
import type { Messenger } from '#runtime/actor/messenger';
import type { Clock } from '#runtime/ports/clock';
import { makeCampaignProjection } from '../../support/campaign-projection.ts';
import { makeDspProjection } from '../../support/dsp-projection.ts';
import { MemoryRecords } from '../../support/memory-records.ts';

export const CENT = 10_000_000;
export const DSP = 'dsp-1';

/** What becomes of a request to a budget. */
export type Fate = 'answered' | 'answer-lost' | 'lost' | 'late';

/** Budgets as their reducer keeps them, on the log's clock, behind a log that loses what it is told to. */
export class BudgetActors {
  nowMs: number;
  fate: () => Fate = () => 'answered';
  /** Told what was asked, after it was handled. */
  heard: (id: string, type: string) => void = () => undefined;
  readonly states = new Map<string, BudgetState>();
  asks = 0;
  tells = 0;
  #late: (() => void)[] = [];

  constructor(nowMs: number) {
    this.nowMs = nowMs;
  }

  readonly messenger: Messenger = {
    tell: async (_kind, id, type, body) => {
      this.tells += 1;
      await Promise.resolve();
      const fate = this.fate();
      if (fate === 'lost') throw new LogUnavailable('lost');
      this.#handle(id, type, body);
      if (fate !== 'answered') throw new LogUnavailable('it is not known whether it was appended');
    },
    ask: async (_kind, id, type, body) => {
      this.asks += 1;
      await Promise.resolve();
      const fate = this.fate();
      if (fate === 'lost') throw new ActorTimeout('lost');
      if (fate === 'late') {
        // Handled after the caller has given up.
        this.#late.push(() => this.#handle(id, type, body));
        throw new ActorTimeout('late');
      }
      const reply = this.#handle(id, type, body);
      if (fate === 'answer-lost') throw new ActorTimeout('the answer was lost');
      return reply as never;
    },
  };

  /** What was late arrives. */
  arrive(): void {
    for (const handle of this.#late.splice(0)) handle();
  }

  freeTodayNanos(id: string): number | null {
    return this.#lookAt(id).freeTodayNanos;
  }

  #lookAt(id: string): BudgetLease {
    const state = this.states.get(id) ?? budget.initial(id);
    const body = {
      ...{ edge: 'whoever looks', number: 0, limits: state.limits as BudgetLimits, holdings: [] },
      ...{ slotMs: budgetWindowStart(this.nowMs), wantNanos: 0, leastNanos: 1 },
    };
    return this.#reduce(state, id, 'lease', body).reply as BudgetLease;
  }

  #handle(id: string, type: string, body: unknown): unknown {
    const state = this.states.get(id) ?? budget.initial(id);
    const effects = this.#reduce(state, id, type, body);
    if (effects.state) this.states.set(id, effects.state);
    this.heard(id, type);
    return structuredClone(effects.reply);
  }

  #reduce(state: BudgetState, id: string, type: string, body: unknown) {
    const context = { id, address: `budget/${id}`, nowMs: this.nowMs, position: '1-0', random: () => 0.5 };
    return budget.handle(state, { type, body: structuredClone(body) } as never, context) as {
      state?: BudgetState;
      reply?: unknown;
    };
  }
}

/** A region with records of its own, and a link to home. */
export class LeasingRegion {
  readonly name: string;
  readonly records = new MemoryRecords();
  isCutOff = false;

  constructor(name: string) {
    this.name = name;
  }
}

export interface EdgeOptions {
  readonly name?: string;
  /** How far its clock is ahead of the log's, ms. */
  readonly skewMs?: number;
  /** Home without it. */
  readonly region?: LeasingRegion;
  /** Default {@link FEW_BUDGETS}. */
  readonly fewBudgets?: number;
}

/** One edge's leases over {@link BudgetActors}, and what it has sold, by UTC day. */
export class LeasingEdge {
  readonly leases: LeasedBudgets;
  readonly ceilings: SaleCeilings;
  readonly lender: RegionLender | null;
  readonly soldNanos = new Map<string, number>();
  readonly short: HeldBudget[] = [];
  soldUnleased = 0;
  /** As in {@link EdgeOptions}; a change sets its wall clock. */
  skewMs: number;
  readonly clock: Clock;

  constructor(world: LeasingWorld, { name = 'edge', skewMs = 0, region, fewBudgets = FEW_BUDGETS }: EdgeOptions = {}) {
    const { actors } = world;
    this.skewMs = skewMs;
    const now = () => actors.nowMs + this.skewMs;
    this.clock = { now, monotonic: () => actors.nowMs, after: () => () => undefined };
    const logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
    const messenger = region === undefined ? actors.messenger : overLink(region, actors.messenger);
    const shared = { messenger, clock: this.clock, logger, edge: name, windowGraceMs: 5_000 };
    const home = homeLender(messenger);
    let ids = 0;
    const random = { id: () => `${name}.${++ids}` };
    this.lender =
      region === undefined
        ? null
        : new RegionLender({
            ...{ records: region.records, region: region.name },
            home,
            clock: this.clock,
            random,
            logger,
            fewBudgets,
          });
    this.ceilings = new SaleCeilings({ ...shared, slotsFromMs: () => budgetWindowStart(now() - 7_200_000) });
    this.leases = new LeasedBudgets({
      ...shared,
      fewBudgets,
      lender: this.lender ?? home,
      dsp: (id) => (id === DSP ? world.dsp : undefined),
      openBudget: async (held) => {
        await this.ceilings.end(held.id);
        await messenger.ask(budget, held.id, 'open', {
          ...{ sinceMs: held.limits.sinceMs, spentNanos: 0, days: [], slotsFromMs: now() - 7_200_000 },
          slots: [],
        });
        return true;
      },
      onUnleasedSale: (sold) => {
        this.soldUnleased += 1;
        this.ceilings.add(sold);
      },
      onLimited: (id) => void this.ceilings.end(id).catch(() => undefined),
      renderWindowMs: 3_600_000,
      onShortfall: (held) => void this.short.push(held),
    });
  }

  /** A second passes. */
  tick(): void {
    this.leases.tick();
    this.ceilings.tick();
    void this.lender?.sweep().catch(() => undefined);
  }

  async close(): Promise<void> {
    await this.leases.close();
    await this.lender?.close();
  }

  /** Sells one impression, when there is room for it; `blindly`, as one that was bid when there was. */
  sell(priceNanos: number, campaign: CatalogueCampaign | null = null, blindly = false): boolean {
    const nowMs = this.clock.now();
    const hasRoom = this.leases.available(DSP, campaign, priceNanos, nowMs) === true;
    if (!hasRoom && !blindly) return false;
    if (!this.leases.reserve(DSP, campaign, priceNanos, nowMs)) return false;
    const day = utcDay(nowMs);
    this.soldNanos.set(day, (this.soldNanos.get(day) ?? 0) + priceNanos);
    return true;
  }

  /** The sale that was made last at this instant was none. */
  unsell(priceNanos: number, campaign: CatalogueCampaign | null = null): void {
    const nowMs = this.clock.now();
    this.leases.release(DSP, campaign, priceNanos, nowMs);
    const day = utcDay(nowMs);
    this.soldNanos.set(day, this.soldNanos.get(day)! - priceNanos);
  }

  soldInAll(): number {
    return [...this.soldNanos.values()].reduce((sum, nanos) => sum + nanos, 0);
  }
}

/** A demand source with a budget, its budget's actor, and edges that sell for it. */
export class LeasingWorld {
  readonly actors: BudgetActors;
  dsp: DspProjection;

  constructor(nowMs: number, dailyBudgetCents: number) {
    this.actors = new BudgetActors(nowMs);
    const limitedSinceMs = dailyBudgetCents > 0 ? nowMs : 0;
    this.dsp = makeDspProjection({ id: DSP, endpointUrl: null, dailyBudgetCents, limitedSinceMs });
  }

  /** 0: none any more. */
  limit(dailyBudgetCents: number): void {
    const limitedSinceMs = limitedSince(this.dsp, dailyBudgetCents > 0, this.actors.nowMs);
    this.dsp = { ...this.dsp, dailyBudgetCents, limitedSinceMs, revision: this.dsp.revision + 1 };
  }

  campaign(budgets: { readonly daily_cents?: number; readonly total_cents?: number }): CatalogueCampaign {
    const view = makeCampaignProjection(DSP, { id: 'campaign-1', budget: budgets });
    return toCatalogueCampaign({ ...view, limitedSinceMs: this.actors.nowMs });
  }
}

function overLink(region: LeasingRegion, home: Messenger): Messenger {
  const passed = <T>(send: () => Promise<T>): Promise<T> =>
    region.isCutOff ? Promise.reject(new LogUnavailable('the link is cut')) : send();
  return {
    tell: (...args: Parameters<Messenger['tell']>) => passed(() => home.tell(...args)),
    ask: (...args: Parameters<Messenger['ask']>) => passed(() => home.ask(...args)),
  } as Messenger;
}

/** Lets what is under way end: everything here answers within a few turns. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 8; turn++) await new Promise(setImmediate);
}
