import { messagesOf } from '../node/bundle.ts';
import { type BrokenLaws, NO_BROKEN_LAWS } from '../node/laws.ts';
import { BarrierChecker } from './auditor/barrier-checker.ts';
import { finalState } from './auditor/final-state.ts';
import { HistoryObserver } from './auditor/history-observer.ts';
import { Operations } from './auditor/operations.ts';
import { type Violation, Violations } from './auditor/violations.ts';
import { CHECKERS } from './checkers/all.ts';
import { pendingWork } from './checkers/convergence.ts';
import { watchReplica } from './checkers/replica-monotony.ts';
import { Cluster } from './cluster.ts';
import { liftQuarantines } from './lift-quarantines.ts';
import { Nemesis } from './nemesis.ts';
import { drawScenario } from './scenario.ts';
import { SeededRandom } from './seeded-random.ts';
import { StoreCutNemesis } from './store-cut-nemesis.ts';
import { Generator } from './workload/generator.ts';
import { createWorld } from './world.ts';

/** A call that was given up may still arrive within this time, ms. */
const LATE_ARRIVALS_MS = 18_000;
const CONVERGES_WITHIN_MS = 60_000;
/**
 * Additional time for each lethal message: five processes end, one after the other, before it is parked (decision
 * 0005), ms.
 */
const CONVERGES_AFTER_LETHAL_MS = 20_000;
const LOOK_EVERY_MS = 250;

export interface SimulationOptions {
  readonly brokenLaws?: BrokenLaws;
  /** Whether messages that a node appends together share entries. Default false. */
  readonly bundles?: boolean;
  /** Receives every event as a line. */
  readonly print?: (line: string) => void;
}

/** The result of a run of one seed. */
export interface SimulationResult {
  readonly seed: number;
  /** Empty when all invariants hold. */
  readonly violations: readonly Violation[];
  readonly events: number;
  readonly operations: number;
  /** The number of entries that had several messages. */
  readonly bundles: number;
  /** The number of passed log barriers that were compared with the store. */
  readonly barriers: number;
  /** The number of injections by fault. */
  readonly faults: ReadonlyMap<string, number>;
  /** A hash of all events, the same for every run of the seed. */
  readonly traceHash: string;
}

/** Runs a whole cluster under `seed`: first with faults, then without them until it is at rest. */
export async function simulate(seed: number, options: SimulationOptions = {}): Promise<SimulationResult> {
  const world = createWorld(seed, options.print);
  const { time, random, faults, trace } = world;
  const scenario = drawScenario(random.fork('scenario'));
  const cluster = new Cluster(world, scenario, options.brokenLaws ?? NO_BROKEN_LAWS, undefined, options.bundles);
  const violations = new Violations(() => time.nowMs);
  const operations = new Operations();
  const observer = new HistoryObserver(cluster, operations, violations, (line) => trace.note(time.nowMs, line));
  cluster.observeLog(observer);
  cluster.store.observer = observer;
  const generator = new Generator(cluster, scenario, random.fork('generator'), { operations, observer, violations });
  const elections = new SeededRandom(`elections:${seed}`);
  const nemesis = new Nemesis(cluster, scenario, random.fork('nemesis'), elections);
  const cutOff = new StoreCutNemesis(seed);
  cluster.onLaunched = (member) => watchReplica(member, violations);
  const barriers = new BarrierChecker(cluster, operations, violations);
  const gaveUp = () => violations.any;

  const settle = async (phase: string, allHeard: boolean) => {
    const beganAtMs = time.nowMs;
    const lethal = cluster.log.partitions.flatMap(({ entries }) =>
      entries.flatMap(messagesOf).filter(({ payload }) => isLethal(payload)),
    );
    const limitMs = beganAtMs + CONVERGES_WITHIN_MS + lethal.length * CONVERGES_AFTER_LETHAL_MS;
    let waiting: string[] = [];
    do {
      await time.run(gaveUp, time.nowMs + LOOK_EVERY_MS);
      waiting = pendingWork(cluster, { openRequests: generator.openRequests, allHeard, observer });
      if (barriers.begunAtMs < beganAtMs) waiting.push('no barrier was passed');
    } while (waiting.length > 0 && time.nowMs < limitMs && !gaveUp());
    if (!gaveUp()) for (const what of waiting.slice(0, 5)) violations.add('everything converges', `${phase}: ${what}`);
  };

  try {
    generator.begin();
    const send = cluster.onStarted;
    cluster.onStarted = (member) => {
      send(member);
      void barriers.follow(member);
    };
    cluster.start();
    nemesis.begin();
    cutOff.begin(cluster);
    await time.run(gaveUp, scenario.faultsMs);
    generator.end();
    cutOff.end();
    nemesis.end();
    await time.run(gaveUp, time.nowMs + LATE_ARRIVALS_MS);
    if (!gaveUp()) await liftQuarantines({ cluster, operations, observer, violations, gaveUp });
    if (!gaveUp()) await settle('after the faults', false);
    if (!gaveUp()) {
      const knock = () => generator.messageAll();
      await cutOff.whenAllIsWell({ cluster, violations, gaveUp, knock, openRequests: () => generator.openRequests });
    }
    if (!gaveUp()) {
      generator.messageAll();
      await settle('after one more message to everybody', true);
    }
    if (!gaveUp()) {
      const final = finalState(cluster.store);
      for (const check of CHECKERS) check({ operations, observer, final, violations });
    }
  } catch (error) {
    violations.add('no process dies of an error', (error as Error).stack ?? String(error));
  }
  return {
    seed,
    violations: violations.found,
    events: time.events,
    operations: operations.all.size,
    bundles: observer.bundles,
    barriers: barriers.checks,
    faults: faults.injected,
    traceHash: trace.hash,
  };
}

/**
 * Whether a payload is a lethal message. When it is told repeatedly while the log is unavailable, one lethal message
 * becomes several.
 */
function isLethal(payload: string): boolean {
  return payload.includes('"lethal"');
}
