import { budget } from '../../actors/budget/budget.ts';
import { type BudgetStatus, budgetStatusAt, SPEND_LEDGER_FIELDS } from '../../actors/budget/budget-status.ts';
import type { BudgetState } from '../../actors/budget/state.ts';
import { campaign } from '../../actors/campaign/campaign.ts';
import type { CampaignState } from '../../actors/campaign/reduce.ts';
import { DAY_MS, utcDay } from '../../actors/ledger/ledger-id.ts';
import { readLedgers } from '../../actors/ledger/read-ledgers.ts';
import { nanosPerImpression } from '../../exchange/money/nanos.ts';
import { campaignBids } from '../../exchange/strategy/campaign-bids.ts';
import type { Logger } from '../../runtime/actor/logger.ts';
import type { Messenger } from '../../runtime/actor/messenger.ts';
import type { StateStore } from '../../runtime/ports/store.ts';
import type { HeldBudget } from './held-budget.ts';
import { isWaiting } from './lease-terms.ts';

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 15_000;
/** Upper bound of holders checked at once; the others wait for a later tick. */
const LOOKS_AT_ONCE = 8;

export interface ExhaustionDeps {
  readonly store: Pick<StateStore, 'load'>;
  readonly messenger: Messenger;
  readonly logger: Logger;
}

interface WatchedBudget {
  /** Time of the last check, ms since the epoch, and the wait after it. */
  checkedAtMs: number;
  waitMs: number;
  /** The last report sent: its day, its revision and its budgets. */
  lastReported: string;
}

/**
 * Reports to a campaign that its daily or total budget is spent, once the ledgers show that the rest is less than a
 * price. The price is that of a bid that could not be paid or, where no bid was refused since the last of the budget
 * was sold, that of the campaign's cheapest bid. A sale that may never be rendered is not spent.
 */
export class ExhaustionReporter {
  readonly #deps: ExhaustionDeps;
  readonly #watched = new Map<HeldBudget, WatchedBudget>();
  #looks = 0;

  constructor(deps: ExhaustionDeps) {
    this.#deps = deps;
  }

  /** Called each second, or each fourth, while the holder cannot pay a bid's price or is sold out. Returns at once. */
  onShortfall(held: HeldBudget, nowMs: number): void {
    if (held.holder.scope !== 'campaign') {
      held.acknowledgeExhausted();
      return;
    }
    const known = this.#watched.get(held);
    const watched = known ?? { checkedAtMs: nowMs, waitMs: 0, lastReported: '' };
    if (known === undefined) this.#remember(held, watched);
    if (isWaiting(nowMs, watched.checkedAtMs, watched.waitMs) || this.#looks >= LOOKS_AT_ONCE) return;
    watched.checkedAtMs = nowMs;
    watched.waitMs = Math.min(LONGEST_WAIT_MS, Math.max(FIRST_WAIT_MS, 2 * watched.waitMs));
    this.#looks += 1;
    void this.#look(held, watched, nowMs)
      .catch((err) =>
        this.#deps.logger.warn({ err, budget: held.id }, 'whether a budget is spent could not be checked'),
      )
      .finally(() => {
        this.#looks -= 1;
      });
  }

  async #look(held: HeldBudget, watched: WatchedBudget, nowMs: number): Promise<void> {
    const { dailyNanos, totalNanos, revision } = held.limits;
    const exhausted = held.exhaustion(nowMs) ?? { priceNanos: await this.#cheapestOf(held), daily: true, total: true };
    if (exhausted.priceNanos === null) return held.acknowledgeExhausted();
    const { priceNanos } = exhausted;
    const status = await this.#standing(held, nowMs);
    const spent = (limitNanos: number, spentNanos: bigint) =>
      limitNanos > 0 && spentNanos + BigInt(priceNanos) > BigInt(limitNanos);
    const day = utcDay(nowMs);
    const budgets = [
      ...(exhausted.total && spent(totalNanos, status.spentTotalNanos) ? (['total'] as const) : []),
      ...(exhausted.daily && spent(dailyNanos, status.spentTodayNanos) ? (['daily'] as const) : []),
    ];
    const message = `${day} ${revision} ${budgets.join()}`;
    if (budgets.length === 0) return;
    if (message === watched.lastReported) return held.acknowledgeExhausted();
    for (const which of budgets) {
      const { id: budgetId, holder } = held;
      await this.#deps.messenger.tell(campaign, holder.id, 'exhausted', { budget: which, day, revision, budgetId });
    }
    watched.lastReported = message;
    held.acknowledgeExhausted();
  }

  /** The lowest price that the campaign would pay, in nano-dollars; null when it makes no bids any more. */
  async #cheapestOf({ holder }: HeldBudget): Promise<number | null> {
    const [document] = await this.#deps.store.load([{ kind: campaign.kind, id: holder.id }]);
    const state = document && !document.deleted ? (document.state as CampaignState) : null;
    if (state === null || state.campaign === null) return null;
    const { campaign: campaignDocument, rules, defaultBidCpm } = state;
    const prices = campaignBids({ campaign: campaignDocument, rules, defaultBidCpm, paused: false }).map(
      ({ bidCpmMicros }) => bidCpmMicros,
    );
    const bids = prices.filter((price) => price > 0);
    return bids.length === 0 ? null : nanosPerImpression(Math.min(...bids));
  }

  async #standing({ id, holder }: HeldBudget, nowMs: number): Promise<BudgetStatus> {
    const { store } = this.#deps;
    const [document] = await store.load([{ kind: budget.kind, id }]);
    const state = document && !document.deleted ? (document.state as BudgetState) : null;
    const oldestMs = Math.min(state?.oldestSlotMs ?? nowMs, nowMs - DAY_MS);
    // Whole days: what is in no budget window counts on the day of its ledger.
    const fromMs = oldestMs - (oldestMs % DAY_MS);
    const stretch = { owner: holder, fromMs, toMs: nowMs + DAY_MS };
    const ledgers = await readLedgers(store, [stretch], SPEND_LEDGER_FIELDS);
    return budgetStatusAt(state, ledgers, nowMs);
  }

  #remember(held: HeldBudget, watched: WatchedBudget): void {
    // Budgets watched longest go first: their next check is due anyway.
    if (this.#watched.size >= 10_000) this.#watched.delete(this.#watched.keys().next().value!);
    this.#watched.set(held, watched);
  }
}
