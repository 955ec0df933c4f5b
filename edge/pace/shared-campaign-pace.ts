import { NANOS_PER_CENT } from '../../exchange/money/cents.ts';
import { pacedProbability } from '../../exchange/pacing/bid-probability.ts';
import { plannedShare } from '../../exchange/pacing/planned-share.ts';
import { RenderDelay } from '../../exchange/pacing/render-delay.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import type { Counters } from '../../runtime/ports/counters.ts';
import type { CampaignBudget, CampaignPace, RequestBidTotals } from './campaign-pace.ts';
import { BidOpportunities } from './chances.ts';
import { accountName, accountNumber, SpendAccount } from './spend-account.ts';
import { SpendAccounts } from './spend-accounts.ts';
import { syncSpend } from './sync-spend.ts';
import { ToldSpend } from './told-spend.ts';

export interface PaceOptions {
  /** Sums and broadcasts shared by all edges that serve the same budgets. */
  readonly counters: Pick<Counters, 'sums' | 'broadcasts'>;
  /** Unique name of this run of this process. */
  readonly edge: string;
  readonly clock: Clock;
  /** Name of the environment in which a DSP's money is counted; spend in another environment does not count. */
  readonly scopeOf: (dspId: string) => string;
}

const SYNC_EVERY_MS = 1_000;
/** Greatest age, ms, of spend that is taken as known: other edges may have spent since. */
const MAX_AGE_MS = 10_000;
/** Accounts asked for within this many ms are read again in time, as a check of what edges tell each other. */
const ACTIVE_MS = 60_000;
/** Accounts in use are read again this many ms after they were read last. */
export const READ_AGAIN_MS = 300_000;
/** The most accounts that are read in one exchange because they are due: after a gap all of them are. */
const MOST_READ = 10_000;
/** In this many exchanges every account is looked at. */
const ROUND = 60;
/** Accounts that were not asked for within this many ms are forgotten. */
const FORGET_MS = 600_000;
/** Longest wait, ms, of an auction for the spend of a campaign that was not asked for lately. */
const READING_MS = 25;
/** Until more than this share of a daily budget has been sold, all sales are expected to be rendered. */
const CAUTION_SHARE = 0.005;

const NOTHING_BID: RequestBidTotals = new Map();

/**
 * Paces campaigns by what all edges have billed and sold, known to within a second or a four-hundredth of the budget,
 * and by what this edge has done since. Edges tell each other what has changed. Earlier spend is read when a campaign
 * is asked for the first time, and again every five minutes as a check; an auction may wait for that. When nothing
 * could be read for ten seconds, a campaign with a budget does not bid.
 */
export class SharedCampaignPace implements CampaignPace {
  readonly #sums: Counters['sums'];
  readonly #told: ToldSpend;
  readonly #clock: Clock;
  readonly #scopeOf: PaceOptions['scopeOf'];
  readonly #campaigns = new Map<string, SpendAccount>();
  /** Accounts with something to send or to tell. */
  readonly #changed = new Set<SpendAccount>();
  readonly #delay = new RenderDelay();
  /** The same accounts, and those of earlier environments, by their numbers among edges. */
  readonly #byNumber = new SpendAccounts(this.#delay);
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
  /** All accounts in use were read after what was told from this time on; see {@link ToldSpend.sinceMs}. */
  #allReadSinceMs = Number.NaN;
  #closed = false;
  #syncFailures = 0;

  constructor({ counters, clock, edge, scopeOf }: PaceOptions) {
    this.#sums = counters.sums;
    this.#told = new ToldSpend(counters.broadcasts, clock, edge);
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
    this.#changed.add(account);
    if (account.isDue) this.#urge(account);
  }

  onBilled(campaignId: string, dspId: string, priceNanos: number, soldAtMs: number, atMs: number): void {
    this.#delay.observe(atMs - soldAtMs);
    const account = this.#campaign(campaignId, this.#scopeOf(dspId), atMs);
    account.addBilled(priceNanos, soldAtMs, atMs);
    this.#changed.add(account);
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
    if (nowMs - this.#knownAtMs(account, nowMs) <= MAX_AGE_MS) return account;
    if (nowMs - account.triedAtMs >= SYNC_EVERY_MS) this.#urge(account);
    return null;
  }

  /**
   * Up to when the spend of an account is known. Since it was read, all that was told counts, if none of it was missed.
   */
  #knownAtMs(account: SpendAccount, nowMs: number): number {
    const readAtMs = account.readAtMs(nowMs);
    return readAtMs >= this.#told.sinceMs ? Math.max(readAtMs, this.#told.atMs) : readAtMs;
  }

  /** Exchanges this account's spend as soon as the work under way has ended. */
  #urge(account: SpendAccount): void {
    if (this.#closed) return;
    this.#urgent.add(account);
    if (this.#urgent.size > 1) return;
    const read = this.#inTurn(() => {
      const accounts = [...this.#urgent];
      this.#urgent.clear();
      const changed = accounts.filter((urgent) => this.#changed.has(urgent));
      const unknown = accounts.filter((urgent) => this.#isUnknown(urgent));
      return this.#exchange(changed, unknown, null);
    });
    this.#waitFor(read);
  }

  #isUnknown(account: SpendAccount): boolean {
    const nowMs = this.#clock.now();
    return nowMs - this.#knownAtMs(account, nowMs) > MAX_AGE_MS;
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

  /** Sends and tells what has changed here, and reads what others have told and the sums of `read`. Never rejects. */
  async #exchange(
    changed: readonly SpendAccount[],
    read: readonly SpendAccount[],
    chances: BidOpportunities | null,
  ): Promise<void> {
    const wasTold = await this.#readTold();
    const nowMs = this.#clock.now();
    // A sum that is read holds all that was told before.
    for (const account of read) this.#byNumber.takeTold(account, nowMs);
    const wasRead = await syncSpend(this.#sums, this.#clock, { changed, read }, chances);
    if (!wasTold || !wasRead) this.#syncFailures += 1;
    const untold = await this.#told.tell(changed.flatMap((account) => account.takeChanges()));
    for (const change of untold) this.#byNumber.get(change.account)?.untold(change);
    for (const account of changed) if (account.settled) this.#changed.delete(account);
  }

  #readTold(): Promise<boolean> {
    const nowMs = this.#clock.now();
    return this.#told.read((told) => this.#byNumber.addTold(told, nowMs));
  }

  #exchangeAll(): Promise<void> {
    return this.#exchange([...this.#changed], this.#nextToRead(), this.#chances);
  }

  /** Looks at the next of all accounts: forgets idle ones, and finds those that should be read again. */
  #nextToRead(): SpendAccount[] {
    const nowMs = this.#clock.now();
    const due: SpendAccount[] = [];
    // After a gap all of them are due, and soon.
    const { sinceMs } = this.#told;
    const missed = sinceMs !== this.#allReadSinceMs && nowMs - sinceMs <= READ_AGAIN_MS;
    const most = missed ? this.#byNumber.size : Math.ceil(this.#byNumber.size / ROUND);
    let looked = 0;
    for (; looked < most && due.length < MOST_READ; looked += 1) {
      const account = this.#byNumber.next();
      if (account === undefined) break;
      if (nowMs - account.askedAtMs > FORGET_MS && !this.#changed.has(account)) this.#forget(account);
      else if (nowMs - account.askedAtMs <= ACTIVE_MS && this.#isDueToRead(account, nowMs)) due.push(account);
    }
    if (missed && looked === most && due.length === 0) this.#allReadSinceMs = sinceMs;
    return due;
  }

  #isDueToRead(account: SpendAccount, nowMs: number): boolean {
    const readAtMs = account.readAtMs(nowMs);
    return readAtMs < this.#told.sinceMs || nowMs - readAtMs >= READ_AGAIN_MS;
  }

  #forget(account: SpendAccount): void {
    this.#byNumber.delete(account);
    if (this.#campaigns.get(account.campaignId) === account) this.#campaigns.delete(account.campaignId);
  }

  /** `work` never rejects. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    this.#last = this.#last.then(work);
    return this.#last;
  }

  /** The account of a campaign, with all that was told of it. */
  #campaign(id: string, scope: string, nowMs: number): SpendAccount {
    const account = this.#accountOf(id, scope, nowMs);
    this.#byNumber.takeTold(account, nowMs);
    return account;
  }

  #accountOf(id: string, scope: string, nowMs: number): SpendAccount {
    const known = this.#campaigns.get(id);
    if (known?.scope === scope) return known;
    // In another environment than before the campaign has another account, which may have been in use.
    const number = accountNumber(accountName(id, scope));
    const before = this.#byNumber.get(number);
    const account = before?.campaignId === id ? before : new SpendAccount(id, scope, this.#delay, nowMs);
    this.#campaigns.set(id, account);
    this.#byNumber.set(account);
    return account;
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
