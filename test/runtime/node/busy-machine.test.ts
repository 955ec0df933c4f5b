import { expect } from 'chai';
import { Registry } from 'prom-client';
import { NO_BROKEN_LAWS } from '#runtime/node/laws';
import { type ActorNode, createNode } from '#runtime/node/node';
import type { StateStore } from '#runtime/ports/store';
import { LogServer } from '#runtime/simulator/log-server';
import { SimulatedLog } from '#runtime/simulator/simulated-log';
import { SimulatedProcess } from '#runtime/simulator/simulated-process';
import { SimulatedStore } from '#runtime/simulator/simulated-store';
import { StoreServer } from '#runtime/simulator/store-server';
import { createWorld, type World } from '#runtime/simulator/world';
import { counter } from './counter.ts';

const PARTITIONS = 16;
const NODES = 4;
const DEADLINE_MS = 30_000;
const KIND = counter({ saving: 'lazy' });
const LOOK_MS = 100;
/** Every node has noticed the death of another after this long: a lease's time, and a round of each. */
const TAKEN_OVER_WITHIN_MS = 12_000;

/** When a call is answered that comes at this time, ms. */
type AnsweredAt = (atMs: number) => number;

interface Process {
  readonly process: SimulatedProcess;
  readonly node: ActorNode;
}

/** Four nodes in simulated time, over one store that answers as late as a test wants. */
class Fleet {
  readonly world: World;
  readonly processes: Process[] = [];
  /** What was logged of sessions that ended, and of nodes that doubted themselves or were unfit. */
  readonly ends: string[] = [];
  readonly unfit: string[] = [];
  readonly doubts: string[] = [];
  answeredAt: AnsweredAt = (atMs) => atMs;
  readonly #log: LogServer;
  readonly #store = new StoreServer(NO_BROKEN_LAWS);
  #over = false;

  constructor(seed: string) {
    this.world = createWorld(seed);
    this.#log = new LogServer(this.world, PARTITIONS, 100, NO_BROKEN_LAWS);
    for (let number = 1; number <= NODES; number++) this.#launch(`actors-${number}`);
  }

  #launch(name: string): void {
    const process = new SimulatedProcess(name, this.world.time, this.world.random.fork(name));
    const node = createNode({
      ...{ name, clock: process, random: this.world.random.fork(`node ${name}`), definitions: [KIND] },
      provider: new SimulatedLog(this.#log, process, this.world, DEADLINE_MS),
      store: this.#slow(new SimulatedStore(this.#store, process, this.world, DEADLINE_MS)),
      ...{ hostsActors: true, replicates: [], registry: new Registry() },
      logger: {
        ...{ debug: () => {}, error: () => {} },
        info: (fields, message) =>
          message.includes('another owner') && this.ends.push(`${name} ${JSON.stringify(fields)}`),
        warn: (fields, message) => {
          if (message.includes('unfit')) this.unfit.push(name);
          if (message.includes('doubtful')) this.doubts.push(name);
          if (message.includes('starts again')) this.ends.push(`${name} ${JSON.stringify(fields)}`);
        },
      },
    });
    this.processes.push({ process, node });
    void node.start();
  }

  /** Each call reaches the store when it is due to be answered. */
  #slow(store: SimulatedStore): StateStore {
    return new Proxy<StateStore>(store, {
      get: (target, name) => {
        const method = Reflect.get(target, name, target) as unknown;
        if (!['load', 'save', 'highWater'].includes(name as string)) {
          return typeof method === 'function' ? method.bind(target) : method;
        }
        return async (...args: unknown[]) => {
          const { time } = this.world;
          await time.sleep(this.answeredAt(time.nowMs) - time.nowMs, `the store comes to ${String(name)}`);
          return (method as (...args: unknown[]) => unknown).apply(target, args);
        };
      },
    });
  }

  /** From now on the process has the machine for `runsMs`, and then not for `waitsMs`, again and again. */
  starve({ process }: Process, runsMs: number, waitsMs: number): void {
    const { time } = this.world;
    const wait = () => {
      if (this.#over) return;
      process.pause();
      time.after(waitsMs, 'it has the machine', () => {
        process.resume();
        time.after(runsMs, 'it has had the machine', wait);
      });
    };
    time.after(runsMs, 'it has had the machine', wait);
  }

  kill({ process }: Process): void {
    process.kill();
  }

  get living(): Process[] {
    return this.processes.filter(({ process }) => !process.dead);
  }

  get allOwned(): boolean {
    const owned = this.living.map(({ node }) => node.ownedPartitions);
    return owned.every(({ length }) => length > 0) && new Set(owned.flat()).size === PARTITIONS;
  }

  /** Impressions, as it were: each partition has something to load and to save twice a second. */
  useIt(): void {
    const { time } = this.world;
    let told = 0;
    const tell = () => {
      if (this.#over) return;
      const [{ node }] = this.living as [Process, ...Process[]];
      for (let n = 0; n < PARTITIONS; n++)
        node.messenger.tell(KIND, `c${told++ % 200}`, 'add', { n: 1 }).catch(() => {});
      time.after(500, 'more to do', tell);
    };
    tell();
  }

  async pass(forMs: number): Promise<void> {
    await this.world.time.run(() => false, this.world.time.nowMs + forMs);
  }

  /** Resolves with the ms until it holds that each partition has an owner, and each node partitions. */
  async untilAllOwned(withinMs: number): Promise<number> {
    const { time } = this.world;
    const sinceMs = time.nowMs;
    while (!this.allOwned) {
      if (time.nowMs - sinceMs > withinMs) {
        throw new Error(`not all owned: ${this.living.map(({ node }) => node.ownedPartitions.length)}`);
      }
      await this.pass(LOOK_MS);
    }
    return time.nowMs - sinceMs;
  }

  /** How often a partition has gone from one owner to another, or to none, in this time. */
  async moves(forMs: number): Promise<number> {
    let moves = 0;
    let before = this.#owners();
    for (let passedMs = 0; passedMs < forMs; passedMs += LOOK_MS) {
      await this.pass(LOOK_MS);
      const now = this.#owners();
      moves += now.filter((owner, partition) => owner !== before[partition]).length;
      before = now;
    }
    return moves;
  }

  #owners(): (string | undefined)[] {
    return Array.from(
      { length: PARTITIONS },
      (_, partition) => this.living.find(({ node }) => node.ownedPartitions.includes(partition))?.process.name,
    );
  }

  end(): void {
    this.#over = true;
    for (const { process } of this.living) process.kill();
  }
}

describe('nodes on a busy machine', () => {
  let fleet: Fleet;
  afterEach(() => fleet.end());

  async function started(seed: string): Promise<Fleet> {
    fleet = new Fleet(seed);
    fleet.useIt();
    await fleet.untilAllOwned(10_000);
    await fleet.pass(10_000);
    return fleet;
  }

  it('own every partition soon after one has died, and none moves, while the store takes 2 to 6 s for each call', async () => {
    await started('a slow store');
    const random = fleet.world.stream('how slow');
    fleet.answeredAt = (atMs) => atMs + random.between(2_000, 6_000);
    expect(await fleet.moves(30_000)).to.equal(0);
    fleet.kill(fleet.processes[1]!);
    expect(await fleet.untilAllOwned(TAKEN_OVER_WITHIN_MS)).to.be.at.most(TAKEN_OVER_WITHIN_MS);
    expect(await fleet.moves(60_000)).to.equal(0);
    expect(fleet.unfit).to.deep.equal([]);
  });

  it('hand nothing over while the store is silent for all, however late some of them notice', async () => {
    await started('a store that stalls');
    for (const late of fleet.processes.slice(2)) fleet.starve(late, 100, 1_400);
    // It answers all that has waited at the end of each quarter of a minute.
    fleet.answeredAt = (atMs) => (Math.floor(atMs / 15_000) + 1) * 15_000;
    expect(await fleet.moves(90_000)).to.equal(0);
    expect(fleet.doubts).to.include.members(['actors-1', 'actors-2']);
    expect(fleet.unfit).to.deep.equal([]);
    fleet.kill(fleet.processes[0]!);
    expect(await fleet.untilAllOwned(TAKEN_OVER_WITHIN_MS)).to.be.at.most(TAKEN_OVER_WITHIN_MS);
    // A partition that is to even out the shares moves when its owner has saved it.
    await fleet.pass(20_000);
    expect(await fleet.moves(60_000)).to.equal(0);
    expect(fleet.unfit).to.deep.equal([]);
  });

  it('keep leases that nobody else wants, although they had no time to renew them', async () => {
    await started('starved nodes');
    for (const one of fleet.processes) fleet.starve(one, 200, 3_000);
    expect(await fleet.moves(60_000)).to.equal(0);
    expect(fleet.ends).to.deep.equal([]);
  });
});
