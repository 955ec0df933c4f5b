import type { BrokenLaws } from '../../node/laws.ts';
import type { LogEntry } from '../../ports/log.ts';
import { LogData } from '../log-data.ts';
import type { LogObserver } from '../log-observer.ts';
import { LogServer, SharedLogState } from '../log-server.ts';
import type { SeededRandom } from '../seeded-random.ts';
import type { World } from '../world.ts';
import { AcknowledgedHistory, nameOf } from './acknowledged-history.ts';
import { GroupServer } from './group-server.ts';
import { FIRST_EPOCH, InSyncSetRegister, isUsable } from './in-sync-set.ts';
import type { Replication } from './replication.ts';

/** Mean time until a server learns which primary to follow, ms. */
const RECONFIGURED_MS = 300;

/** What every server of the group is made with. */
export interface LogSize {
  readonly partitions: number;
  readonly catalogueBound: number;
}

/** A primary of the log and its replicas, the links between them and to the processes, and the announced primary. */
export class LogGroup {
  readonly servers: readonly GroupServer[];
  readonly set: InSyncSetRegister;
  readonly plan: Replication;
  readonly broken: BrokenLaws;
  lagMs: number;
  /** The announced primary, to which new connections go. */
  announced: GroupServer;
  readonly #world: World;
  readonly #random: SeededRandom;
  readonly #history: AcknowledgedHistory;
  #authoritative: GroupServer;
  /** Of the standing server: between two of its lives it may have followed another. */
  #authoritativeLife = 0;
  readonly #cuts = new Set<string>();
  /** By process: the earlier primary that the process still uses. */
  readonly #pinned = new Map<string, GroupServer>();

  constructor(world: World, plan: Replication, { partitions, catalogueBound }: LogSize, broken: BrokenLaws) {
    this.#world = world;
    this.#random = world.stream('log group');
    this.plan = plan;
    this.broken = broken;
    this.lagMs = plan.lagMs;
    this.#history = new AcknowledgedHistory(partitions);
    const surroundings = new SharedLogState();
    const names = Array.from({ length: plan.servers }, (_, index) => `log-${index + 1}`);
    this.servers = names.map((name) => {
      const server = new LogServer(world, partitions, catalogueBound, broken, surroundings);
      const one: GroupServer = new GroupServer(name, server, {
        time: world.time,
        random: this.#random,
        lagMs: () => this.lagMs,
        isCut: (a, b) => this.#cuts.has(link(a.name, b.name)),
        mayCopy: (copier, from) => this.#mayCopy(copier, from),
        emptyData: () => new LogData(partitions, catalogueBound),
      });
      server.observer = this.#history.of(() => this.#authoritative === one && this.#authoritativeLife === one.life);
      return one;
    });
    this.set = new InSyncSetRegister(names.slice(0, plan.members));
    const [first] = this.servers;
    this.announced = first as GroupServer;
    this.#authoritative = this.announced;
    for (const { server } of this.servers.slice(0, plan.members)) server.data.inSyncEpoch = FIRST_EPOCH;
    for (const one of this.servers.slice(1)) one.follow(this.announced);
  }

  /** The server whose history was acknowledged last, which is the true history of the log. */
  get authoritative(): GroupServer {
    return this.#authoritative;
  }

  /**
   * The entries of that history that a reader may be given now (law 12), by partition: those that every member and
   * every joining server has. Others may be lost with the server that has them, and appended again by their producer.
   */
  get readable(): readonly (readonly LogEntry[])[] {
    const { members, joining } = this.set.read();
    const awaited = this.servers.filter(({ name }) => members.includes(name) || joining.includes(name));
    const held = awaited.map(({ server }) => server.visible.map((entries) => new Set(entries.map(nameOf))));
    return this.#authoritative.server.visible.map((entries, partition) =>
      entries.filter((entry) => held.every((names) => names[partition]!.has(nameOf(entry)))),
    );
  }

  /** The observer of that history. */
  set observer(observer: LogObserver) {
    this.#history.observer = observer;
  }

  isUsable(one: GroupServer): boolean {
    return isUsable(this.set.read(), one.name, one.server.data.inSyncEpoch);
  }

  primaryFor(process: string): GroupServer {
    const left = this.#pinned.get(process);
    return left?.isPrimary ? left : this.announced;
  }

  /** Whether nothing passes between a process and a server, or between two servers. */
  isCut(a: string, b: string): boolean {
    return this.#cuts.has(link(a, b));
  }

  cut(a: string, b: string): void {
    this.#cuts.add(link(a, b));
  }

  heal(a: string, b: string): void {
    this.#cuts.delete(link(a, b));
    for (const one of this.servers) one.reconnect();
  }

  /** Lets `process` continue with `primary`, whichever server is announced, until it is released. */
  pinPrimary(process: string, primary: GroupServer): void {
    this.#pinned.set(process, primary);
  }

  unpinPrimary(process: string): void {
    this.#pinned.delete(process);
  }

  /** Records that `one` acknowledged something: from now on its history is the log's. */
  acknowledgedBy(one: GroupServer): void {
    if (one === this.#authoritative && one.life === this.#authoritativeLife) return;
    const before = this.#authoritative;
    this.#authoritative = one;
    this.#authoritativeLife = one.life;
    this.#note(() => `${one.name} acknowledges, where ${before.name} did before`);
    this.#history.continueWith(one.server.partitions);
  }

  /** Announces `one` as the primary; the other servers that are not cut off will follow it. */
  promote(one: GroupServer): void {
    this.#note(() => `${one.name} is promoted; set ${JSON.stringify(this.set.read())}`);
    if (!one.isPrimary) one.promote();
    this.announced = one;
    for (const other of this.servers) if (other !== one) this.reconfigure(other);
  }

  /**
   * In a while `one` follows who is announced then. No server that can be used gives its data up for one that cannot,
   * but for one that has lost all its data: who copies that is known by the epoch that is missing.
   */
  reconfigure(one: GroupServer): void {
    const { time } = this.#world;
    time.after(this.#random.exponential(RECONFIGURED_MS), `${one.name} is told whom to follow`, () => {
      const { announced } = this;
      if (one === announced || one.upstream === announced || !one.up) return;
      if (this.isCut(one.name, 'sentinels')) return;
      if (!this.#mayCopy(one, announced)) return;
      one.follow(announced);
    });
  }

  /**
   * Of one that cannot be used: not the last that holds everything, and not who would then be taken for one that does,
   * a member with the data of an outsider.
   */
  #mayCopy(one: GroupServer, from: GroupServer): boolean {
    if (this.isUsable(from)) return true;
    if (from.server.data.inSyncEpoch > 0) return !this.set.read().members.includes(one.name);
    if (!this.isUsable(one)) return true;
    return one !== this.#authoritative && this.servers.some((other) => other !== one && this.isUsable(other));
  }

  #note(line: () => string): void {
    this.#world.trace.note(this.#world.time.nowMs, line);
  }
}

function link(a: string, b: string): string {
  return a < b ? `${a}|${b}` : `${b}|${a}`;
}
