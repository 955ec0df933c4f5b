import { Registry } from 'prom-client';
import type { AnyActorDefinition } from '../actor/define-actor.ts';
import type { Logger } from '../actor/logger.ts';
import type { BrokenLaws } from '../node/laws.ts';
import { type ActorNode, createNode } from '../node/node.ts';
import type { Tuning } from '../node/tuning.ts';
import type { LogEntry } from '../ports/log.ts';
import type { CallsOf } from './log-calls.ts';
import type { LogObserver } from './log-observer.ts';
import { LogServer } from './log-server.ts';
import { LogGroup } from './replicas/log-group.ts';
import { ReplicatedCalls } from './replicas/replicated-calls.ts';
import { drawReplication } from './replicas/replication.ts';
import { drawTuning, type Scenario } from './scenario.ts';
import { followedSessions, heldSessions, type SessionProjections } from './session-projections.ts';
import { SimulatedLog } from './simulated-log.ts';
import { SimulatedProcess } from './simulated-process.ts';
import { SimulatedStore } from './simulated-store.ts';
import { StoreServer } from './store-server.ts';
import { REPLICATED, withLethalMessages } from './workload/definitions.ts';
import type { World } from './world.ts';

/** The kinds of actors in a cluster. */
export interface Workload {
  /** The definitions for one process; `end` ends the process at once. */
  definitions(end: () => void): readonly AnyActorDefinition[];
  /** The kinds that replicas follow; empty when nothing is replicated. */
  readonly replicated: readonly string[];
  /**
   * Whether one of their messages may end the process that handles it. Otherwise a death while handling one is chance.
   */
  readonly lethal: boolean;
  /**
   * How much longer calls of this process take than those of one that is near the servers, ms; absent: all are near.
   */
  readonly roundTripMs?: (process: string) => number;
}

/** The workload that shows the laws. */
const WORKLOAD: Workload = { definitions: withLethalMessages, replicated: REPLICATED, lethal: true };

/** Mean time until a process that ended is started again, ms. */
const RESTART_MS = 700;

/** One running process of the cluster, and its connections. */
export interface Member {
  readonly name: string;
  readonly hostsActors: boolean;
  /** The projections of sessions; null when nothing is replicated. */
  readonly sessions: SessionProjections | null;
  readonly process: SimulatedProcess;
  readonly log: SimulatedLog;
  readonly store: SimulatedStore;
  readonly node: ActorNode;
  /** True once the node has started. */
  started: boolean;
  /** True when no traffic goes to it: a load balancer has seen that it is not ready. */
  avoided?: boolean;
}

/**
 * N processes with the code of the real node around one log server and one store server. Processes that end are started
 * again.
 */
export class Cluster {
  readonly world: World;
  /** The servers of a replicated log; null for a single server. */
  readonly group: LogGroup | null;
  readonly store: StoreServer;
  /** Called with each process before its node starts. */
  onLaunched: (member: Member) => void = () => {};
  /** Called with each process that is about to be killed. */
  onKilled: (member: Member) => void = () => {};
  /** Called with each process as soon as it can send. */
  onStarted: (member: Member) => void = () => {};
  readonly #scenario: Scenario;
  readonly broken: BrokenLaws;
  readonly #workload: Workload;
  /** Whether messages that a node appends together share entries. */
  readonly #bundles: boolean;
  readonly #log: LogServer;
  readonly #members = new Map<string, Member>();
  #starts = 0;

  constructor(world: World, scenario: Scenario, broken: BrokenLaws, inhabitants: Workload = WORKLOAD, bundles = false) {
    this.world = world;
    this.#workload = inhabitants;
    this.#bundles = bundles;
    this.#scenario = scenario;
    this.broken = broken;
    const replication = drawReplication(world.stream('replication'));
    this.group = replication === null ? null : new LogGroup(world, replication, scenario, broken);
    this.#log = new LogServer(world, scenario.partitions, scenario.catalogueBound, broken);
    this.store = new StoreServer(broken);
  }

  /** The log server; of several, the one whose history was acknowledged last. */
  get log(): LogServer {
    return this.group?.authoritative.server ?? this.#log;
  }

  /**
   * The log server that accepts writes; of several, the primary with the acknowledged history, or null when there is
   * none.
   */
  get writableLog(): LogServer | null {
    if (this.group === null) return this.#log;
    const { authoritative: standing, announced } = this.group;
    return [standing, announced].find(({ isPrimary }) => isPrimary)?.server ?? null;
  }

  /** The entries that a reader may be given now, by partition. */
  get readable(): readonly (readonly LogEntry[])[] {
    return this.group?.readable ?? this.#log.visible;
  }

  observeLog(observer: LogObserver): void {
    (this.group ?? this.#log).observer = observer;
  }

  start(): void {
    for (let index = 1; index <= this.#scenario.actorNodes; index += 1) this.#launch(`actors-${index}`, true);
    for (let index = 1; index <= this.#scenario.edgeNodes; index += 1) this.#launch(`edge-${index}`, false);
  }

  /** Processes that have not ended, including stopped ones. */
  get members(): Member[] {
    return [...this.#members.values()];
  }

  /** Members that accept traffic now. */
  get reachable(): Member[] {
    return this.members.filter(({ started, process, avoided }) => started && process.running && avoided !== true);
  }

  /** SIGKILL; a supervisor restarts the process after a while. */
  crash(member: Member): void {
    if (!member.process.dead) this.onKilled(member);
    member.process.kill();
    this.#replace(member);
  }

  /** SIGTERM: the node hands everything over, then the process ends and is restarted. */
  async restart(member: Member): Promise<void> {
    member.started = false;
    await member.node.stop();
    if (this.#members.get(member.name) === member) this.crash(member);
  }

  #replace(member: Member): void {
    if (this.#members.get(member.name) !== member) return;
    this.#members.delete(member.name);
    const { time, random } = this.world;
    time.after(random.exponential(RESTART_MS), `${member.name} restarts`, () =>
      this.#launch(member.name, member.hostsActors),
    );
  }

  #launch(name: string, hostsActors: boolean): void {
    const { world } = this;
    const { random, time } = world;
    this.#starts += 1;
    const process = new SimulatedProcess(`${name}#${this.#starts}`, time, random.fork(name));
    process.wallSkewMs = random.between(-5_000, 5_000);
    const { group } = this;
    const { definitions, replicated, lethal, roundTripMs } = this.#workload;
    const farMs = roundTripMs?.(name) ?? 0;
    const logDeadlineMs = this.#scenario.logDeadlineMs + farMs;
    const storeDeadlineMs = this.#scenario.storeDeadlineMs + farMs;
    let log: SimulatedLog;
    let store: SimulatedStore;
    if (group === null) {
      log = new SimulatedLog(this.#log, process, world, logDeadlineMs);
      store = new SimulatedStore(this.store, process, world, storeDeadlineMs);
    } else {
      store = new SimulatedStore(this.store, process, world, storeDeadlineMs);
      const callsOf: CallsOf = (to) => new ReplicatedCalls(group, world, name, to, store.connection);
      log = new SimulatedLog(this.log, process, world, logDeadlineMs, callsOf);
    }
    const replicates = (!hostsActors || random.chance(0.5)) && replicated.length > 0;
    const holds = replicates && random.chance(0.5);
    const node = createNode({
      name: process.name,
      provider: log,
      store,
      clock: process,
      random: random.fork(`node ${name}`),
      definitions: definitions(() => this.crash(member)),
      hostsActors,
      replicates: holds ? replicated : [],
      tuning: {
        ...withLonger(drawTuning(random), farMs),
        ...(lethal ? {} : { parkAfterDeaths: Number.POSITIVE_INFINITY }),
      },
      brokenLaws: this.broken,
      bundles: this.#bundles,
      logger: this.#logger(process),
      registry: new Registry(),
    });
    const { replica } = node;
    const shown = () => (holds ? heldSessions(replica) : followedSessions(replica, process, random.fork('follower')));
    const sessions = replicates ? shown() : null;
    const member: Member = { name, hostsActors, sessions, process, log, store, node, started: false };
    this.#members.set(name, member);
    this.onLaunched(member);
    node.start().then(
      () => {
        member.started = true;
        this.onStarted(member);
      },
      () => this.crash(member),
    );
  }

  #logger(process: SimulatedProcess): Logger {
    const { trace, time } = this.world;
    const say = (fields: object, message: string) =>
      trace.note(time.nowMs, () => `${process.name}: ${message} ${JSON.stringify(fields)}`);
    return { debug: say, info: say, warn: say, error: say };
  }
}

/**
 * Calls that an append or an ask waits for in turn, at most: a server of several is asked, and then that all have it.
 */
const CALLS_IN_TURN = 4;

/** Who is far from the servers is set up to wait for them. */
function withLonger(tuning: Tuning, farMs: number): Tuning {
  const moreMs = CALLS_IN_TURN * farMs;
  const { sendTimeoutMs, publishTimeoutMs, askTimeoutMs } = tuning;
  return {
    ...tuning,
    sendTimeoutMs: sendTimeoutMs + moreMs,
    publishTimeoutMs: publishTimeoutMs + moreMs,
    askTimeoutMs: askTimeoutMs + moreMs,
  };
}
