import type { LogData, LogOperation } from '../log-data.ts';
import type { LogServer } from '../log-server.ts';
import type { SeededRandom } from '../seeded-random.ts';
import type { VirtualTime } from '../virtual-time.ts';

/** Mean time of one acknowledgement's way, ms. */
const ONE_WAY_MS = 0.3;
const RETRY_MS = 150;

interface Wait {
  readonly names: readonly string[];
  readonly offset: number;
  readonly then: () => void;
}

/** The part of the group that a server needs. */
export interface GroupContext {
  readonly time: VirtualTime;
  readonly random: SeededRandom;
  /** Mean time until a replica has an operation, ms. */
  readonly lagMs: () => number;
  isCut(a: GroupServer, b: GroupServer): boolean;
  /** Whether the operator of the servers lets `copier` take over the data of `from`. */
  mayCopy(copier: GroupServer, from: GroupServer): boolean;
  emptyData(): LogData;
}

/** One server of a log group: a primary, or a replica that follows one in the order in which that changed. */
export class GroupServer {
  readonly name: string;
  readonly server: LogServer;
  up = true;
  /** The server that it follows; null for a primary. */
  upstream: GroupServer | null = null;
  /** True when a replica has the data that its upstream had at `offset`, and receives what follows. */
  attached = false;
  /** The number of operations applied to its data. */
  offset = 0;
  /** The offset that its upstream knows it to have. */
  acknowledged = 0;
  /** When its upstream last heard of it, ms. */
  heardAtMs = 0;
  /** Rises when the server ends and when it becomes a primary or a replica: connections do not outlive that. */
  life = 0;
  readonly #context: GroupContext;
  #replicas = new Set<GroupServer>();
  #onItsWay: LogOperation[] = [];
  #delivering = false;
  #waits = new Set<Wait>();

  constructor(name: string, server: LogServer, around: GroupContext) {
    this.name = name;
    this.server = server;
    this.#context = around;
    server.onChange = (operation) => {
      // What a replica has must be what its upstream had at `offset`, or acknowledgements mean nothing.
      if (this.up && this.upstream !== null) throw new Error(`${name} is a replica, and is written to`);
      this.offset += 1;
      for (const replica of this.#replicas) if (replica.attached) replica.#send(operation);
    };
  }

  get isPrimary(): boolean {
    return this.up && this.upstream === null;
  }

  /** The replicas that are connected to this server. */
  get attachedReplicas(): GroupServer[] {
    return [...this.#replicas].filter((one) => one.attached && one.up && !this.#context.isCut(this, one));
  }

  /**
   * Calls `then` once each of `names` has acknowledged everything that there is now; never when this server's life ends
   * before.
   */
  whenAllHave(names: readonly string[], then: () => void): void {
    const wait = { names: names.filter((name) => name !== this.name), offset: this.offset, then };
    this.#waits.add(wait);
    this.#look();
  }

  /** Ends the process, by itself or with its machine. */
  stop(): void {
    this.up = false;
    this.#endLife();
  }

  /** Starts the process with its data on disk, or with nothing. */
  start(empty: boolean): void {
    if (empty) this.server.data = this.#context.emptyData();
    else this.server.crash();
    this.#endLife();
    this.up = true;
    if (this.upstream !== null) this.#synchronize(this.upstream, this.life);
  }

  promote(): void {
    this.#leaveUpstream();
    this.#endLife();
    for (const partition of this.server.partitions) partition.sync(partition.last);
  }

  /** Becomes a replica of `upstream`, whose data replace its own as soon as it can be reached. */
  follow(upstream: GroupServer): void {
    this.#leaveUpstream();
    this.#endLife();
    this.upstream = upstream;
    upstream.#replicas.add(this);
    this.#synchronize(upstream, this.life);
  }

  #synchronize(upstream: GroupServer, life: number): void {
    const { time, random } = this.#context;
    time.after(random.exponential(RETRY_MS), `${this.name} synchronizes`, () => {
      if (this.upstream !== upstream || this.life !== life || this.attached) return;
      const isThere = upstream.isPrimary && !this.#context.isCut(this, upstream);
      if (!this.up || !isThere || !this.#context.mayCopy(this, upstream)) {
        this.#synchronize(upstream, life);
        return;
      }
      this.server.data = upstream.server.data.copy();
      this.offset = upstream.offset;
      this.attached = true;
      this.#acknowledge();
    });
  }

  /** The link is up again. */
  reconnect(): void {
    if (!this.attached) return;
    if (this.#onItsWay.length > 0) this.#deliverLater();
    this.#acknowledge();
  }

  #send(operation: LogOperation): void {
    this.#onItsWay.push(operation);
    this.#deliverLater();
  }

  #deliverLater(): void {
    if (this.#delivering) return;
    this.#delivering = true;
    const { time, random, lagMs } = this.#context;
    time.after(random.exponential(lagMs()), `${this.name} is sent operations`, () => {
      this.#delivering = false;
      const { upstream } = this;
      if (!this.up || upstream === null || !this.attached || this.#context.isCut(this, upstream)) return;
      const some = random.chance(0.3) ? 1 + random.below(this.#onItsWay.length) : this.#onItsWay.length;
      for (const operation of this.#onItsWay.splice(0, some)) {
        operation(this.server.data);
        this.offset += 1;
      }
      if (this.#onItsWay.length > 0) this.#deliverLater();
      this.#acknowledge();
    });
  }

  #acknowledge(): void {
    const { upstream, life, offset } = this;
    const { time, random } = this.#context;
    time.after(random.exponential(ONE_WAY_MS), `${this.name} acknowledges`, () => {
      if (upstream === null || this.upstream !== upstream || this.life !== life) return;
      if (this.#context.isCut(this, upstream)) return;
      this.acknowledged = Math.max(this.acknowledged, offset);
      upstream.#look();
    });
  }

  #look(): void {
    for (const wait of [...this.#waits]) {
      const has = (name: string) =>
        [...this.#replicas].some((one) => one.name === name && one.attached && one.acknowledged >= wait.offset);
      if (!wait.names.every(has)) continue;
      this.#waits.delete(wait);
      wait.then();
    }
  }

  #leaveUpstream(): void {
    if (this.upstream !== null) this.upstream.#replicas.delete(this);
    this.upstream = null;
  }

  #endLife(): void {
    this.life += 1;
    this.attached = false;
    this.acknowledged = 0;
    this.#onItsWay = [];
    this.#waits = new Set();
    this.server.hangUp();
    for (const replica of this.#replicas) replica.#loseUpstream();
  }

  /** Handles that its upstream has ended or is no longer a primary: it must be synchronised again. */
  #loseUpstream(): void {
    const { upstream } = this;
    if (upstream === null) return;
    this.attached = false;
    this.acknowledged = 0;
    this.#onItsWay = [];
    this.life += 1;
    this.#synchronize(upstream, this.life);
  }
}
