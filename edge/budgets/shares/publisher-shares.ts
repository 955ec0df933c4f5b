import type { DspProjection } from '#actors/dsp/fields';
import type { Clock } from '#runtime/ports/clock';
import type { ExpiringSums, SumChange } from '#runtime/ports/expiring-sums';
import type { CatalogueCampaign } from '../../catalogue/kept-campaign.ts';
import type { SharedSum } from '../../pace/shared-sum.ts';
import { type AccountSpan, RenderAccount } from './render-account.ts';
import type { UnrenderedShares } from './unrendered-shares.ts';

/** Number of unrendered wins added to each publisher's wins, so that one lucky impression does not make a high rate. */
const UNPROVEN_WINS = 20;

const HOUR_MS = 3_600_000;
const NANOS_PER_CENT = 10_000_000;
/** Render rates are measured over the sales of a day. */
const RATE_SPAN: AccountSpan = { bucketMs: 4 * HOUR_MS, spanMs: 24 * HOUR_MS, readEveryMs: 10_000 };
const SYNC_EVERY_MS = 1_000;
/** An exchange of sums that an edge must have before it sells on starts after this many ms. */
const URGENT_MS = 50;
/** An account that was not asked for within this many ms is no longer read. */
const ACTIVE_MS = 10_000;
/**
 * Upper bound of accounts in memory. Beyond it, those asked for longest ago are forgotten, once the other edges know
 * their sums.
 */
const MAX_ACCOUNTS = 20_000;
/** Lower bound, in impressions, of what a new publisher may hold of a small budget. */
const MIN_IMPRESSIONS = 4;
/** Until an edge has read the others' sales, it sells at most an eighth of what was left. */
const PART_BETWEEN_READS = 8;

export interface PublisherSharesOptions {
  /** Sums shared by all edges that serve the same budgets. */
  readonly sums: ExpiringSums;
  readonly clock: Clock;
  readonly dsp: (dspId: string) => DspProjection | undefined;
  /** A campaign's budgets at present; undefined when this edge does not know the campaign. */
  readonly campaign: (campaignId: string) => Pick<CatalogueCampaign, 'id' | 'budget'> | undefined;
  /** Share of one budget, 0 to 1, that a publisher may hold which has rendered nothing. 1: no publisher is limited. */
  readonly newShare: number;
  /** ms for which a sale is reserved that is never rendered. */
  readonly renderWindowMs: number;
  /** Whether no other process sells. */
  readonly isOnlyEdge: boolean;
}

/** A rendered and billed impression, as its sale. */
export interface RenderedSale {
  readonly publisherId: string;
  readonly dspId: string;
  readonly campaignId: string | null;
  readonly priceNanos: number;
  readonly soldAtMs: number;
  readonly sandbox: boolean;
}

interface LimitedRenderAccount {
  readonly account: RenderAccount;
  readonly limitNanos: number;
}

/**
 * Each publisher's share of each budget over all edges. The amount that a publisher holds unrendered, and the share of
 * its wins that it renders, are sums that the edges share. They are exchanged each second, and sooner when an edge has
 * sold its part of what is left. A publisher that renders half of its wins is not limited. The sandbox is not counted.
 */
export class PublisherShares implements UnrenderedShares {
  readonly #options: PublisherSharesOptions;
  readonly #heldSpan: AccountSpan;
  readonly #rates = new Map<string, RenderAccount>();
  /** Accounts by publisher and holder of a budget. */
  readonly #held = new Map<string, RenderAccount>();
  /** Accounts that were asked for lately or have something to send. */
  readonly #active = new Set<RenderAccount>();
  #cancelTimer: (() => void) | null = null;
  #cancelUrged: (() => void) | null = null;
  #last: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(options: PublisherSharesOptions) {
    this.#options = options;
    this.#heldSpan = {
      bucketMs: Math.max(1, Math.ceil(options.renderWindowMs / 4)),
      spanMs: options.renderWindowMs,
      readEveryMs: 0,
    };
  }

  reserve(
    publisherId: string,
    dspId: string,
    campaign: Pick<CatalogueCampaign, 'id' | 'budget'> | null,
    priceNanos: number,
    soldAtMs: number,
  ): boolean {
    if (this.#options.newShare >= 1) return true;
    const nowMs = this.#options.clock.now();
    const rate = this.#rateOf(publisherId);
    rate.askedAtMs = this.#options.clock.monotonic();
    const share = this.#shareOf(rate, nowMs);
    const limited = this.#limited(publisherId, dspId, campaign, share);
    if (share < 1) for (const one of limited) if (!this.#allows(one, share, priceNanos, nowMs)) return false;
    for (const { account } of limited) account.addSold(priceNanos, soldAtMs);
    rate.addSold(1, soldAtMs);
    return true;
  }

  release(
    publisherId: string,
    dspId: string,
    campaign: Pick<CatalogueCampaign, 'id' | 'budget'> | null,
    priceNanos: number,
    soldAtMs: number,
  ): void {
    if (this.#options.newShare >= 1) return;
    this.#ended(publisherId, dspId, campaign, priceNanos, soldAtMs).addSold(-1, soldAtMs);
  }

  /** Called for each billed impression, once, at the edge whose pixel is called. */
  onRendered({ publisherId, dspId, campaignId, priceNanos, soldAtMs, sandbox }: RenderedSale): void {
    if (sandbox || this.#options.newShare >= 1) return;
    const campaign = campaignId === null ? null : (this.#options.campaign(campaignId) ?? null);
    this.#ended(publisherId, dspId, campaign, priceNanos, soldAtMs).addRendered(1, soldAtMs);
  }

  /** Share of one budget, 0 to 1, that a publisher may hold unrendered now. */
  shareOf(publisherId: string): number {
    return this.#shareOf(this.#rateOf(publisherId), this.#options.clock.now());
  }

  /** Number of sums in memory. */
  get sumsHeld(): number {
    let size = 0;
    for (const accounts of [this.#rates, this.#held]) for (const account of accounts.values()) size += account.size;
    return size;
  }

  start(): void {
    this.#cancelTimer = this.#options.clock.after(SYNC_EVERY_MS, () => {
      void this.sync().finally(() => {
        if (!this.#closed) this.start();
      });
    });
  }

  /** Sends what was sold and rendered here to the other edges, and reads the sums of all. Never rejects. */
  sync(): Promise<void> {
    const next = this.#last.then(() => this.#exchange()).catch(() => undefined);
    this.#last = next;
    return next;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelTimer?.();
    this.#cancelUrged?.();
    await this.sync();
  }

  #allows({ account, limitNanos }: LimitedRenderAccount, share: number, priceNanos: number, nowMs: number): boolean {
    account.askedAtMs = this.#options.clock.monotonic();
    const heldNanos = account.unrendered(nowMs);
    const allowedNanos = Math.max(share * limitNanos, MIN_IMPRESSIONS * priceNanos);
    if (heldNanos + priceNanos > allowedNanos) return false;
    if (this.#options.isOnlyEdge) return true;
    const mineNanos = account.soldSinceRead;
    const partNanos = Math.max(0, allowedNanos - (heldNanos - mineNanos)) / PART_BETWEEN_READS;
    if (mineNanos > 0 && mineNanos + priceNanos > partNanos) {
      this.#urge();
      return false;
    }
    return true;
  }

  #shareOf(rate: RenderAccount, nowMs: number): number {
    return unrenderedShareOf(rate.totals(nowMs), this.#options.newShare);
  }

  /** Adds to the accounts of a sale that is no longer held, and returns that of the publisher's rate. */
  #ended(
    publisherId: string,
    dspId: string,
    campaign: Pick<CatalogueCampaign, 'id' | 'budget'> | null,
    priceNanos: number,
    soldAtMs: number,
  ): RenderAccount {
    const rate = this.#rateOf(publisherId);
    const limited = this.#limited(publisherId, dspId, campaign, this.#shareOf(rate, this.#options.clock.now()));
    for (const { account } of limited) account.addRendered(priceNanos, soldAtMs);
    return rate;
  }

  /**
   * The budgets that pay, with their accounts. For a publisher without a limit, only accounts that exist already: sales
   * and renders are counted for the same accounts, or for none.
   */
  #limited(
    publisherId: string,
    dspId: string,
    campaign: Pick<CatalogueCampaign, 'id' | 'budget'> | null,
    share: number,
  ): LimitedRenderAccount[] {
    const limited: LimitedRenderAccount[] = [];
    const add = (holder: string, cents: number): void => {
      const key = `unrendered/${publisherId}/${holder}`;
      if (cents === 0 || (share >= 1 && !this.#held.has(key))) return;
      limited.push({
        account: this.#account(this.#held, key, key, this.#heldSpan),
        limitNanos: cents * NANOS_PER_CENT,
      });
    };
    add(`dsp/${dspId}`, this.#options.dsp(dspId)?.dailyBudgetCents ?? 0);
    if (campaign === null) return limited;
    const { daily_cents: daily = 0, total_cents: total = 0 } = campaign.budget ?? {};
    add(`campaign/${campaign.id}`, daily > 0 && total > 0 ? Math.min(daily, total) : daily || total);
    return limited;
  }

  #rateOf(publisherId: string): RenderAccount {
    return this.#account(this.#rates, publisherId, `renders/${publisherId}`, RATE_SPAN);
  }

  #account(accounts: Map<string, RenderAccount>, id: string, key: string, span: AccountSpan): RenderAccount {
    let account = accounts.get(id);
    if (account === undefined) {
      if (accounts.size >= MAX_ACCOUNTS) this.#forgetOldest(accounts);
      account = new RenderAccount(key, span);
      accounts.set(id, account);
      this.#urge();
    }
    this.#active.add(account);
    return account;
  }

  /** Forgets a tenth of the accounts at a time, so that it seldom happens. */
  #forgetOldest(accounts: Map<string, RenderAccount>): void {
    const oldest = [...accounts].filter(([, account]) => account.isSettled);
    oldest.sort(([, one], [, other]) => one.askedAtMs - other.askedAtMs);
    for (const [id] of oldest.slice(0, MAX_ACCOUNTS / 10)) accounts.delete(id);
  }

  #urge(): void {
    if (this.#cancelUrged !== null || this.#closed) return;
    this.#cancelUrged = this.#options.clock.after(URGENT_MS, () => {
      this.#cancelUrged = null;
      void this.sync();
    });
  }

  async #exchange(): Promise<void> {
    const { sums, clock } = this.#options;
    const nowMs = clock.now();
    const atMs = clock.monotonic();
    const sending: { sum: SharedSum; change: SumChange }[] = [];
    const reading: { account: RenderAccount; sold: number }[] = [];
    for (const account of this.#active) {
      sending.push(...account.changes(nowMs));
      if (atMs - account.askedAtMs > ACTIVE_MS && account.isSettled) this.#active.delete(account);
      if (atMs - account.askedAtMs <= ACTIVE_MS && atMs - account.readAtMs >= account.readEveryMs)
        reading.push({ account, sold: account.soldSinceRead });
    }
    if (sending.length > 0) {
      const arrived = await sums.add(sending.map(({ change }) => change)).catch(() => []);
      for (const [at, { sum }] of sending.entries()) sum.sent(arrived[at] ?? false);
    }
    await this.#read(reading, nowMs, atMs);
  }

  async #read(
    accounts: readonly { account: RenderAccount; sold: number }[],
    nowMs: number,
    atMs: number,
  ): Promise<void> {
    const exchanged = accounts.map(({ account, sold }) => ({ account, sold, sums: account.sums(nowMs) }));
    const keys = exchanged.flatMap(({ sums }) => sums.map(({ key }) => key));
    if (keys.length === 0) return;
    const values = await this.#options.sums.read(keys);
    let at = 0;
    for (const { account, sums, sold } of exchanged) {
      let known = true;
      for (const sum of sums) {
        const value = values[at++] ?? null;
        if (value === null) known = false;
        else sum.read(value);
      }
      if (!known) continue;
      account.readAtMs = atMs;
      account.soldSinceRead -= sold;
    }
  }
}

/**
 * The share, 0 to 1, of one budget that a publisher may hold unrendered: twice the share of its wins that it has
 * rendered. A publisher that renders a third of its wins can thus hold all that it never renders (two thirds) of a
 * budget that it spends alone. A publisher that renders nothing has `newShare`, as every publisher has at least.
 */
function unrenderedShareOf(
  { sold, shown }: { readonly sold: number; readonly shown: number },
  newShare: number,
): number {
  return Math.min(1, Math.max(newShare, (2 * shown) / (Math.max(sold, shown) + UNPROVEN_WINS)));
}
