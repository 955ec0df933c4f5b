import { readFileSync } from 'node:fs';
import { SharedCampaignPace } from '#edge/pace/shared-campaign-pace';
import { CAP_SHARE } from '#exchange/pacing/bid-probability';
import { type PacingMode, plannedShare } from '#exchange/pacing/planned-share';
import type { Clock } from '#runtime/ports/clock';
import { createMemoryCounters } from '#runtime/providers/memory/memory-counters';
import { SeededRandom } from '#runtime/simulator/seeded-random';

const { halfHours: CITY } = JSON.parse(readFileSync(new URL('a-city.json', import.meta.url), 'utf8')) as {
  readonly halfHours: Readonly<Record<string, readonly number[]>>;
};

const DAY_MS = 86_400_000;
const HALF_HOUR_MS = 1_800_000;
/** Edges exchange what they know five times as rarely as they do in earnest. */
const STEP_MS = 5_000;
const EDGES = 2;
const DSP = 'dsp';
const NANOS_PER_CENT = 10_000_000;

export interface SimulatedCampaign {
  readonly id: string;
  readonly pacing: PacingMode;
  readonly dailyCents: number;
  /** The share of requests that it matches. */
  readonly reach?: number;
}

export interface DayTerms {
  readonly seed: number | string;
  /** A day of the city, `2014-09-17`. */
  readonly day: string;
  /** Traffic of each half hour of earlier days, the latest last, that edges have counted; none by default. */
  readonly earlier?: readonly (readonly number[])[];
  readonly campaigns: readonly SimulatedCampaign[];
  readonly requests: number;
  readonly renderRate: number;
  /** Of the time from sale to showing; exponential. */
  readonly meanDelayMs: number;
}

export interface DayOf {
  /** The most that spend was away from the plan, in shares of the budget, as far as demand had allowed. */
  readonly offPlan: number;
  /** The same against the plan over the traffic that truly came. */
  readonly offTruePlan: number;
  /** Of the daily budget, when the day was over. */
  readonly spentShare: number;
  readonly spentCents: number;
  readonly impressions: number;
}

/** The traffic of a day of the city, by half hour. */
export function cityDay(day: string): readonly number[] {
  return CITY[day]!;
}

/** Of the fourteen days before `day`, the latest last. */
export function cityDaysBefore(day: string): (readonly number[])[] {
  const days = Object.keys(CITY).filter((each) => each < day);
  return days.slice(-14).map(cityDay);
}

interface Showing {
  readonly atMs: number;
  readonly campaign: SimulatedCampaign;
  readonly priceNanos: number;
  readonly soldAtMs: number;
}

/** A day of several edges and campaigns, in virtual time: requests, prices, renders and their delays from one seed. */
export async function simulateDay(terms: DayTerms): Promise<ReadonlyMap<string, DayOf>> {
  const random = new SeededRandom(terms.seed);
  const startMs = Date.parse(`${terms.day}T00:00:00Z`);
  let nowMs = startMs;
  const clock: Clock = { now: () => nowMs, monotonic: () => nowMs, after: () => () => {} };
  const counters = createMemoryCounters(clock);
  const edges = Array.from(
    { length: EDGES },
    (_, number) => new SharedCampaignPace({ counters, clock, edge: `edge-${number}`, scopeOf: () => '' }),
  );
  const days = terms.earlier ?? [];
  for (const [index, traffic] of days.entries()) {
    await counters.sums.add(
      Array.from({ length: 24 }, (_, hour) => ({
        key: `chances/${new Date(startMs - (days.length - index) * DAY_MS + hour * 3_600_000).toISOString().slice(0, 13)}`,
        amount: traffic[2 * hour]! + traffic[2 * hour + 1]!,
        expiresAtMs: startMs + DAY_MS,
      })),
    );
  }
  await Promise.all(edges.map((edge) => edge.sync()));

  const traffic = cityDay(terms.day);
  const whole = traffic.reduce((sum, count) => sum + count, 0);
  const books = terms.campaigns.map((campaign) => new Book(campaign));
  const showings: Showing[][] = [];
  let goneBy = 0;
  for (let step = 0; nowMs < startMs + DAY_MS; step++) {
    const share = (traffic[Math.floor((nowMs - startMs) / HALF_HOUR_MS)]! / whole) * (STEP_MS / HALF_HOUR_MS);
    for (const { campaign, priceNanos, soldAtMs } of showings[step] ?? []) {
      const edge = edges[random.below(edges.length)]!;
      edge.onBilled(campaign.id, DSP, priceNanos, soldAtMs, nowMs);
      books.find((book) => book.campaign === campaign)!.bill(priceNanos);
    }
    for (let left = arrivals(terms.requests * share, random); left > 0; left--) {
      const edge = edges[random.below(edges.length)]!;
      for (const book of books) {
        const { id, pacing, dailyCents, reach = 1 } = book.campaign;
        if (random.next() >= reach) continue;
        const priceNanos = 1_000_000 + random.below(4_000_000);
        book.offer(priceNanos * terms.renderRate);
        const budget = { daily_cents: dailyCents, pacing };
        if (random.next() >= (edge.bidProbability(id, DSP, budget, priceNanos, nowMs) ?? 0)) continue;
        edge.reserve(id, DSP, priceNanos);
        if (random.next() >= terms.renderRate) continue;
        const delayMs = -Math.log(1 - random.next()) * terms.meanDelayMs;
        const at = step + 1 + Math.floor(delayMs / STEP_MS);
        showings[at] ??= [];
        showings[at].push({ atMs: nowMs + delayMs, campaign: book.campaign, priceNanos, soldAtMs: nowMs });
      }
    }
    for (const edge of edges) await edge.sync();
    goneBy += share;
    for (const book of books) book.compare(edges[0]!.elapsedDayShare(nowMs), goneBy);
    nowMs += STEP_MS;
  }
  await counters.close();
  return new Map(books.map((book) => [book.campaign.id, book.outcome()]));
}

/** What one campaign spent, beside what its plan asked for. */
class Book {
  readonly campaign: SimulatedCampaign;
  #spentNanos = 0;
  #impressions = 0;
  #offered = 0;
  #offPlan = 0;
  #offTruePlan = 0;
  /** What a campaign that does what the plan says can have come to, given the demand, by either curve. */
  #ideal = { plan: 0, truePlan: 0 };

  constructor(campaign: SimulatedCampaign) {
    this.campaign = campaign;
  }

  get #share(): number {
    return this.#spentNanos / (this.campaign.dailyCents * NANOS_PER_CENT);
  }

  offer(nanos: number): void {
    this.#offered += nanos / (this.campaign.dailyCents * NANOS_PER_CENT);
  }

  bill(nanos: number): void {
    this.#spentNanos += nanos;
    this.#impressions += 1;
  }

  compare(expectedGoneBy: number, goneBy: number): void {
    const { pacing } = this.campaign;
    const towards = (ideal: number, trafficShare: number) =>
      Math.min(
        ideal + this.#offered,
        Math.max(ideal, Math.min(CAP_SHARE, plannedShare(pacing, Math.min(1, trafficShare)))),
      );
    this.#ideal = {
      plan: towards(this.#ideal.plan, expectedGoneBy),
      truePlan: towards(this.#ideal.truePlan, goneBy),
    };
    this.#offered = 0;
    this.#offPlan = Math.max(this.#offPlan, Math.abs(this.#share - this.#ideal.plan));
    this.#offTruePlan = Math.max(this.#offTruePlan, Math.abs(this.#share - this.#ideal.truePlan));
  }

  outcome(): DayOf {
    return {
      offPlan: this.#offPlan,
      offTruePlan: this.#offTruePlan,
      spentShare: this.#share,
      spentCents: this.#spentNanos / NANOS_PER_CENT,
      impressions: this.#impressions,
    };
  }
}

/** How many of a Poisson process with this mean. */
function arrivals(mean: number, random: SeededRandom): number {
  let count = 0;
  for (let product = random.next(); product > Math.exp(-mean); product *= random.next()) count += 1;
  return count;
}
