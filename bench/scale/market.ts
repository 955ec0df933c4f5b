import type { Impression } from '../../actors/impression-rollup/messages.ts';
import { REGIONS, type Region } from '../../exchange/region.ts';
import { seededRandom } from '../../runtime/node/seeded-random.ts';
import { TARGET } from './target.ts';

/** The fee of every publisher, parts per million of gross. */
const FEE_PPM = 150_000;
/** A publisher sells this share of its impressions in the region that it is near to, and the rest in the others. */
const HOME_SHARE = 0.8;
/** An ad is rendered within this many ms of its sale. */
const RENDERED_WITHIN_MS = 5_000;
const CHEAPEST_CPM_MICROS = 300_000;

export interface Campaign {
  readonly id: string;
  readonly dsp: string;
}

export interface Publisher {
  readonly id: string;
  readonly account: string;
  readonly home: Region;
}

/** What an impression has when one of its parties is given. */
export interface Parties {
  readonly publisher?: Publisher;
  readonly campaign?: Campaign;
}

/**
 * A market of the target's shape, the same for the same seed. The sizes of publishers, of DSPs and of the campaigns of
 * a DSP are long-tailed: the share of the one with rank r is proportional to 1 / (r + 10) (Zipf–Mandelbrot with
 * exponent 1), so that the largest of 10,000 publishers has 1.3%, 130 times the mean, and the larger half of them 90%.
 * Publisher and campaign of an impression are independent, which is the dearest case: hardly two impressions of a
 * partition's second are alike in everything that ledgers keep apart. Prices are log-normal around 2 dollars CPM.
 */
export class Market {
  readonly publishers: readonly Publisher[];
  readonly campaigns: readonly Campaign[];
  /** The campaigns of each DSP. */
  readonly byDsp: ReadonlyMap<string, readonly Campaign[]>;
  readonly #random: () => number;
  readonly #drawPublisher: () => number;
  readonly #drawCampaign: () => number;
  #impressions = 0;

  constructor(seed: string) {
    const random = seededRandom(seed);
    this.#random = random;
    const accounts = Array.from({ length: TARGET.accounts }, () => id(random));
    this.publishers = Array.from({ length: TARGET.publishers }, () => ({
      id: id(random),
      account: pick(accounts, random),
      home: pick(REGIONS, random),
    }));
    const dsps = Array.from({ length: TARGET.dsps }, () => id(random));
    const drawDsp = longTailed(dsps.length, random);
    const byDsp = new Map<string, Campaign[]>(dsps.map((dsp) => [dsp, []]));
    this.campaigns = Array.from({ length: TARGET.campaigns }, () => {
      const campaign = { id: id(random), dsp: dsps[drawDsp()]! };
      byDsp.get(campaign.dsp)!.push(campaign);
      return campaign;
    });
    this.byDsp = byDsp;
    this.#drawPublisher = longTailed(this.publishers.length, random);
    this.#drawCampaign = longTailed(this.campaigns.length, random);
  }

  /** The next impression, as an edge tells it to a rollup; `nowMs` is when it is rendered. */
  next(nowMs: number, { publisher, campaign }: Parties = {}): Impression {
    const random = this.#random;
    const of = publisher ?? this.publishers[this.#drawPublisher()]!;
    const { id: campaignId, dsp } = campaign ?? this.campaigns[this.#drawCampaign()]!;
    this.#impressions += 1;
    const number = this.#impressions;
    return {
      id: `${number}`.padStart(22, 'i'),
      auction: `${number}`.padStart(36, 'a'),
      publisher: of.id,
      dsp,
      account: of.account,
      priceCpmMicros: Math.max(CHEAPEST_CPM_MICROS, Math.round(2_000_000 * Math.exp(normal(random) * 0.7))),
      soldAtMs: Math.floor(nowMs - random() * RENDERED_WITHIN_MS),
      feePpm: FEE_PPM,
      region: random() < HOME_SHARE ? of.home : pick(REGIONS, random),
      campaign: campaignId,
      crid: `creative-${campaignId.slice(0, 8)}-${Math.floor(random() * TARGET.creativesPerCampaign)}`,
    };
  }

  /** A partition for an impression: edges choose it by the tracking id, evenly. */
  partition(): number {
    return Math.floor(this.#random() * TARGET.partitions);
  }

  /** The milliseconds until the next of `perSecond` impressions, which come at random. */
  gapMs(perSecond: number): number {
    return (-Math.log(1 - this.#random()) * 1_000) / perSecond;
  }

  /** A publisher of no particular size. */
  anyPublisher(): Publisher {
    return pick(this.publishers, this.#random);
  }

  /** A DSP with the mean number of campaigns. */
  meanDsp(): string {
    const mean = TARGET.campaigns / TARGET.dsps;
    const distance = (campaigns: readonly Campaign[]) => Math.abs(campaigns.length - mean);
    return [...this.byDsp].sort(([, a], [, b]) => distance(a) - distance(b))[0]![0];
  }

  anyCampaign(dsp?: string): Campaign {
    return pick(dsp === undefined ? this.campaigns : this.byDsp.get(dsp)!, this.#random);
  }
}

/** Draws places from 0 to `length` - 1 by the long-tailed shares of the first rank and of each `every`th after it. */
export function longTailed(length: number, random: () => number, every = 1): () => number {
  const sums: number[] = [];
  let sum = 0;
  for (let place = 0; place < length; place++) {
    sum += 1 / (place * every + 11);
    sums.push(sum);
  }
  return () => {
    const drawn = random() * sum;
    let [low, high] = [0, length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[middle]! > drawn) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}

function pick<T>(from: readonly T[], random: () => number): T {
  return from[Math.floor(random() * from.length)]!;
}

/** A normal deviate (Box–Muller). */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** As long as a UUID. */
function id(random: () => number): string {
  const hex = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
