import { Registry } from 'prom-client';
import { budget } from '../../../actors/budget/budget.ts';
import type { BudgetState } from '../../../actors/budget/state.ts';
import { monthOf, windowOfMonth } from '../../../actors/ledger/report/month.ts';
import { actorKinds } from '../../../composition/actor-kinds.ts';
import { type BrokenLaws, NO_BROKEN_LAWS } from '../../../runtime/node/laws.ts';
import { passBarrier } from '../../../runtime/node/log-barrier.ts';
import { SILENT } from '../../../runtime/node/logger.ts';
import { type Violation, Violations } from '../../../runtime/simulator/auditor/violations.ts';
import { Cluster, type Member } from '../../../runtime/simulator/cluster.ts';
import { Nemesis } from '../../../runtime/simulator/nemesis.ts';
import { type Blow, drawScenario, type Scenario } from '../../../runtime/simulator/scenario.ts';
import { createWorld } from '../../../runtime/simulator/world.ts';
import { finaliseMonth } from '../../../scheduler/billing/finalise-month.ts';
import { BooksMetrics } from '../../../scheduler/books/books-metrics.ts';
import { keepBooks } from '../../../scheduler/duties/books.ts';
import { type BrokenMoney, withBrokenMoney } from './broken-money.ts';
import { Clocks, drawCalendar } from './calendar.ts';
import { drawMarket, saveMarket } from './market.ts';
import { checkAudit, checkBudgets, checkLedgers, checkStatements, MoneyWitness } from './money-checkers.ts';
import { MoneyEdge, RENDER_WINDOW_MS } from './money-edge.ts';
import { MoneyModel } from './money-model.ts';
import { Viewers } from './viewers.ts';

const SCENE_MS = [2_000, 6_000] as const;
/** After the last auction of a scene, for what is under way. */
const PLAYS_OUT_WITHIN_MS = 60_000;
const AFTERSHOCKS_MS = 18_000;
const CONVERGES_WITHIN_MS = 90_000;
const LOOK_EVERY_MS = 250;
const BOOKS_EVERY_MS = 700;
const CLOSES_EVERY_MS = 900;
const HOUR_MS = 3_600_000;
/** A log that has lost acknowledged entries has lost money: that is what its own durability is for, and is not tried here. */
const LOSES_MONEY: readonly Blow[] = ['stream wiped', 'log set back', 'catalogue trimmed', 'catalogue recreated'];

export interface MoneyRunOptions {
  readonly brokenLaws?: BrokenLaws;
  readonly brokenMoney?: BrokenMoney;
  readonly print?: (line: string) => void;
}

/** How a run of one seed went. */
export interface MoneyRun {
  readonly seed: number;
  /** Empty when all of it holds. */
  readonly violations: readonly Violation[];
  readonly events: number;
  readonly months: number;
  readonly sold: number;
  /** Not sold for want of a budget. */
  readonly refused: number;
  readonly billed: number;
  /** Rendered in a later scene than they were sold in, and of these and all others too late to be billed. */
  readonly late: number;
  readonly expired: number;
  readonly statements: number;
  readonly faults: ReadonlyMap<string, number>;
  readonly traceHash: string;
}

/**
 * Months of trade on a whole cluster under `seed`: the exchange's own actors, leases, books and statements, on the nodes and
 * ports of the simulator with all its faults; then without faults until everything has come to rest. Time between scenes
 * of traffic leaps.
 */
export async function simulateMoney(seed: number, options: MoneyRunOptions = {}): Promise<MoneyRun> {
  const { brokenLaws = NO_BROKEN_LAWS, brokenMoney = new Set() } = options;
  const world = createWorld(`money ${seed}`, options.print);
  const { time, random, faults, trace } = world;
  const scenario = moneyScenario(drawScenario(random.fork('scenario')));
  const calendar = drawCalendar(random.fork('calendar'));
  const market = drawMarket(random.fork('market'));
  const definitions = withBrokenMoney(actorKinds, brokenMoney);
  const cluster = new Cluster(world, scenario, brokenLaws, {
    definitions: () => definitions,
    replicated: [],
    lethal: false,
  });
  const violations = new Violations(() => time.nowMs);
  const model = new MoneyModel(violations);
  const witness = new MoneyWitness(cluster.store, model, market, violations);
  const clocks = new Clocks(cluster);
  const edges = new Map<Member, MoneyEdge>();
  const viewers = new Viewers(cluster, model, random.fork('viewers'), () =>
    cluster.reachable.flatMap((member) => edges.get(member) ?? []),
  );
  const gaveUp = () => violations.any;

  saveMarket(market, cluster.store);
  cluster.log.observer = model;
  cluster.store.observer = witness;
  cluster.onLaunched = ({ process }) => {
    process.wallSkewMs += clocks.leaptMs;
  };
  cluster.onStarted = (member) => {
    if (member.hostsActors) return;
    edges.set(member, new MoneyEdge(member, market, random.fork('edge'), brokenMoney));
    if (member.name !== 'edge-1') return;
    keepBooksAt(member);
    void closeMonthsAt(member);
  };

  /** The duty of the scheduler's process, the real one. */
  function keepBooksAt({ node, process, log, store }: Member): void {
    const whole = (signal: AbortSignal) => passBarrier({ log: log.log, leases: log.leases, clock: process, signal });
    const atOnce = async () => ({ throughMs: cluster.log.nowMs, appended: Math.floor(time.nowMs) });
    keepBooks({
      messenger: node.messenger,
      store,
      clock: process,
      logger: SILENT,
      metrics: new BooksMetrics(new Registry()),
      renderWindowMs: brokenMoney.has('leases-outlive-lateness') ? -2 * HOUR_MS : RENDER_WINDOW_MS,
      everyMs: BOOKS_EVERY_MS,
      passBarrier: brokenMoney.has('watermark-waits') ? atOnce : whole,
    }).start();
  }

  /** The job that closes months, as often as it may. */
  async function closeMonthsAt({ node, process, store }: Member): Promise<void> {
    const parts = {
      store: brokenMoney.has('statements-wait-for-books') ? hasty(store) : store,
      messenger: node.messenger,
    };
    for (;;) {
      await new Promise<void>((resolve) => process.after(CLOSES_EVERY_MS, resolve));
      const month = monthOf(Date.parse(`${monthOf(cluster.log.nowMs)}-01T00:00:00Z`) - HOUR_MS);
      const again = brokenMoney.has('first-freeze-stands') ? { ...parts, store: forgetful(store) } : parts;
      await finaliseMonth(again, month).catch(() => {});
    }
  }

  const until = async (what: string, withinMs: number, waiting: () => string | null) => {
    const limitMs = time.nowMs + withinMs;
    do await time.run(gaveUp, time.nowMs + LOOK_EVERY_MS);
    while (waiting() !== null && time.nowMs < limitMs && !gaveUp());
    const left = waiting();
    if (left !== null && !gaveUp()) violations.add('everything converges', `${what}: ${left}`);
  };
  const playedOut = () => (viewers.playing > 0 ? `${viewers.playing} calls are under way` : null);
  const covered = () => {
    const partition = cluster.log.partitions.find(({ entries }) => entries.length > 0);
    return partition ? `partition ${partition.partition} holds ${partition.entries.length} entries` : null;
  };

  const nemesis = new Nemesis(cluster, scenario, random.fork('nemesis'));
  try {
    cluster.start();
    nemesis.begin();
    for (const atMs of calendar.scenesAtMs) {
      clocks.leapTo(atMs);
      viewers.begin();
      await time.run(gaveUp, time.nowMs + random.between(...SCENE_MS));
      viewers.end();
      await until('a scene plays out', PLAYS_OUT_WITHIN_MS, playedOut);
      if (gaveUp()) break;
    }
    nemesis.end();
    if (!gaveUp()) await time.run(gaveUp, time.nowMs + AFTERSHOCKS_MS);
    viewers.replay();
    if (!gaveUp()) await until('spools are replayed', CONVERGES_WITHIN_MS, playedOut);
    if (!gaveUp()) await until('the log is covered', CONVERGES_WITHIN_MS, covered);
    // Past the last month that anything was billed in, and past all that could come late of it.
    const lastMonthMs = Math.max(calendar.monthsMs.at(-1)!, cluster.log.nowMs);
    const months = monthsBetween(calendar.monthsMs[0]!, lastMonthMs);
    clocks.leapTo(windowOfMonth(months.at(-1)!)!.toMs + 5 * HOUR_MS);
    const closed = () => {
      const unsettled = cluster.store.all(budget.kind).find(({ state }) => (state as BudgetState).slots.length > 0);
      if (unsettled) return `${unsettled.id} has slots that are not settled`;
      return witness.throughMs < windowOfMonth(months.at(-1)!)!.toMs ? 'the watermark is behind' : covered();
    };
    if (!gaveUp()) await until('the last month closes', CONVERGES_WITHIN_MS, closed);
    for (const month of gaveUp() ? [] : months) {
      let waiting: string | null = 'it is not';
      const close = async () => {
        while (waiting !== null && !gaveUp()) waiting = await closedBy(cluster.reachable[0]!, month);
      };
      void close();
      await until(`${month} is closed`, CONVERGES_WITHIN_MS, () => waiting);
    }
    if (!gaveUp()) {
      checkLedgers(cluster.store, model, market, violations);
      checkStatements(cluster.store, model, market, months, violations);
      checkBudgets(model, market, violations);
      await checkAudit(cluster.store, violations);
    }
  } catch (error) {
    violations.add('no process dies of an error', (error as Error).stack ?? String(error));
  }
  return {
    seed,
    violations: violations.found,
    events: time.events,
    months: calendar.monthsMs.length - 1,
    sold: viewers.sold,
    refused: viewers.refused,
    billed: model.billable.size,
    late: viewers.late,
    expired: viewers.expired,
    statements: witness.frozen,
    faults: faults.injected,
    traceHash: trace.hash,
  };
}

/** Why a month is not closed yet; null once it is. */
function closedBy({ store, node }: Member, month: string): Promise<string | null> {
  return finaliseMonth({ store, messenger: node.messenger }, month).then(
    ({ incomplete, waiting }) => incomplete ?? waiting[0]?.why ?? null,
    // Asked again: an ask may time out.
    (error) => String(error),
  );
}

function moneyScenario(scenario: Scenario): Scenario {
  const blows = new Map([...scenario.blows].filter(([blow]) => !LOSES_MONEY.includes(blow)));
  return { ...scenario, blows, edgeNodes: 2 };
}

/** Every month from the one of `fromMs` up to and without the one of `toMs`. */
function monthsBetween(fromMs: number, toMs: number): string[] {
  const months: string[] = [];
  for (let atMs = fromMs; atMs < toMs; atMs = windowOfMonth(monthOf(atMs))!.toMs) months.push(monthOf(atMs));
  return months;
}

/** For broken laws alone: a store that says that the books are always complete, and one that knows no statement. */
function hasty(store: Member['store']): Pick<Member['store'], 'load' | 'query' | 'deadLetters'> {
  return {
    query: (kind, query) => store.query(kind, query),
    deadLetters: (letters) => store.deadLetters(letters),
    async load(keys) {
      const documents = await store.load(keys);
      return documents.map((document) =>
        document?.kind === 'watermark' ? { ...document, state: { throughMs: Number.MAX_SAFE_INTEGER } } : document,
      );
    },
  };
}

function forgetful(store: Member['store']): ReturnType<typeof hasty> {
  const rash = hasty(store);
  return {
    ...rash,
    load: async (keys) => (await rash.load(keys)).map((document) => (document?.kind === 'statement' ? null : document)),
  };
}
