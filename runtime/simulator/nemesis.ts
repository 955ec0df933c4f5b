import type { Cluster, Member } from './cluster.ts';
import { NO_FAULTS } from './faults.ts';
import type { PartitionImage } from './partition-state.ts';
import { ReplicaNemesis } from './replicas/replica-nemesis.ts';
import type { FaultKind, Scenario } from './scenario.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { Shard } from './unavailable-shards.ts';

const PAUSE_MS = 1_800;
const OUTAGE_MS = 1_200;
const IMAGE_EVERY_MS = 1_500;
const UNSTORABLE_MS = 1_500;
const STEPDOWN_EVERY_MS = 1_200;
const MAJORITY_LAGS_MS = 600;
const SHARD_AWAY_EVERY_MS = 2_500;
const SHARD_AWAY_MS = 1_500;

/** The faults by which only an unreplicated log loses data; a replicated one loses nothing. */
const SINGLE_SERVER_FAULTS: ReadonlySet<FaultKind> = new Set(['stream wiped', 'log set back']);

/** Injects faults into a cluster until it is stopped, and then repairs what it did. */
export class Nemesis {
  readonly #cluster: Cluster;
  readonly #scenario: Scenario;
  readonly #random: SeededRandom;
  readonly #elections: SeededRandom;
  /** A random source of its own, like that of elections. */
  readonly #shards: SeededRandom;
  /** The data of a replica of the log server that lags behind. */
  #images: readonly PartitionImage[] = [];
  /** The nemesis of the servers of a replicated log. */
  readonly #replicas: ReplicaNemesis | null;
  #active = false;

  /** `elections` is a random source of its own, so that elections do not change what else a seed determines. */
  constructor(cluster: Cluster, scenario: Scenario, random: SeededRandom, elections: SeededRandom) {
    this.#cluster = cluster;
    this.#scenario = scenario;
    this.#random = random;
    this.#elections = elections;
    this.#shards = cluster.world.stream('shards');
    this.#replicas = cluster.group && new ReplicaNemesis(cluster, cluster.group);
  }

  begin(): void {
    this.#active = true;
    this.#cluster.world.faults.rates = this.#scenario.rates;
    for (const [blow, meanMs] of this.#scenario.faultKinds) {
      if (this.#replicas === null || !SINGLE_SERVER_FAULTS.has(blow)) this.#schedule(blow, meanMs);
    }
    this.#copyLog();
    if (this.#elections.chance(0.6)) this.#stepDownNext();
    this.#replicas?.begin();
    if (this.#shards.chance(0.4)) this.#shardAwayNext();
  }

  /** Stops injecting faults, and resumes and reconnects everything that was stopped or cut off. */
  end(): void {
    this.#active = false;
    this.#replicas?.end();
    this.#cluster.world.faults.rates = NO_FAULTS;
    this.#cluster.store.unstorable = null;
    this.#cluster.store.majority.catchUp();
    this.#cluster.world.shards.set([]);
    for (const { process, log, store } of this.#cluster.members) {
      process.resume();
      log.connection.restore();
      store.connection.restore();
    }
  }

  /**
   * Schedules an election of the store: its primary steps down, and for a while reads may be answered from what a
   * majority had earlier.
   */
  #stepDownNext(): void {
    const { world, store } = this.#cluster;
    const { time, faults } = world;
    time.after(this.#elections.exponential(STEPDOWN_EVERY_MS), 'the store elects', () => {
      if (!this.#active) return;
      faults.count('store stepdown');
      store.majority.stepDown((below) => this.#elections.below(below));
      time.after(this.#elections.exponential(MAJORITY_LAGS_MS), 'the majority catches up', () => {
        store.majority.catchUp();
        this.#stepDownNext();
      });
    });
  }

  /**
   * Schedules an outage of one shard with the data that only it has: partitions, and perhaps the data that all
   * processes share.
   */
  #shardAwayNext(): void {
    const { world, log } = this.#cluster;
    world.time.after(this.#shards.exponential(SHARD_AWAY_EVERY_MS), 'a shard goes away', () => {
      if (!this.#active) return;
      world.faults.count('shard away');
      const all: readonly Shard[] = [...log.partitions.keys(), 'catalogue', 'members'];
      world.shards.set(all.filter(() => this.#shards.chance(1 / 3)));
      world.time.after(this.#shards.exponential(SHARD_AWAY_MS), 'the shard is back', () => {
        world.shards.set([]);
        this.#shardAwayNext();
      });
    });
  }

  #schedule(blow: FaultKind, meanMs: number): void {
    this.#cluster.world.time.after(this.#random.exponential(meanMs), `nemesis: ${blow}`, () => {
      if (!this.#active) return;
      this.#cluster.world.faults.count(blow);
      this.#faults[blow]();
      this.#schedule(blow, meanMs);
    });
  }

  readonly #faults: Readonly<Record<FaultKind, () => void>> = {
    pause: () =>
      this.#withMember(({ process }) => {
        process.pause();
        this.#later(PAUSE_MS, () => process.resume());
      }),
    crash: () => this.#withMember((member) => this.#cluster.crash(member)),
    'rolling restart': () => this.#withMember((member) => void this.#cluster.restart(member)),
    'log unreachable': () =>
      this.#withMember(({ log }) => {
        log.connection.interrupt();
        this.#later(OUTAGE_MS, () => log.connection.restore());
      }),
    'store unreachable': () => this.#storeOutage(),
    'log crash': () => (this.#replicas ? this.#replicas.powerFails() : this.#cluster.log.crash()),
    'stream wiped': () => {
      const { log } = this.#cluster;
      log.clockSkewMs -= this.#random.between(0, this.#random.chance(0.25) ? 30_000 : 6_000);
      log.wipe(this.#random.below(log.partitions.length));
    },
    'log set back': () => this.#setLogBack(),
    'catalogue trimmed': () => {
      const kept = this.#random.below(3);
      this.#cluster.writableLog?.change(({ catalogue }) => catalogue.trim(kept));
    },
    'catalogue recreated': () => {
      const log = this.#cluster.writableLog;
      if (log === null) return;
      const tail = this.#random.chance(0.5) ? 0 : log.catalogue.tail + 2 + this.#random.below(1_000);
      log.change(({ catalogue }) => catalogue.recreate(tail));
    },
    'wall clock jumps': () =>
      this.#withMember(({ process }) => {
        process.wallSkewMs += this.#random.between(-60_000, 60_000);
      }),
    unstorable: () => {
      const { store } = this.#cluster;
      const { keys } = store;
      if (keys.length === 0) return;
      const struck = this.#random.pick(keys);
      store.unstorable = struck;
      this.#later(UNSTORABLE_MS, () => {
        if (store.unstorable === struck) store.unstorable = null;
      });
    },
  };

  #withMember(act: (member: Member) => void): void {
    const { members } = this.#cluster;
    if (members.length > 0) act(this.#random.pick(members));
  }

  #storeOutage(): void {
    const { members } = this.#cluster;
    const struck = this.#random.chance(0.5) ? members : members.slice(0, 1);
    for (const { store } of struck) store.connection.interrupt();
    this.#later(OUTAGE_MS, () => {
      for (const { store } of struck) store.connection.restore();
    });
  }

  /** Promotes a replica that lagged behind; its clock may be behind too. */
  #setLogBack(): void {
    const { log } = this.#cluster;
    log.crash();
    log.clockSkewMs -= this.#random.between(0, 2_000);
    for (const [partition, image] of this.#images.entries()) log.restore(partition, image);
  }

  #copyLog(): void {
    this.#images = this.#cluster.log.partitions.map((partition) => partition.image());
    this.#later(IMAGE_EVERY_MS, () => {
      if (this.#active) this.#copyLog();
    });
  }

  #later(meanMs: number, act: () => void): void {
    this.#cluster.world.time.after(this.#random.exponential(meanMs), 'nemesis relents', act);
  }
}
