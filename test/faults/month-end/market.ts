import type { Impression } from '#actors/impression-rollup/messages';
import { REGIONS, type Region } from '#exchange/region';

const FEE_PPM = 150_000;
const DSP_FEE_PPM = 20_000;
/** A publisher sells this share of its impressions in the region that it is near to. */
const HOME_SHARE = 0.8;
/** An ad is rendered within this many ms of its sale. */
const RENDERED_WITHIN_MS = 5_000;
const CHEAPEST_CPM_MICROS = 300_000;
/** Campaigns that get more than their one impression of an hour: one draw for every so many campaigns. */
const CAMPAIGNS_PER_EXTRA = 5;
/** No page of a ledger reaches its bound of rows, beyond which names are summed in an order that no model can know. */
const SELLERS_PER_DSP = 50;
const CREATIVES_PER_DSP = 8;

export interface MarketSizes {
  readonly publishers: number;
  readonly dsps: number;
  readonly campaigns: number;
  readonly accounts: number;
}

interface Seller {
  readonly id: string;
  readonly account: string;
  readonly home: Region;
}

interface Buyer {
  readonly id: string;
  readonly sellers: readonly Seller[];
  campaigns: number;
}

interface Campaign {
  readonly id: string;
  readonly buyer: Buyer;
  /** Its number among those of its DSP. */
  readonly number: number;
}

/** An impression that is to be rendered in a minute, counted from the start of the hour. */
export interface PlannedImpression {
  readonly minute: number;
  readonly campaign: Campaign;
  readonly seller: Seller;
}

/**
 * A market in which every owner of ledgers sells or buys in each hour. The sizes of DSPs are long-tailed: the share of
 * the one with rank r is proportional to 1 / (r + 10). Each buys from at most 50 publishers.
 */
export class MonthEndMarket {
  readonly sellers: readonly Seller[];
  readonly buyers: readonly Buyer[];
  readonly campaigns: readonly Campaign[];
  readonly accounts: readonly string[];
  readonly #random: () => number;
  #impressions = 0;

  constructor({ publishers, dsps, campaigns, accounts }: MarketSizes, random: () => number) {
    this.#random = random;
    this.accounts = Array.from({ length: accounts }, () => this.#id());
    this.sellers = Array.from({ length: publishers }, (_, index) => ({
      id: this.#id(),
      account: this.accounts[index % accounts]!,
      home: this.#pick(REGIONS),
    }));
    const shares = Array.from({ length: dsps }, (_, rank) => 1 / (rank + 11));
    const sum = shares.reduce((total, share) => total + share, 0);
    let next = 0;
    let planned = 0;
    let sharesSoFar = 0;
    const all: Campaign[] = [];
    this.buyers = shares.map((share) => {
      sharesSoFar += share;
      const count = Math.max(1, Math.round((campaigns * sharesSoFar) / sum) - planned);
      planned += count;
      const sold = Math.min(SELLERS_PER_DSP, count, publishers);
      const sellers = Array.from({ length: sold }, () => this.sellers[next++ % publishers]!);
      const buyer: Buyer = { id: this.#id(), sellers, campaigns: count };
      for (let number = 0; number < count; number++) all.push({ id: this.#id(), buyer, number });
      return buyer;
    });
    this.campaigns = all;
    if (next < publishers)
      throw new Error(`${publishers - next} publishers sell to nobody: there are too few campaigns`);
  }

  get owners(): number {
    return this.sellers.length + this.buyers.length + this.campaigns.length;
  }

  feePpm(side: 'publisher' | 'dsp'): number {
    return side === 'publisher' ? FEE_PPM : DSP_FEE_PPM;
  }

  /** The impressions of an hour, of which those of these minutes have some; each owner has one at least. */
  plan(minutes: readonly number[]): Map<number, PlannedImpression[]> {
    const plan = new Map<number, PlannedImpression[]>(minutes.map((minute) => [minute, []]));
    const add = (campaign: Campaign, seller: Seller) => {
      const minute = this.#pick(minutes);
      plan.get(minute)!.push({ minute, campaign, seller });
    };
    // A DSP has at least as many campaigns as publishers that it buys from, so each of these sells.
    for (const campaign of this.campaigns) {
      const { sellers } = campaign.buyer;
      add(campaign, sellers[campaign.number % sellers.length]!);
    }
    for (let extra = 0; extra < this.campaigns.length / CAMPAIGNS_PER_EXTRA; extra++) {
      const campaign = this.#pick(this.campaigns);
      add(campaign, this.#pick(campaign.buyer.sellers));
    }
    return plan;
  }

  /** An impression as an edge writes it to the log. */
  render({ campaign, seller }: PlannedImpression, nowMs: number): Impression {
    const random = this.#random;
    this.#impressions += 1;
    return {
      id: `${this.#impressions}`.padStart(22, 'i'),
      auction: `${this.#impressions}`.padStart(36, 'a'),
      publisher: seller.id,
      dsp: campaign.buyer.id,
      account: seller.account,
      priceCpmMicros: Math.max(CHEAPEST_CPM_MICROS, Math.round(2_000_000 * Math.exp(this.#normal() * 0.7))),
      soldAtMs: Math.floor(nowMs - random() * RENDERED_WITHIN_MS),
      feePpm: FEE_PPM,
      region: random() < HOME_SHARE ? seller.home : this.#pick(REGIONS),
      campaign: campaign.id,
      crid: `creative-${campaign.number % CREATIVES_PER_DSP}`,
      // The feed has pages of its own, which no statement is made of.
      unfed: true,
    };
  }

  #pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.#random() * from.length)]!;
  }

  /** A normal deviate (Box–Muller). */
  #normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.#random())) * Math.cos(2 * Math.PI * this.#random());
  }

  #id(): string {
    const hex = Array.from({ length: 32 }, () => Math.floor(this.#random() * 16).toString(16)).join('');
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  }
}
