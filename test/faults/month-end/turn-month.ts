import { ledger } from '#actors/ledger/ledger';
import { monthOf, reportWindowOfMonth } from '#actors/ledger/report/month';
import type { Tuning } from '#runtime/node/tuning';
import { FINALISE_BILLING } from '#scheduler/billing/closed-months';
import { eventually } from '../../support/eventually.ts';
import { Edges } from './edges.ts';
import { MonthEndExchange, type ProcessUse } from './exchange.ts';
import { type MarketSizes, MonthEndMarket, type PlannedImpression } from './market.ts';
import { StatementModel } from './model.ts';
import { Schedule } from './schedule.ts';
import { seedSources } from './seed-sources.ts';
import { type Verified, verify } from './verify.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** An impression is rendered this long after its minute began, so that some were sold in the minute before. */
const INTO_MINUTE_MS = 2_000;
/** Log time waits where the books are further behind than this, as they never are for an exchange that keeps up. */
const BEHIND_MS = 5 * MINUTE_MS;
/** The job that files hours has a date this long after the end of one. */
const FILED_AFTER_MS = 10 * MINUTE_MS;
/** While everything is waited for, log time passes this many times as fast as the machine's. */
const WAITING_PACE = 10;
const LOOK_MS = 500;
const WATERMARK_WITHIN_MS = 600_000;
const FILED_WITHIN_MS = 1_200_000;
/** A node is killed when this share of statements is frozen, and another when as many hours are filed. */
const KILLED_AT = 0.25;

export interface MonthTurnOptions {
  readonly sizes: MarketSizes;
  readonly folder: string;
  readonly partitions: number;
  readonly tuning: Partial<Tuning>;
  /** Minutes of an hour in which impressions are rendered. */
  readonly minutes: { readonly last: readonly number[]; readonly first: readonly number[] };
  readonly random: () => number;
  say(line: string): void;
  atEnd(close: () => Promise<unknown>): void;
}

export interface MonthTurn {
  readonly owners: number;
  readonly verified: Verified;
  readonly acknowledged: number;
  /** From the first entry of the next month until the watermark had passed the end of the last, ms. */
  readonly watermarkMs: number;
  /** From the same instant until each statement was frozen, and from when its hour was due until it was filed, ms. */
  readonly frozenMs: number;
  readonly filedMs: { readonly last: number; readonly first: number };
  readonly takeoverMs: number;
  readonly longestAppendMs: number;
  readonly longestAskMs: number;
  readonly uses: readonly ProcessUse[];
  readonly wrong: readonly string[];
}

/**
 * The month turns for a whole market: each of its owners has impressions in the last hour of a month and in the first
 * of the next. Of four nodes one is killed while the month turns, and another is started; one is killed while
 * statements are frozen, and one while hours are filed.
 */
export async function turnMonth(options: MonthTurnOptions): Promise<MonthTurn> {
  const { sizes, partitions, random, say } = options;
  const market = new MonthEndMarket(sizes, random);
  const exchange = await MonthEndExchange.start({ ...options, nodes: 4 }, options.atEnd);
  await seedSources(exchange.store, market, partitions);
  await exchange.startNodes();
  const turning = new TurningMonth(options, market, exchange);
  say(`${market.owners} owners of ledgers; ${exchange.nodes.length} nodes own ${partitions} partitions`);
  return turning.run();
}

class TurningMonth {
  readonly #options: MonthTurnOptions;
  readonly #market: MonthEndMarket;
  readonly #exchange: MonthEndExchange;
  readonly #model = new StatementModel();
  readonly #edges: Edges;
  /** The end of the month. */
  readonly #turnMs: number;
  readonly #takeovers: number[] = [];
  #schedule!: Schedule;

  constructor(options: MonthTurnOptions, market: MonthEndMarket, exchange: MonthEndExchange) {
    this.#options = options;
    this.#market = market;
    this.#exchange = exchange;
    this.#edges = new Edges({ log: exchange.log.log, clock: exchange.clock, market }, this.#model, options.random);
    // The log's clock only goes forward: the month that ends in two days at the earliest.
    this.#turnMs = reportWindowOfMonth(monthOf(Date.now() + 2 * DAY_MS))!.toMs;
  }

  async run(): Promise<MonthTurn> {
    const { say, minutes, atEnd } = this.#options;
    const { clock } = this.#exchange;
    await clock.moveTo(this.#turnMs - HOUR_MS - 2 * MINUTE_MS);
    this.#schedule = new Schedule(this.#exchange);
    atEnd(() => this.#schedule.close());
    await this.#booksThrough(clock.nowMs);

    for (const [minute, planned] of this.#market.plan(minutes.last)) {
      await this.#stepTo(this.#turnMs - HOUR_MS + minute * MINUTE_MS);
      await this.#edges.render(planned);
    }
    say(`the last hour has ${this.#model.acknowledged} impressions`);

    const first = this.#market.plan(minutes.first);
    const [[minute, atTurn], ...later] = [...first] as [
      [number, PlannedImpression[]],
      ...[number, PlannedImpression[]][],
    ];
    await this.#stepTo(this.#turnMs + minute * MINUTE_MS);
    const turnedAtMs = performance.now();
    const half = Math.ceil(atTurn.length / 2);
    await this.#edges.render(atTurn.slice(0, half));
    const killing = this.#kill('the month turns').then(() => this.#exchange.startNode());
    await this.#edges.render(atTurn.slice(half));
    const [watermarkMs] = await Promise.all([this.#watermarkPassed(turnedAtMs), killing]);
    say(`the watermark has passed the month's end after ${seconds(watermarkMs)}`);

    const closing = Promise.all([this.#freezing(turnedAtMs), this.#filing(this.#turnMs, true)]);
    // It is awaited when the first hour has its impressions.
    closing.catch(() => {});
    for (const [minute, planned] of later) {
      await this.#stepTo(this.#turnMs + minute * MINUTE_MS);
      await this.#edges.render(planned);
    }
    say(`the first hour has its impressions: ${this.#model.acknowledged} in both`);
    const behindMs = this.#takeLag();
    // The job's date comes when the hour can be filed.
    for (const afterMs of [BEHIND_MS, FILED_AFTER_MS]) await this.#stepTo(this.#turnMs + HOUR_MS + afterMs);
    const [[frozenMs, lastFiledMs], firstFiledMs] = await this.#whileTimePasses(
      Promise.all([closing, this.#filing(this.#turnMs + HOUR_MS, false)]),
    );
    say(
      `the books were behind by ${seconds(behindMs)} at most in use, and by ${seconds(this.#takeLag())} while hours were filed`,
    );
    await this.#schedule.close();
    for (const line of this.#complaints()) say(line);
    say('all hours are filed, all statements frozen: the books are compared with the model');
    const { model, verified } = await this.#verified();
    return {
      ...{ owners: this.#market.owners, verified, acknowledged: model.acknowledged },
      ...{ watermarkMs, frozenMs, filedMs: { last: lastFiledMs, first: firstFiledMs } },
      takeoverMs: Math.max(...this.#takeovers),
      longestAppendMs: this.#edges.longestMs,
      longestAskMs: this.#schedule.longestAskMs,
      uses: this.#exchange.uses,
      wrong: [...verified.wrong, ...(await this.#problems())],
    };
  }

  async #verified() {
    const model = this.#model;
    const { store } = this.#exchange;
    return { model, verified: await verify(store, { model, market: this.#market, turnMs: this.#turnMs }) };
  }

  async #problems(): Promise<string[]> {
    const ended = this.#exchange.nodes.filter(({ endedByItself }) => endedByItself).map(({ name }) => `${name} ended`);
    const letters = await this.#exchange.store.deadLetters({ limit: 10 });
    return [...ended, ...letters.map(({ to, reason }) => `a message to ${to} is parked: ${reason}`)];
  }

  #takeLag(): number {
    const { longestLagMs } = this.#schedule;
    this.#schedule.longestLagMs = 0;
    return longestLagMs;
  }

  /** What processes have warned of, each once, with how often. */
  #complaints(): string[] {
    const times = new Map<string, number>();
    for (const line of [...this.#exchange.problems, ...this.#exchange.nodes.flatMap(({ lines }) => lines)]) {
      const what = line.replace(/ \{.*$/s, '').replace(/^actors-\d+ /, '');
      times.set(what, (times.get(what) ?? 0) + 1);
    }
    return [...times].filter(([what]) => !what.startsWith('info')).map(([what, count]) => `${count} × ${what}`);
  }

  async #kill(why: string): Promise<void> {
    this.#takeovers.push(await this.#exchange.killBusiest(why));
  }

  /** Moves log time on, once the books are not far behind it. */
  async #stepTo(minuteMs: number): Promise<void> {
    const { clock } = this.#exchange;
    await this.#booksThrough(Math.min(minuteMs - BEHIND_MS, clock.nowMs));
    await clock.moveTo(minuteMs + INTO_MINUTE_MS);
  }

  async #booksThrough(atMs: number): Promise<void> {
    const isThrough = async () => (await this.#schedule.watermarkMs()) >= atMs;
    await eventually('the books to be complete', isThrough, { timeoutMs: WATERMARK_WITHIN_MS, everyMs: 100 });
  }

  async #watermarkPassed(sinceMs: number): Promise<number> {
    await this.#booksThrough(this.#turnMs);
    return performance.now() - sinceMs;
  }

  /** Resolves with the ms since `sinceMs` when the job has frozen everything; a node is killed meanwhile. */
  async #freezing(sinceMs: number): Promise<number> {
    const { say } = this.#options;
    const statements = this.#market.sellers.length + this.#market.buyers.length;
    const wait = (what: string, when: () => boolean | Promise<boolean>) =>
      eventually(what, when, { timeoutMs: FILED_WITHIN_MS, everyMs: 100 });
    await wait('some statements to be frozen', () => this.#schedule.frozen >= KILLED_AT * statements);
    await this.#kill(`${this.#schedule.frozen} of ${statements} statements are frozen`);
    await wait('all statements to be frozen', async () => {
      const doneMs = (await this.#schedule.job(FINALISE_BILLING))?.doneMs ?? 0;
      return doneMs >= this.#turnMs;
    });
    const tookMs = performance.now() - sinceMs;
    say(`all statements are frozen ${seconds(tookMs)} after the month's end`);
    return tookMs;
  }

  /** Resolves with the ms from when the hour that ends at `endMs` could be filed until it was, in all days. */
  async #filing(endMs: number, kills: boolean): Promise<number> {
    const wait = (what: string, when: () => boolean | Promise<boolean>) =>
      eventually(what, when, { timeoutMs: FILED_WITHIN_MS, everyMs: LOOK_MS });
    await wait('an hour to be over', async () => (await this.#schedule.watermarkMs()) >= endMs + BEHIND_MS);
    const sinceMs = performance.now();
    if (kills) {
      const owners = this.#market.owners;
      let closed = 0;
      await wait('some hours to be closed', async () => {
        closed = await this.#closedHours(endMs - HOUR_MS);
        return closed >= KILLED_AT * owners;
      });
      await this.#kill(`${closed} ledgers of the last hour are closed`);
    }
    await wait('an hour to be filed', async () => (await this.#schedule.filedThroughMs()) >= endMs);
    const tookMs = performance.now() - sinceMs;
    this.#options.say(`the hour before ${new Date(endMs).toISOString()} is filed after ${seconds(tookMs)}`);
    return tookMs;
  }

  async #closedHours(startMs: number): Promise<number> {
    const key = `filed-hour/${new Date(startMs).toISOString().slice(0, 13)}`;
    const counts = await this.#exchange.store.countBy(ledger.kind, 'filedUnder', { filedUnder: key });
    return [...counts.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Log time passes at a steady pace until this is done. */
  async #whileTimePasses<T>(awaited: Promise<T>): Promise<T> {
    let over = false;
    const done = awaited.finally(() => {
      over = true;
    });
    const { clock } = this.#exchange;
    const [fromMs, sinceMs] = [clock.nowMs, performance.now()];
    const passing = (async () => {
      while (!over) {
        await clock.moveTo(Math.round(fromMs + (performance.now() - sinceMs) * WAITING_PACE));
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      }
    })();
    const [result] = await Promise.all([done, passing]);
    return result;
  }
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
