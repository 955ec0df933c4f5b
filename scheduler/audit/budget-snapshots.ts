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
  /** It has heard of nothing later, ms since the epoch by the log's clock. */
  readonly heardThroughMs: number;
}

/** Whose settings say what a budget is. */
export interface Holder {
  /** Null for no limit. */
  readonly limits: BudgetLimits | null;
  /** UTC day on which it was made, `yyyy-mm-dd`; '' when nobody says. */
  readonly createdDay: string;
  /** Of its last change, ms since the epoch; 0 when nobody says. */
  readonly changedAtMs: number;
}

/** Live budgets by holder, `dsp:<id>` or `campaign:<id>`. The sandbox's are of no money. */
export async function readBudgets(store: Pick<StateStore, 'scan'>): Promise<ReadonlyMap<string, BudgetSnapshot>> {
  const budgets = new Map<string, BudgetSnapshot>();
  for await (const { id, deleted, state, position } of store.scan(budget.kind)) {
    const { scope, id: whose, sandbox } = parseBudgetId(id);
    if (deleted || sandbox) continue;
    budgets.set(`${scope}:${whose}`, { state: state as BudgetState, heardThroughMs: positionTimeMs(position) });
  }
  return budgets;
}

/** All demand sources and campaigns, by the same names. */
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
