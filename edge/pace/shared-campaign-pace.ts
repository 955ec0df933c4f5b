import { NANOS_PER_CENT } from '../../exchange/money/cents.ts';
import { pacedProbability } from '../../exchange/pacing/bid-probability.ts';
import { plannedShare } from '../../exchange/pacing/planned-share.ts';
import { RenderDelay } from '../../exchange/pacing/render-delay.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import type { ExpiringSums } from '../../runtime/ports/expiring-sums.ts';
import type { CampaignBudget, CampaignPace, RequestBidTotals } from './campaign-pace.ts';
import { BidOpportunities } from './chances.ts';
import { syncSpend } from './exchange-spend.ts';
import { SpendAccount } from './spend-account.ts';

export interface PaceOptions {
  /** Sums shared by all edges that serve the same budgets. */
  readonly sums: ExpiringSums;
  readonly clock: Clock;
  /** Name of the environment in which a DSP's money is counted; spend in another environment does not count. */
  readonly scopeOf: (dspId: string) => string;
}

const SYNC_EVERY_MS = 1_000;
/** Greatest age, ms, of a sum that is taken as known: other edges may have spent since. */
const MAX_AGE_MS = 10_000;
/** Accounts that were not asked for within this many ms are forgotten. */
const FORGET_MS = 600_000;
/** Longest wait, ms, of an auction for the spend of a campaign that was not asked for lately. */
const READING_MS = 25;
/** Until more than this share of a daily budget has been sold, all sales are expected to be rendered. */
const CAUTION_SHARE = 0.005;

const NOTHING_BID: RequestBidTotals = new Map();

/**
 * Paces campaigns by what all edges have billed and sold, known to within a second or a four-hundredth of the budget,
 * and by what this edge has done since. Earlier spend is read when a campaign is asked for the first time, or the first
 * time in a while; an auction may wait for that. When the sums could not be read for ten seconds, a campaign with a
 * budget does not bid.
 */
export class SharedCampaignPace implements CampaignPace {
  readonly #sums: ExpiringSums;
  readonly #clock: Clock;
  readonly #scopeOf: PaceOptions['scopeOf'];
  readonly #campaigns = new Map<string, SpendAccount>();
  /** Accounts of another environment than their DSP's present one, with something still to send. */
  readonly #leaving = new Set<SpendAccount>();
  readonly #delay = new RenderDelay();
  readonly #chances = new BidOpportunities();
  /** Bids in this edge's open auctions, in nano-dollars, by campaign; also by DSP, which is not read here. */
  readonly #bidding = new Map<string, number>();
  #cancelTimer: (() => void) | null = null;
  /** Ends when every exchange that was requested has ended. */
  #last: Promise<void> = Promise.resolve();
  /** Accounts to be exchanged before their regular time. */
  readonly #urgent = new Set<SpendAccount>();
  /** The last urgent read, while auctions may wait for it. */
  #reading: Promise<void> | null = null;
  #closed = false;
  #syncFailures = 0;

  constructor({ sums, clock, scopeOf }: PaceOptions) {
    this.#sums = sums;
    this.#clock = clock;
    this.#scopeOf = scopeOf;
  }

  bidProbability(
    campaignId: string,
    dspId: string,
    budget: CampaignBudget | null,
    priceNanos: number,
    nowMs: number,
    bidSoFar: RequestBidTotals = NOTHING_BID,
  ): number | null {
    this.#chances.count(nowMs);
    const budgetNanos = nanosOf(budget?.daily_cents);
    if (budgetNanos === 0) return 1;
    const account = this.#asked(this.#campaign(campaignId, this.#scopeOf(dspId), nowMs), budgetNanos, nowMs);
    if (account === null) return null;
    const planned = plannedShare(budget?.pacing ?? 'linear', this.#chances.elapsedDayShare(nowMs));
    const spentNanos = account.spentTodayNanos + this.#biddingNanos(campaignId, bidSoFar);
    return pacedProbability(committedShare(account, spentNanos, budgetNanos, priceNanos, nowMs), planned);
  }

  pendingReads(): Promise<void> | null {
    return this.#reading;
  }

  addPendingBids(bids: RequestBidTotals): void {
    for (const [holderId, nanos] of bids) this.#bidding.set(holderId, (this.#bidding.get(holderId) ?? 0) + nanos);
  }

  removePendingBids(bids: RequestBidTotals): void {
    for (const [holderId, nanos] of bids) {
      const left = (this.#bidding.get(holderId) ?? 0) - nanos;
      if (left > 0) this.#bidding.set(holderId, left);
      else this.#bidding.delete(holderId);
    }
  }

  reserve(campaignId: string, dspId: string, priceNanos: number): void {
    const nowMs = this.#clock.now();
    const account = this.#campaign(campaignId, this.#scopeOf(dspId), nowMs);
    account.addSale(priceNanos, nowMs);
    if (account.isDue) this.#urge(account);
  }

  onBilled(campaignId: string, dspId: string, priceNanos: number, soldAtMs: number, atMs: number): void {
    this.#delay.observe(atMs - soldAtMs);
    this.#campaign(campaignId, this.#scopeOf(dspId), atMs).addBilled(priceNanos, soldAtMs, atMs);
  }

  /** Number of exchanges in which some sums could not be read. */
  get syncFailures(): number {
    return this.#syncFailures;
  }

  /** The share of the day's traffic, 0 to 1, that is expected to have gone by; plans are compared with it. */
  elapsedDayShare(nowMs: number): number {
    return this.#chances.elapsedDayShare(nowMs);
  }

  start(): void {
    this.#cancelTimer = this.#clock.after(SYNC_EVERY_MS, () => {
      void this.sync().finally(() => {
        if (!this.#closed) this.start();
      });
    });
  }

  /** Sends to the other edges what this edge has sold and billed, and reads the sums of all. Never rejects. */
  sync(): Promise<void> {
    return this.#inTurn(() => this.#exchangeAll());
  }

  /** Stops the timer and sends the last changes to the other edges. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelTimer?.();
    await this.sync();
  }

  #biddingNanos(holderId: string, bidSoFar: RequestBidTotals): number {
    return (this.#bidding.get(holderId) ?? 0) + (bidSoFar.get(holderId) ?? 0);
  }

  /** The account; null when its spend is unknown, in which case a read starts. */
  #asked(account: SpendAccount, budgetNanos: number, nowMs: number): SpendAccount | null {
    account.askedAtMs = nowMs;
    account.budgetNanos = budgetNanos;
    if (account.isKnown(nowMs, MAX_AGE_MS)) return account;
    if (nowMs - account.triedAtMs >= SYNC_EVERY_MS) this.#urge(account);
    return null;
  }

  /** Exchanges this account's sums as soon as the work under way has ended. */
  #urge(account: SpendAccount): void {
    if (this.#closed) return;
    this.#urgent.add(account);
    if (this.#urgent.size > 1) return;
    const read = this.#inTurn(() => {
      const accounts = [...this.#urgent];
      this.#urgent.clear();
      return this.#exchange(accounts, null);
    });
    this.#waitFor(read);
  }

  #waitFor(read: Promise<void>): void {
    const reading = new Promise<void>((resolve) => {
      const cancel = this.#clock.after(READING_MS, () => {
        // A process that was busy first handles the answers that have arrived meanwhile.
        setImmediate(resolve);
      });
      void read.then(() => {
        cancel();
        resolve();
      });
    });
    this.#reading = reading;
    void reading.then(() => {
      if (this.#reading === reading) this.#reading = null;
    });
  }

  async #exchange(accounts: readonly SpendAccount[], chances: BidOpportunities | null): Promise<void> {
    if (!(await syncSpend(this.#sums, this.#clock, accounts, chances))) this.#syncFailures += 1;
  }

  async #exchangeAll(): Promise<void> {
    await this.#exchange([...this.#campaigns.values(), ...this.#leaving], this.#chances);
    const nowMs = this.#clock.now();
    for (const account of this.#leaving) if (account.settled) this.#leaving.delete(account);
    forgetIdle(this.#campaigns, nowMs);
  }

  /** `work` never rejects. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    this.#last = this.#last.then(work);
    return this.#last;
  }

  #campaign(id: string, scope: string, nowMs: number): SpendAccount {
    const known = this.#campaigns.get(id);
    if (known?.scope === scope) return known;
    if (known !== undefined && !known.settled) this.#leaving.add(known);
    const account = new SpendAccount(scope, `campaign/${id}`, this.#delay, nowMs);
    this.#campaigns.set(id, account);
    return account;
  }
}

function forgetIdle(accounts: Map<string, SpendAccount>, nowMs: number): void {
  for (const [id, account] of accounts) {
    if (nowMs - account.askedAtMs > FORGET_MS && account.settled) accounts.delete(id);
  }
}

function nanosOf(cents: number | undefined): number {
  return (cents ?? 0) * Number(NANOS_PER_CENT);
}

/**
 * Spend and expected spend, as a share of the budget; 1 when the rest might not pay for the open sales and this price
 * too.
 */
function committedShare(
  { unrenderedSales }: SpendAccount,
  spentNanos: number,
  budgetNanos: number,
  priceNanos: number,
  nowMs: number,
): number {
  if (spentNanos + unrenderedSales.possibleNanos(nowMs) + priceNanos > budgetNanos) return 1;
  return (spentNanos + unrenderedSales.expectedNanos(nowMs, CAUTION_SHARE * budgetNanos)) / budgetNanos;
}
