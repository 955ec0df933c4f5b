import { DAY_MS } from '#actors/ledger/ledger-id';
import type { CampaignBudget } from '#edge/pace/campaign-pace';
import { NANOS_PER_CENT } from '#exchange/money/cents';

/**
 * The spending of a strategy under test so far, in the order of time, and thereby what it may still bid. A day is a UTC
 * day. Every won sale counts as spent, as if it was shown.
 */
export class BacktestSpend {
  readonly #dspDailyCents: number;
  /** The spending by campaign; the key of the demand source is ''. */
  readonly #spent = new Map<string, { day: number; today: bigint; ever: bigint }>();

  /** `dspDailyCents` is the demand source's own daily budget; 0: none. */
  constructor(dspDailyCents: number) {
    this.#dspDailyCents = dspDailyCents;
  }

  /** The number of impressions, at most `wanted`, that the budgets still pay for at this price. */
  affordableImpressions(
    campaignId: string,
    budget: CampaignBudget | null,
    priceNanos: number,
    wanted: number,
    atMs: number,
  ): number {
    const own = this.#at(campaignId, atMs);
    const ofDsp = this.#at('', atMs);
    let left: bigint | null = null;
    const limit = (cents: number | undefined, spent: bigint) => {
      if (!cents) return;
      const rest = BigInt(cents) * NANOS_PER_CENT - spent;
      if (left === null || rest < left) left = rest;
    };
    limit(budget?.daily_cents, own.today);
    limit(budget?.total_cents, own.ever);
    limit(this.#dspDailyCents, ofDsp.today);
    if (left === null) return wanted;
    const affordable = (left as bigint) / BigInt(priceNanos);
    return affordable >= BigInt(wanted) ? wanted : Math.max(0, Number(affordable));
  }

  spend(campaignId: string, priceNanos: number, impressions: number, atMs: number): void {
    const nanos = BigInt(priceNanos) * BigInt(impressions);
    for (const holder of [campaignId, '']) {
      const spent = this.#at(holder, atMs);
      spent.today += nanos;
      spent.ever += nanos;
    }
  }

  #at(holder: string, atMs: number) {
    const day = Math.floor(atMs / DAY_MS);
    let spent = this.#spent.get(holder);
    if (spent === undefined) {
      spent = { day, today: 0n, ever: 0n };
      this.#spent.set(holder, spent);
    } else if (spent.day !== day) {
      spent.day = day;
      spent.today = 0n;
    }
    return spent;
  }
}
