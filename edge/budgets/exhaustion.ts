import { budget } from '../../actors/budget/budget.ts';
import { type BudgetStatus, budgetStatusAt, SPEND_LEDGER_FIELDS } from '../../actors/budget/budget-status.ts';
import type { BudgetState } from '../../actors/budget/state.ts';
import { campaign } from '../../actors/campaign/campaign.ts';
import type { CampaignState } from '../../actors/campaign/reduce.ts';
import { ledger } from '../../actors/ledger/ledger.ts';
import { DAY_MS, utcDay } from '../../actors/ledger/ledger-id.ts';
import { ledgerIdsBetween } from '../../actors/ledger/report/period.ts';
import type { LedgerState } from '../../actors/ledger/state.ts';
import { nanosPerImpression } from '../../exchange/money/nanos.ts';
import { campaignBids } from '../../exchange/strategy/campaign-bids.ts';
import type { Logger } from '../../runtime/actor/logger.ts';
import type { Messenger } from '../../runtime/actor/messenger.ts';
import type { StateStore } from '../../runtime/ports/store.ts';
import type { HeldBudget } from './held-budget.ts';

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 15_000;
/** Holders looked at at once; the others have their turn at the next tick. */
const LOOKS_AT_ONCE = 8;

export interface ExhaustionDeps {
  readonly store: Pick<StateStore, 'load'>;
  readonly messenger: Messenger;
  readonly logger: Logger;
}

interface WatchedBudget {
  waitMs: number;
  nextCheckAtMs: number;
  /** What was told, of which revision. */
  lastReported: string;
}

/**
 * Tells a campaign that its budget of the day, or its whole one, is spent: when the ledgers say that what they hold leaves less than
 * a bid that could not be paid, or, where nobody has asked for one since the last of it was sold, than the cheapest that the campaign
 * makes. What is sold and may never be shown is not spent.
 */
export class ExhaustionReporter {
  readonly #deps: ExhaustionDeps;
  readonly #watched = new Map<HeldBudget, WatchedBudget>();
  #looks = 0;

  constructor(deps: ExhaustionDeps) {
    this.#deps = deps;
  }

  /** Returns at once; called about once a second while the holder is short of a bid's price, or sold out. */
  onShortfall(held: HeldBudget, nowMs: number): void {
    if (held.holder.scope !== 'campaign') {
      held.acknowledgeExhausted();
      return;
    }
    const known = this.#watched.get(held);
    const watched = known ?? { waitMs: FIRST_WAIT_MS, nextCheckAtMs: nowMs, lastReported: '' };
    if (known === undefined) this.#remember(held, watched);
    if (nowMs < watched.nextCheckAtMs || this.#looks >= LOOKS_AT_ONCE) return;
    watched.nextCheckAtMs = nowMs + watched.waitMs;
    watched.waitMs = Math.min(LONGEST_WAIT_MS, 2 * watched.waitMs);
    this.#looks += 1;
    void this.#look(held, watched, nowMs)
      .catch((err) =>
        this.#deps.logger.warn({ err, budget: held.id }, 'it could not be seen whether a budget is spent'),
      )
      .finally(() => {
        this.#looks -= 1;
      });
  }

  async #look(held: HeldBudget, watched: WatchedBudget, nowMs: number): Promise<void> {
    const { dailyNanos, totalNanos, revision } = held.limits;
    const out = held.exhaustion(nowMs) ?? { priceNanos: await this.#cheapestOf(held), daily: true, total: true };
    if (out.priceNanos === null) return held.acknowledgeExhausted();
    const { priceNanos } = out;
    const standing = await this.#standing(held, nowMs);
    const spent = (limitNanos: number, spentNanos: bigint) =>
      limitNanos > 0 && spentNanos + BigInt(priceNanos) > BigInt(limitNanos);
    const day = utcDay(nowMs);
    const budgets = [
      ...(out.total && spent(totalNanos, standing.spentTotalNanos) ? (['total'] as const) : []),
      ...(out.daily && spent(dailyNanos, standing.spentTodayNanos) ? (['daily'] as const) : []),
    ];
    const telling = `${day} ${revision} ${budgets.join()}`;
    if (budgets.length === 0) return;
    if (telling === watched.lastReported) return held.acknowledgeExhausted();
    for (const which of budgets) {
      await this.#deps.messenger.tell(campaign, held.holder.id, 'exhausted', { budget: which, day, revision });
    }
    watched.lastReported = telling;
    held.acknowledgeExhausted();
  }

  /** What the campaign would have to pay at least, nano-dollars; null when it makes no bids any more. */
  async #cheapestOf({ holder }: HeldBudget): Promise<number | null> {
    const [document] = await this.#deps.store.load([{ kind: campaign.kind, id: holder.id }]);
    const state = document && !document.deleted ? (document.state as CampaignState) : null;
    if (state === null || state.campaign === null) return null;
    const { campaign: terms, rules, defaultBidCpm } = state;
    const prices = campaignBids({ campaign: terms, rules, defaultBidCpm, paused: false }).map(
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
    const ids = ledgerIdsBetween(holder, oldestMs, nowMs + DAY_MS);
    const keys = ids.map((ledgerId) => ({ kind: ledger.kind, id: ledgerId }));
    const documents = await store.load(keys, SPEND_LEDGER_FIELDS);
    const ledgers = documents.flatMap((found) =>
      found && !found.deleted ? [{ id: found.id, state: found.state as LedgerState }] : [],
    );
    return budgetStatusAt(state, ledgers, nowMs);
  }

  #remember(held: HeldBudget, watched: WatchedBudget): void {
    // Those that were short longest ago go first: it is their turn to be looked at anew anyway.
    if (this.#watched.size >= 10_000) this.#watched.delete(this.#watched.keys().next().value!);
    this.#watched.set(held, watched);
  }
}
