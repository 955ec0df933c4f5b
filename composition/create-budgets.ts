import { budgetWindowStart } from '../actors/budget/budget-window.ts';
import { dsp } from '../actors/dsp/dsp.ts';
import type { DspProjection } from '../actors/dsp/fields.ts';
import { DAY_MS } from '../actors/ledger/ledger-id.ts';
import { LEDGER_WATERMARK_ID, type WatermarkState, watermark } from '../actors/watermark/watermark.ts';
import { LaterFlight } from '../async/later-flight.ts';
import { DrainedRegions } from '../edge/budgets/drained-regions.ts';
import { ExhaustionReporter } from '../edge/budgets/exhaustion.ts';
import { LeasedBudgets } from '../edge/budgets/leased-budgets.ts';
import { homeLender } from '../edge/budgets/lender.ts';
import { openBudget } from '../edge/budgets/open-budget.ts';
import { RegionLender } from '../edge/budgets/region/region-lender.ts';
import { RegionReadings, type RegionsReading } from '../edge/budgets/region-readings.ts';
import { SaleCeilings } from '../edge/budgets/sale-ceilings.ts';
import { DEFAULT_EDGE_SETTINGS } from '../gateways/edge/settings.ts';
import type { Logger } from '../runtime/actor/logger.ts';
import type { ActorNode } from '../runtime/node/node.ts';
import type { SharedRecords } from '../runtime/ports/shared-records.ts';
import type { StateStore } from '../runtime/ports/store.ts';
import { systemClock } from '../runtime/providers/system/system-clock.ts';
import { systemRandom } from '../runtime/providers/system/system-random.ts';
import { parkedSpendOf, undecidedMoney } from '../scheduler/billing/parked-money.ts';

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
  /** Reads how far regions are drained; absent where there can be none. */
  readonly readRegions?: () => Promise<RegionsReading>;
  readonly region: string;
  /** The records in which this edge leases together with all others that share them; null where it leases by itself. */
  readonly leaseRecords: SharedRecords | null;
}

/** The budgets of one edge process: what it leases, and what it says of sales without a lease. */
export interface EdgeBudgeting {
  readonly budgets: LeasedBudgets;
  readonly ceilings: SaleCeilings;
  /** What lends to all edges that share a Redis; null where this one leases by itself. Closes after the budgets. */
  readonly lender: RegionLender | null;
}

/** Creates the budgets of one edge process. */
export function createBudgets(
  node: ActorNode,
  store: StateStore,
  { edge, renderWindowMs, isOnlyEdge, readRegions, region, leaseRecords }: LeasingSettings,
  logger: Logger,
): EdgeBudgeting {
  const clock = systemClock;
  const { messenger } = node;
  const exhaustion = new ExhaustionReporter({ store, messenger, logger });
  const latestMs = renderWindowMs + MAX_SPOOL_DELAY_MS;
  const windowGraceMs = DEFAULT_EDGE_SETTINGS.maxAuctionMs + OVERRUN_MS;
  const regions =
    readRegions === undefined ? null : new DrainedRegions(async () => (await readRegions()).throughMs, clock);
  const slotsFromMs = () => {
    const { throughMs = 0 } = node.replica.get<Partial<WatermarkState>>(watermark.kind, LEDGER_WATERMARK_ID) ?? {};
    const nowMs = clock.now();
    const completeMs = throughMs === 0 ? nowMs - DAY_MS : Math.min(throughMs, nowMs);
    return budgetWindowStart(Math.min(completeMs, regions?.throughMs ?? completeMs) - latestMs);
  };
  const ceilings = new SaleCeilings({ messenger, clock, logger, edge, windowGraceMs, slotsFromMs });
  // Very many budgets may be opened at once. Each must see what was parked when it had read its ledgers.
  const deadLetters = new LaterFlight(() => undecidedMoney(store));
  const endUnleased = (budgetId: string) => ceilings.end(budgetId);
  const opening = {
    ...{ store, messenger, clock, latestMs, isOnlyEdge, endUnleased },
    parkedSpend: async (throughMs: number) => parkedSpendOf(await deadLetters.run(), throughMs),
    ...(readRegions !== undefined && { regions: new RegionReadings(readRegions) }),
  };
  const home = homeLender(messenger);
  const lender =
    leaseRecords && new RegionLender({ region, records: leaseRecords, home, clock, random: systemRandom, logger });
  const budgets = new LeasedBudgets({
    lender: lender ?? home,
    clock,
    logger,
    edge,
    windowGraceMs,
    dsp: (dspId) => node.replica.get<DspProjection>(dsp.kind, dspId),
    openBudget: (held) => openBudget(opening, held),
    onUnleasedSale: (sold) => ceilings.add(sold),
    // The next tick repeats what could not be stated.
    onLimited: (budgetId) => void ceilings.end(budgetId).catch(() => {}),
    renderWindowMs: latestMs,
    onShortfall: (held, nowMs) => exhaustion.onShortfall(held, nowMs),
  });
  return { budgets, ceilings, lender };
}
