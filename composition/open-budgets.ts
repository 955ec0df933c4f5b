import { dsp } from '../actors/dsp/dsp.ts';
import type { DspView } from '../actors/dsp/view.ts';
import { Exhaustion } from '../gateways/edge/budgets/exhaustion.ts';
import { LeasedBudgets } from '../gateways/edge/budgets/leased-budgets.ts';
import { openBudget } from '../gateways/edge/budgets/open-budget.ts';
import { DEFAULT_EDGE_SETTINGS } from '../gateways/edge/settings.ts';
import type { Logger } from '../runtime/actor/logger.ts';
import type { ActorNode } from '../runtime/node/node.ts';
import type { StateStore } from '../runtime/ports/store.ts';
import { systemClock } from '../runtime/providers/system/system-clock.ts';

/** What impressions of the spool may come late by, beside the render window. */
const SPOOL_MS = 3_600_000;
/** What an auction may take beyond its longest time before it is seen that it took too long. */
const OVERRUN_MS = 4_000;

/** The leases of one edge process, `edge`, which no other run of any process is called. */
export function openBudgets(
  node: ActorNode,
  store: StateStore,
  edge: string,
  renderWindowMs: number,
  logger: Logger,
): LeasedBudgets {
  const clock = systemClock;
  const { messenger } = node;
  const exhaustion = new Exhaustion({ store, messenger, logger });
  const opening = { store, messenger, clock, latestMs: renderWindowMs + SPOOL_MS };
  return new LeasedBudgets({
    messenger,
    clock,
    logger,
    edge,
    closeAfterMs: DEFAULT_EDGE_SETTINGS.maxAuctionMs + OVERRUN_MS,
    dsp: (dspId) => node.replica.get<DspView>(dsp.kind, dspId),
    open: (held) => openBudget(opening, held),
    short: (held, nowMs) => exhaustion.short(held, nowMs),
  });
}
