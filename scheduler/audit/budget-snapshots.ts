import { budget } from '../../actors/budget/budget.ts';
import { parseBudgetId } from '../../actors/budget/budget-id.ts';
import { campaignBudgetLimits, dspBudgetLimits } from '../../actors/budget/budget-limits.ts';
import type { BudgetLimits } from '../../actors/budget/messages.ts';
import type { BudgetState } from '../../actors/budget/state.ts';
import { campaign } from '../../actors/campaign/campaign.ts';
import type { CampaignState } from '../../actors/campaign/reduce.ts';
import { dsp } from '../../actors/dsp/dsp.ts';
import type { DspState } from '../../actors/dsp/reduce.ts';
import { positionTimeMs } from '../../runtime/ports/position.ts';
import type { StateStore } from '../../runtime/ports/store.ts';

/** A live budget as it was read. */
export interface BudgetSnapshot {
  readonly state: BudgetState;
  /** The budget has seen nothing later than this instant, ms since the epoch by the log's clock. */
  readonly heardThroughMs: number;
}

/** The holder of a budget, whose settings say what the budget is. */
export interface Holder {
  /** The limits; null without a limit. */
  readonly limits: BudgetLimits | null;
  /** The UTC day on which the holder was created, `yyyy-mm-dd`; '' when it is unknown. */
  readonly createdDay: string;
  /** The instant of the last change, ms since the epoch; 0 when it is unknown. */
  readonly changedAtMs: number;
}

/** Reads the live budgets by holder, `dsp:<id>` or `campaign:<id>`. The sandbox's budgets hold no money. */
export async function readBudgets(store: Pick<StateStore, 'scan'>): Promise<ReadonlyMap<string, BudgetSnapshot>> {
  const budgets = new Map<string, BudgetSnapshot>();
  for await (const { id, deleted, state, position } of store.scan(budget.kind)) {
    const { scope, id: whose, sandbox } = parseBudgetId(id);
    if (deleted || sandbox) continue;
    budgets.set(`${scope}:${whose}`, { state: state as BudgetState, heardThroughMs: positionTimeMs(position) });
  }
  return budgets;
}

/** Reads all demand sources and campaigns, by the same names. */
export async function readHolders(store: Pick<StateStore, 'scan'>): Promise<ReadonlyMap<string, Holder>> {
  const holders = new Map<string, Holder>();
  const add = (name: string, state: Pick<DspState, 'createdAt' | 'updatedAt'>, limits: BudgetLimits | null) => {
    const { createdAt = '', updatedAt = '' } = state as Partial<typeof state>;
    const changedAtMs = updatedAt === '' ? 0 : Date.parse(updatedAt);
    holders.set(name, { limits, createdDay: createdAt.slice(0, 10), changedAtMs });
  };
  for await (const { id, deleted, state } of store.scan(dsp.kind)) {
    if (!deleted) add(`dsp:${id}`, state as DspState, dspBudgetLimits(state as DspState));
  }
  for await (const { id, deleted, state } of store.scan(campaign.kind)) {
    const held = state as CampaignState;
    if (!deleted) add(`campaign:${id}`, held, campaignBudgetLimits(held, held.campaign?.budget));
  }
  return holders;
}
