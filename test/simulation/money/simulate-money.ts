import { Registry } from 'prom-client';
import { budget } from '#actors/budget/budget';
import type { BudgetState } from '#actors/budget/state';
import { monthOf, reportWindowOfMonth } from '#actors/ledger/report/month';
import { actorKinds } from '#composition/actor-kinds';
import { type BrokenLaws, NO_BROKEN_LAWS } from '#runtime/node/laws';
import { passBarrier } from '#runtime/node/log-barrier';
import { SILENT } from '#runtime/node/logger';
import type { StateStore } from '#runtime/ports/store';
import { type Violation, Violations } from '#runtime/simulator/auditor/violations';
import { Cluster, type Member } from '#runtime/simulator/cluster';
import { Nemesis } from '#runtime/simulator/nemesis';
import { drawScenario, type FaultKind, type Scenario } from '#runtime/simulator/scenario';
import { SeededRandom } from '#runtime/simulator/seeded-random';
import type { StoreServer } from '#runtime/simulator/store-server';
import { createWorld } from '#runtime/simulator/world';
import { WatermarkMetrics } from '#scheduler/watermark/watermark-metrics';
import { watermarkWorker } from '#scheduler/workers/watermark';
import { type BrokenMoney, withBrokenMoney } from './broken-money.ts';
import { Clocks, drawCalendar, untilMidnightMs } from './calendar.ts';
import { CornerCaseCounts } from './corner-case-counts.ts';
import { injectDayEndFaults } from './day-end-faults.ts';
import { FaultyRelease, replayParked } from './faulty-release.ts';
import { FeedReader } from './feed-reader.ts';
import { FeesAndBudgets } from './fees-and-budgets.ts';
import { fileHoursAt } from './hour-closer.ts';
import { drawMarket } from './market.ts';
import { checkAudit, checkBudgets, checkLedgers, checkStatements, MoneyHistoryObserver } from './money-checkers.ts';
import { type EdgePlace, MoneyEdge, RENDER_WINDOW_MS } from './money-edge.ts';
import { MoneyModel } from './money-model.ts';
import { CLOSES_EVERY_MS, closeMonthsAt, monthOpenReason, monthsBetween } from './month-closer.ts';
import { drawRegions } from './regions/draw-regions.ts';
import { MarketRegions } from './regions/market-regions.ts';
import { Viewers } from './viewers.ts';

const SCENE_MS = [2_000, 6_000] as const;
/**
 * After the last auction of a scene, for what is under way. The trouble goes on, so a call may be unlucky many times in
 * a row.
 */
const PLAYS_OUT_WITHIN_MS = 240_000;
/** Nothing is sold meanwhile. */
const LINGERS_MS = 15_000;
const AFTERSHOCKS_MS = 18_000;
const CONVERGES_WITHIN_MS = 90_000;
/** For each of the parked messages, which are replayed one after the other. */
const REPLAY_WITHIN_MS = 2_000;
const LOOK_EVERY_MS = 250;
const BOOKS_EVERY_MS = 700;
/** Changes of fees and budgets in one scene, at most. */
const CHANGES_AT_MOST = 2;
const HOUR_MS = 3_600_000;
/**
 * A log that has lost acknowledged entries has lost money: that is what its own durability is for, and is not tried
 * here. What is parked because its actor cannot be stored is as any parked message.
 */
const NOT_TRIED: readonly FaultKind[] = [
  'stream wiped',
  'log set back',
  'catalogue trimmed',
  'catalogue recreated',
  'unstorable',
];

export interface MoneyRunOptions {
  readonly brokenLaws?: BrokenLaws;
  readonly brokenMoney?: BrokenMoney;
  /** Whether there are regions with logs of their own; default: as the seed has it. */
  readonly regions?: boolean;
  readonly print?: (line: string) => void;
}

/** How a run of one seed went. */
export interface MoneyRun {
  readonly seed: number;
  /** Empty when all of it holds. */
  readonly violations: readonly Violation[];
  readonly events: number;
  readonly months: number;
  /** Regions with logs of their own. */
  readonly regions: number;
  readonly sold: number;
  /** Not sold for want of a budget. */
  readonly refused: number;
  readonly billed: number;
  /** Rendered in a later scene than they were sold in, and of these and all others too late to be billed. */
  readonly late: number;
  readonly expired: number;
  readonly statements: number;
  /** Processes killed. */
  readonly deaths: number;
  readonly faults: ReadonlyMap<string, number>;
  /** How often it came into which corner. */
  readonly corners: ReadonlyMap<string, number>;
  readonly traceHash: string;
}

/**
 * Months of trade on a whole cluster under `seed`: the exchange's own actors, leases, books and statements, on the
 * nodes and ports of the simulator with all its faults; then without faults until everything has come to rest. Time
 * between scenes of traffic leaps.
 */
export async function simulateMoney(seed: number, options: MoneyRunOptions = {}): Promise<MoneyRun> {
  const { brokenLaws = NO_BROKEN_LAWS, brokenMoney = new Set() } = options;
  const world = createWorld(`money ${seed}`, options.print);
  const { time, random, faults, trace } = world;
  const plans = drawRegions(world.stream('regions'), options.regions);
  const edgesAway = plans.reduce((sum, { edges }) => sum + edges, 0);
  const scenario = moneyScenario(drawScenario(random.fork('scenario')), edgesAway);
  const hasRegions = plans.length > 0;
  const calendar = drawCalendar(random.fork('calendar'), hasRegions ? world.stream('calendar of regions') : null);
  const market = drawMarket(random.fork('market'), hasRegions);
  const release = new FaultyRelease();
  const definitions = release.within(withBrokenMoney(actorKinds, brokenMoney));
  const cluster = new Cluster(world, scenario, brokenLaws, {
    definitions: () => definitions,
    replicated: [],
    lethal: false,
    roundTripMs: (name) => regions.roundTripMs(name),
  });
  const violations = new Violations(() => time.nowMs);
  const model = new MoneyModel(violations);
  const corners = new CornerCaseCounts();
  const logNowMs = () => cluster.log.nowMs;
  const terms = new FeesAndBudgets(market, cluster.store, time, logNowMs, random.fork('terms'));
  const observer = new MoneyHistoryObserver(
    { store: cluster.store, model, market },
    { release, corners, violations },
    logNowMs,
  );
  const readers = [...market.dsps.keys()].map(
    (id) => new FeedReader(id, { cluster, model, violations }, corners, random.fork(`feed of ${id}`), brokenMoney),
  );
  model.onBilled = (impression, replayed) => {
    if (replayed) corners.count('an impression is replayed from the dead letters');
    observer.noteLate(impression);
  };
  const regions = new MarketRegions({ cluster, model, corners }, plans, brokenMoney, violations);
  terms.hears = (edge) => regions.hears(edge);
  // The opening of a budget sums ledgers up to the watermark, from when there is one.
  terms.firstLimits = () => regions.any && observer.throughMs > 0;
  for (const region of regions.all) region.onHealed = () => terms.deliverAllChanges();
  const logsOfRegions = regions.all.map(({ log }) => log);
  const clocks = new Clocks(cluster, logsOfRegions);
  const edges = new Map<Member, MoneyEdge>();
  const viewers = new Viewers(
    { cluster, model, corners },
    1 + plans.length,
    random.fork('viewers'),
    () => cluster.reachable.flatMap((member) => edges.get(member) ?? []),
    (error) => violations.add('no process dies of an error', (error as Error).stack ?? String(error)),
  );
  viewers.onSold = (sale) => {
    if (market.dsps.get(sale.dsp)!.dailyBudgetCents > 0) regions.noteLimitedSale(sale);
  };
  const gaveUp = () => violations.any;
  const faulty = random.chance(0.4);

  cluster.observeLog(model);
  cluster.store.observer = {
    parked: (letter) => observer.parked(letter),
    saved(saved, before) {
      observer.saved(saved, before);
      regions.windows.saved(saved, before);
    },
  };
  cluster.onLaunched = (member) => {
    member.process.wallSkewMs += clocks.leaptMs;
    regions.regionOf(member)?.launched(member);
  };
  cluster.onKilled = (member) => corners.death(member);
  cluster.onStarted = (member) => {
    if (member.hostsActors) return;
    const sells = (place: EdgePlace) => {
      edges.set(member, new MoneyEdge(member, place, terms.marketOf(member.name), random.fork('edge'), brokenMoney));
    };
    const region = regions.regionOf(member);
    if (region === undefined) sells(regions.placeAtHome(member));
    else void regions.placeIn(region, member).then(sells, () => cluster.crash(member));
    if (member.name !== 'edge-1') return;
    keepBooksAt(member);
    void closeMonthsAt(member, brokenMoney, logNowMs);
    void fileHoursAt(member, brokenMoney, corners, logNowMs);
  };

  /** The real background worker of the scheduler. */
  function keepBooksAt(member: Member): void {
    const { node, process, log, store } = member;
    const regionsThrough = regions.settledThrough(member);
    const whole = (signal: AbortSignal) => passBarrier({ log: log.log, leases: log.leases, clock: process, signal });
    const atOnce = async () => {
      const { nowMs } = cluster.log;
      return { throughMs: nowMs, latestMs: nowMs, token: '', appended: Math.floor(time.nowMs) };
    };
    watermarkWorker({
      messenger: node.messenger,
      store,
      clock: process,
      logger: SILENT,
      metrics: new WatermarkMetrics(new Registry()),
      renderWindowMs: brokenMoney.has('leases-outlive-lateness') ? -2 * HOUR_MS : RENDER_WINDOW_MS,
      everyMs: BOOKS_EVERY_MS,
      ...(regionsThrough && { regionsThrough }),
      passBarrier: brokenMoney.has('watermark-waits') ? atOnce : whole,
    }).start();
  }

  /** Resolves with what is still waited for when the time is over, or the run: null when nothing is. */
  const wait = async (withinMs: number, waiting: () => string | null): Promise<string | null> => {
    const limitMs = time.nowMs + withinMs;
    do await time.run(gaveUp, time.nowMs + LOOK_EVERY_MS);
    while (waiting() !== null && time.nowMs < limitMs && !gaveUp());
    return gaveUp() ? null : waiting();
  };
  const until = async (what: string, withinMs: number, waiting: () => string | null) => {
    const left = await wait(withinMs, waiting);
    if (left !== null) violations.add('everything converges', `${what}: ${left}`);
  };
  const playedOut = () => (viewers.callsUnderWay > 0 ? `${viewers.callsUnderWay} calls are under way` : null);
  const covered = () => {
    const partition = cluster.log.partitions.find(({ entries }) => entries.length > 0);
    return partition ? `partition ${partition.partition} holds ${partition.entries.length} entries` : null;
  };

  const sceneRandom = random.fork('scenes');
  const during = (what: string, act: () => void) => time.after(sceneRandom.between(0, SCENE_MS[1]), what, act);
  /** What is to happen in a scene beside traffic and trouble. */
  function disturb(): void {
    for (let changes = sceneRandom.below(CHANGES_AT_MOST + 1); changes > 0; changes -= 1) {
      during('terms change', () => corners.count(`${terms.change()} changes`));
    }
    const inMs = untilMidnightMs(cluster.log.nowMs);
    regions.faults.disturb(SCENE_MS[1], inMs);
    if (regions.areCut && sceneRandom.chance(0.4)) {
      during('a first budget', () => {
        if (terms.setFirstBudget()) corners.count('a first budget changes');
      });
    }
    if (inMs < SCENE_MS[1] && sceneRandom.chance(0.5)) injectDayEndFaults(cluster, sceneRandom, corners, inMs);
    if (!release.runs && faulty && sceneRandom.chance(0.3)) {
      during('a faulty release', () => {
        release.runs = true;
      });
    } else if (release.runs && sceneRandom.chance(0.6)) {
      during('a release that is mended', () => {
        release.runs = false;
      });
    }
    if (faulty && sceneRandom.chance(0.4)) during('a replay', () => void replayParked(cluster, sceneRandom));
  }

  /**
   * Sometimes the books have time to close a month before clocks leap on, so that what comes late comes into a frozen
   * one.
   */
  async function linger(begunAtMs: number): Promise<void> {
    const { toMs } = reportWindowOfMonth(monthOf(begunAtMs))!;
    if (cluster.log.nowMs < toMs || !sceneRandom.chance(0.6)) return;
    await time.run(() => gaveUp() || observer.throughMs >= toMs, time.nowMs + LINGERS_MS);
    await time.run(gaveUp, time.nowMs + sceneRandom.between(0, 2 * CLOSES_EVERY_MS));
  }

  const elections = new SeededRandom(`elections:${seed}`);
  const nemesis = new Nemesis(cluster, scenario, random.fork('nemesis'), elections);
  try {
    cluster.start();
    nemesis.begin();
    regions.begin();
    for (const reader of readers) void reader.follow();
    for (const atMs of calendar.scenesAtMs) {
      if (terms.hidesFirstLimit) regions.healAll();
      terms.deliverAllChanges();
      regions.faults.leaps(atMs);
      clocks.leapTo(atMs);
      regions.faults.mend(SCENE_MS[1]);
      disturb();
      viewers.begin();
      await time.run(gaveUp, time.nowMs + random.between(...SCENE_MS));
      viewers.end();
      await until('a scene plays out', PLAYS_OUT_WITHIN_MS, playedOut);
      await linger(atMs);
      if (gaveUp()) break;
    }
    nemesis.end();
    regions.faults.end();
    if (!gaveUp()) await time.run(gaveUp, time.nowMs + AFTERSHOCKS_MS);
    const replayedAll = () => {
      if (viewers.callsUnderWay === 0) viewers.replay();
      return playedOut();
    };
    if (!gaveUp()) await until('spools are replayed', CONVERGES_WITHIN_MS, replayedAll);
    if (!gaveUp() && regions.any) await until('regions are drained', CONVERGES_WITHIN_MS, () => regions.undrained);
    release.runs = false;
    if (!gaveUp()) await until('the log is covered', CONVERGES_WITHIN_MS, covered);
    const parked = () => cluster.store.deadLetters(1_000, '').filter(({ replayedAtMs }) => replayedAtMs === null);
    const unreplayed = () => {
      const [letter] = parked();
      if (letter && !replaying) {
        replaying = true;
        void replayParked(cluster, sceneRandom).finally(() => {
          replaying = false;
        });
      }
      return letter ? `dead letter ${letter.id} is not replayed` : null;
    };
    let replaying = false;
    const replaysWithinMs = CONVERGES_WITHIN_MS + parked().length * REPLAY_WITHIN_MS;
    if (!gaveUp()) await until('all that was parked is replayed', replaysWithinMs, unreplayed);
    if (!gaveUp()) await until('the replays are covered', CONVERGES_WITHIN_MS, covered);
    // Past the last month that anything was billed in, and past all that could come late of it.
    const lastMonthMs = Math.max(calendar.monthsMs.at(-1)!, cluster.log.nowMs);
    const months = monthsBetween(calendar.monthsMs[0]!, lastMonthMs);
    const { toMs } = reportWindowOfMonth(months.at(-1)!)!;
    clocks.leapTo(toMs + 5 * HOUR_MS);
    // A region that waited for an answer may draw on the window in which the clock is now, which is not over.
    const isUnsettled = ({ slotMs }: { readonly slotMs: number }) => slotMs < toMs;
    const closed = () => {
      const unsettled = cluster.store
        .all(budget.kind)
        .find(({ state }) => (state as BudgetState).slots.some(isUnsettled));
      if (unsettled) return `${unsettled.id} has slots that are not settled`;
      return observer.throughMs < toMs ? 'the watermark is behind' : covered();
    };
    // A budget that could not be reached is settled with its next window.
    if (!gaveUp() && (await wait(CONVERGES_WITHIN_MS / 3, closed)) !== null) {
      clocks.leapTo(cluster.log.nowMs + HOUR_MS);
      await until('the last month closes', CONVERGES_WITHIN_MS, closed);
    }
    for (const month of gaveUp() ? [] : months) {
      let waiting: string | null = 'it is not';
      const close = async () => {
        while (waiting !== null && !gaveUp()) waiting = await monthOpenReason(cluster.reachable[0]!, month);
      };
      void close();
      await until(`${month} is closed`, CONVERGES_WITHIN_MS, () => waiting);
    }
    if (!gaveUp()) {
      const unbilled = await regions.check(terms, violations);
      checkLedgers(cluster.store, model, market, unbilled, violations);
      checkStatements(cluster.store, model, { market, terms }, months, violations);
      checkBudgets(model, { market, terms }, viewers.soldNanos, corners, violations);
      for (const reader of readers) await reader.end(readingOf(cluster.store));
      corners.sumUp(model);
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
    regions: plans.length,
    sold: viewers.sold,
    refused: viewers.refused,
    billed: model.billable.size,
    late: viewers.late,
    expired: viewers.expired,
    statements: observer.frozen,
    deaths: corners.deaths,
    faults: faults.injected,
    corners: corners.counts,
    traceHash: trace.hash,
  };
}

function moneyScenario(scenario: Scenario, edgesAway: number): Scenario {
  const blows = new Map([...scenario.faultKinds].filter(([blow]) => !NOT_TRIED.includes(blow)));
  return { ...scenario, faultKinds: blows, edgeNodes: 2 + edgesAway };
}

/** The store itself, without a way to it that could fail. */
function readingOf(store: StoreServer): Pick<StateStore, 'load' | 'query' | 'idsBetween'> {
  return {
    load: async (keys) => keys.map((key) => store.load(key)),
    query: async (kind, query) => store.query(kind, query),
    idsBetween: async (kind, range) => store.idsBetween(kind, range),
  };
}
