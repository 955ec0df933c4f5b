import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { limitedCampaign } from '#edge/budgets/holder';
import { LeasedBudgets } from '#edge/budgets/leased-budgets';
import type { BudgetLender } from '#edge/budgets/lender';
import { RegionLender } from '#edge/budgets/region/region-lender';
import { type CatalogueCampaign, toCatalogueCampaign } from '#edge/catalogue/kept-campaign';
import { SILENT } from '#runtime/node/logger';
import { openRedisLog } from '#runtime/providers/redis/open-redis-log';
import { groupOfRecord } from '#runtime/providers/redis/redis-shared-records';
import { systemRandom } from '#runtime/providers/system/system-random';
import { makeCampaignProjection } from '#test/support/campaign-projection';
import { makeDspProjection } from '#test/support/dsp-projection';
import { hasRedis, startRedis } from '../../processes/redis.ts';
import { micros, perSecond, type Row, skipped } from '../../row.ts';
import { longTailed } from '../market.ts';
import { callsBetween, redisUse } from '../node/redis-use.ts';
import { TARGET } from '../target.ts';
import { reported } from '../units/rows.ts';
import { HomeBudgets } from './home-budgets.ts';

const REGIONS = 3;
/** Of one region: as many as its share of all edges. */
const EDGES = Math.floor(TARGET.edges / REGIONS);
/**
 * All edges of the region draw from the budgets of one group of records, so from one of so many: together a quarter of
 * what one of them draws from all.
 */
const ONE_OF = 64;
const GROUP = 0;
const SHARE_OF_AN_EDGE = EDGES / ONE_OF;
const BUDGETS = Math.floor(TARGET.campaigns / ONE_OF);
/** As many for an edge of the sample as a thousand for an edge with all budgets. */
const FEW_BUDGETS = 1_000 / ONE_OF;
const BIDS_PER_AUCTION = 5;
const PRICE_NANOS = 2_500_000;
/** A budget is for so many times what is sold of it. */
const BUDGET_OVER_SALES = 3;
const LEAST_BUDGET_CENTS = 100;
const DSP = 'dsp';
const BEGIN_MS = Date.UTC(2030, 0, 15, 10, 20);
/** Until windows are leased ahead and returned, as they are in use. */
const WARM_UP_SECONDS = 2_100;

/**
 * What leases of 100,000 budgets cost the edges of one region of the target, and home: budgets of the long tail, bid
 * for by all edges at the target's rates. Time is compressed: seconds follow each other at once. Half an hour of them
 * shows all: windows ahead are asked for once in that time, and those that are over are returned.
 */
export async function drawsRows(seconds: number): Promise<Row[]> {
  const what = `draws from ${TARGET.campaigns.toLocaleString('en-US')} budgets`;
  if (!hasRedis()) return [skipped(what, 'redis-server')];
  const server = await startRedis();
  const client = new Redis(server.url);
  const provider = await openRedisLog({ url: server.url, prefix: `bench-${randomUUID()}`, partitions: 1 });
  try {
    const region = new SellingRegion(provider.records);
    for (let second = 0; second < WARM_UP_SECONDS; second++) {
      if (second % 300 === 0) process.stderr.write(`draws: ${second} of ${WARM_UP_SECONDS + seconds} seconds\n`);
      await region.second();
    }
    const before = { use: await redisUse(client), cpu: process.cpuUsage(), ...region.figures() };
    for (let second = 0; second < seconds; second++) await region.second();
    const after = { use: await redisUse(client), cpu: process.cpuUsage(before.cpu), ...region.figures() };
    const draws = after.draws - before.draws;
    const asks = after.asks - before.asks;
    const cpu = after.cpu.user + after.cpu.system - (after.otherMicros - before.otherMicros);
    const inTurns = after.turnMicros - before.turnMicros;
    const redisMicros = (after.use.cpuSeconds - before.use.cpuSeconds) * 1e6;
    const { records, bytes } = await recordsOf(client);
    const ofAnEdge = (figure: number) => figure / seconds / SHARE_OF_AN_EDGE;
    const share = (ofMicros: number) => `${((ofMicros / 1e6) * 100).toFixed(1)} % of a core`;
    const calls = callsBetween(before.use, after.use).slice(0, 4);
    return [
      reported(`${what}: an edge`, `${perSecond(ofAnEdge(draws))} for ${perSecond(region.bidsPerSecond)} bids`),
      reported(`${what}: home is asked by a region of ${EDGES} edges`, perSecond(ofAnEdge(asks) * EDGES)),
      reported(`${what}: bids that waited for one, of an edge`, perSecond(ofAnEdge(after.waits - before.waits))),
      reported(
        `${what}: CPU of an edge for a draw`,
        `${micros((cpu - inTurns) / draws)}, ${share(ofAnEdge(cpu - inTurns))}`,
      ),
      reported(`${what}: CPU of an edge for bids, sales and a look at each budget`, share(ofAnEdge(inTurns))),
      reported(
        `${what}: CPU of the region's Redis for a draw`,
        `${micros(redisMicros / draws)}, ${share(ofAnEdge(redisMicros) * EDGES)} (${calls.map(([name, n]) => `${name} ${(n / draws).toFixed(2)}`).join(', ')})`,
      ),
      reported(`${what}: a record in Redis`, `${Math.round(bytes / records)} bytes (${records})`),
    ];
  } finally {
    await provider.close();
    client.disconnect();
    await server.stop();
  }
}

async function recordsOf(client: Redis): Promise<{ records: number; bytes: number }> {
  let [records, bytes] = [0, 0];
  for (const key of await client.keys('*records*')) {
    records += await client.hlen(key);
    bytes += (await client.memory('USAGE', key, 'SAMPLES', 0))!;
  }
  return { records, bytes };
}

type Records = Awaited<ReturnType<typeof openRedisLog>>['records'];

/** The edges of a region, each with its leases, on one clock that is moved by hand. */
class SellingRegion {
  readonly bidsPerSecond = (TARGET.auctionsPerSecond * BIDS_PER_AUCTION) / TARGET.edges;
  readonly #home = new HomeBudgets(() => this.#nowMs);
  readonly #campaigns: readonly CatalogueCampaign[];
  readonly #draw = longTailed(BUDGETS, Math.random, ONE_OF);
  readonly #lenders: RegionLender[] = [];
  readonly #leases: LeasedBudgets[] = [];
  #nowMs = BEGIN_MS;
  #salesDue = 0;
  #underWay = 0;
  #noneUnderWay: () => void = () => {};
  #waits = 0;
  /** Time of the edges' own turns, and of what an exchange does not do, µs. */
  #turnMicros = 0;
  #otherMicros = 0;

  constructor(records: Records) {
    const dsp = makeDspProjection({ id: DSP, endpointUrl: null });
    const ranks = Array.from({ length: BUDGETS }, (_, at) => at * ONE_OF + 1);
    const all = Array.from({ length: TARGET.campaigns }, (_, at) => 1 / (at + 11)).reduce((sum, one) => sum + one, 0);
    this.#campaigns = ranks.map((rank) => {
      const soldCents = (TARGET.impressionsPerSecond * 86_400 * (PRICE_NANOS / 1e7)) / (rank + 10) / all;
      const dailyCents = Math.max(LEAST_BUDGET_CENTS, Math.ceil(BUDGET_OVER_SALES * soldCents));
      for (;;) {
        const projection = makeCampaignProjection(DSP, { id: randomUUID(), budget: { daily_cents: dailyCents } });
        const campaign = toCatalogueCampaign({ ...projection, limitedSinceMs: BEGIN_MS });
        if (groupOfRecord(limitedCampaign(campaign, dsp)!.id) === GROUP) return campaign;
      }
    });
    const clock = { now: () => this.#nowMs, monotonic: () => this.#nowMs, after: () => () => {} };
    for (let number = 0; number < EDGES; number++) {
      const lender = new RegionLender({
        ...{ records, home: this.#home, region: 'nyc', clock, random: systemRandom, logger: SILENT },
        fewBudgets: FEW_BUDGETS,
      });
      this.#lenders.push(lender);
      this.#leases.push(
        new LeasedBudgets({
          ...{
            lender: this.#counted(lender),
            clock,
            logger: SILENT,
            edge: `edge-${number}.${systemRandom.id()}`,
            windowGraceMs: 5_000,
          },
          ...{ dsp: () => dsp, renderWindowMs: 3_600_000, onUnleasedSale: () => {}, fewBudgets: FEW_BUDGETS },
          openBudget: async (held) => {
            this.#home.open(held);
            return true;
          },
        }),
      );
    }
  }

  figures() {
    const sum = (of: (lender: RegionLender) => number) => this.#lenders.reduce((all, one) => all + of(one), 0);
    return {
      draws: sum(({ draws }) => draws),
      asks: sum(({ asks }) => asks),
      waits: this.#waits,
      turnMicros: this.#turnMicros,
      otherMicros: this.#otherMicros + this.#home.micros,
    };
  }

  /** A second of all edges, and whatever they then ask for. */
  async second(): Promise<void> {
    const bids = Math.round(this.bidsPerSecond / ONE_OF);
    this.#salesDue += TARGET.impressionsPerSecond / TARGET.edges / ONE_OF;
    const sales = Math.floor(this.#salesDue);
    this.#salesDue -= sales;
    for (const leases of this.#leases) {
      const drawnAt = performance.now();
      const bidFor = Array.from({ length: bids }, () => this.#campaigns[this.#draw()]!);
      const beganAt = performance.now();
      for (const campaign of bidFor) {
        if (leases.available(DSP, campaign, PRICE_NANOS, this.#nowMs) === null) this.#waits += 1;
      }
      for (const campaign of bidFor.slice(0, sales)) leases.reserve(DSP, campaign, PRICE_NANOS, this.#nowMs);
      leases.tick();
      this.#turnMicros += (performance.now() - beganAt) * 1_000;
      this.#otherMicros += (beganAt - drawnAt) * 1_000;
      // Edges look at their budgets at different times of a second, and a draw takes a few ms of it.
      await this.#settled();
    }
    for (const lender of this.#lenders) await lender.sweep();
    await this.#settled();
    this.#nowMs += 1_000;
  }

  /** Waits without turns of the event loop that an exchange would not make: they count as CPU of draws. */
  async #settled(): Promise<void> {
    await new Promise(setImmediate);
    while (this.#underWay > 0) {
      await new Promise<void>((resolve) => {
        this.#noneUnderWay = resolve;
      });
      await new Promise(setImmediate);
    }
  }

  #counted(lender: BudgetLender): BudgetLender {
    return {
      lease: async (...asked) => {
        this.#underWay += 1;
        try {
          return await lender.lease(...asked);
        } finally {
          this.#underWay -= 1;
          if (this.#underWay === 0) this.#noneUnderWay();
        }
      },
    };
  }
}
