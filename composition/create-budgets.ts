import { budgetWindowStart } from '../actors/budget/budget-window.ts';
import { dsp } from '../actors/dsp/dsp.ts';
import type { DspProjection } from '../actors/dsp/fields.ts';
import { ExhaustionReporter } from '../edge/budgets/exhaustion.ts';
import { LeasedBudgets } from '../edge/budgets/leased-budgets.ts';
import { openBudget } from '../edge/budgets/open-budget.ts';
import { UnleasedSales } from '../edge/budgets/unleased-sales.ts';
import type { Facts } from '../edge/facts/facts.ts';
import { DEFAULT_EDGE_SETTINGS } from '../gateways/edge/settings.ts';
import type { Logger } from '../runtime/actor/logger.ts';
import type { ActorNode } from '../runtime/node/node.ts';
import type { StateStore } from '../runtime/ports/store.ts';
import { systemClock } from '../runtime/providers/system/system-clock.ts';

/** The longest time in ms, beyond the render window, by which impressions of the spool may come late. */
export const MAX_SPOOL_DELAY_MS = 3_600_000;
/** The time in ms that an auction may take beyond its longest duration before the edge notices. */
const OVERRUN_MS = 4_000;

export interface LeasingSettings {
  /** The name of this run of this edge process; no other run has the same. */
  readonly edge: string;
  readonly renderWindowMs: number;
  /** True when no other process sells. */
  readonly isOnlyEdge: boolean;
  /** See `OpeningDeps`. */
  readonly regionsThroughMs?: () => Promise<number | null>;
}

/** Creates the leased budgets of one edge process. */
export function createBudgets(
  node: ActorNode,
  store: StateStore,
  { edge, renderWindowMs, isOnlyEdge, regionsThroughMs }: LeasingSettings,
  facts: Facts,
  logger: Logger,
): LeasedBudgets {
  const clock = systemClock;
  const { messenger } = node;
  const exhaustion = new ExhaustionReporter({ store, messenger, logger });
  const latestMs = renderWindowMs + MAX_SPOOL_DELAY_MS;
  const sales = new UnleasedSales(latestMs);
  const soldHere = isOnlyEdge ? { soldHere: { sales, sinceMs: clock.now() } } : {};
  const regions = regionsThroughMs === undefined ? {} : { regionsThroughMs };
  const opening = { store, messenger, clock, latestMs, ...soldHere, ...regions };
  return new LeasedBudgets({
    messenger,
    clock,
    logger,
    edge,
    windowGraceMs: DEFAULT_EDGE_SETTINGS.maxAuctionMs + OVERRUN_MS,
    dsp: (dspId) => node.replica.get<DspProjection>(dsp.kind, dspId),
    openBudget: (held) => openBudget(opening, held),
    onUnleasedSale(sold) {
      const { scope, id, dspId, sandbox, priceNanos, soldAtMs } = sold;
      if (isOnlyEdge) sales.add(sold);
      const { unleased } = scope === 'dsp' ? facts.dsp(id, sandbox) : facts.campaign(id, dspId, sandbox);
      unleased.add(budgetWindowStart(soldAtMs), priceNanos);
    },
    renderWindowMs: latestMs,
    onShortfall: (held, nowMs) => exhaustion.onShortfall(held, nowMs),
  });
}
