import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cpuMicros, residentBytes } from '#bench/processes/resources';
import { actorKinds } from '#composition/actor-kinds';
import type { Logger } from '#runtime/actor/logger';
import { type ActorNode, createNode } from '#runtime/node/node';
import type { Tuning } from '#runtime/node/tuning';
import { withUpgradedStates } from '#runtime/node/with-upgraded-states';
import type { LogProvider } from '#runtime/ports/log-provider';
import type { StateStore } from '#runtime/ports/store';
import { openRedisLog } from '#runtime/providers/redis/open-redis-log';
import { systemClock } from '#runtime/providers/system/system-clock';
import { systemRandom } from '#runtime/providers/system/system-random';
import { eventually } from '../../support/eventually.ts';
import { startRedisServer } from '../../support/redis-server.ts';
import type { ActorNodeOptions, NodeReport } from './actor-node-process.ts';
import { LogClock } from './log-clock.ts';
import { openServedStore } from './served-store.ts';

const PREFIX = 'month';
const OWNED_WITHIN_MS = 90_000;
/** Where partitions have no owners, the last lines of each process are shown. */
const LINES_SHOWN = 20;

export interface MonthEndOptions {
  readonly folder: string;
  readonly partitions: number;
  readonly nodes: number;
  readonly tuning: Partial<Tuning>;
  say(line: string): void;
}

/** CPU time and memory of a process, as they were when it was last looked at. */
export interface ProcessUse {
  readonly name: string;
  cpuSeconds: number;
  mostBytes: number;
}

/** A process that hosts actors, which can be killed. */
class NodeProcess {
  readonly name: string;
  readonly use: ProcessUse;
  readonly lines: string[] = [];
  owned: readonly number[] = [];
  readonly #child: ChildProcess;
  #killed = false;

  constructor(options: ActorNodeOptions) {
    this.name = options.name;
    this.#child = forked('actor-node-process.js', JSON.stringify(options));
    this.use = { name: this.name, cpuSeconds: 0, mostBytes: 0 };
    this.#child.on('message', (report: NodeReport) => {
      if ('owned' in report) this.owned = report.owned;
      else this.lines.push(report.line);
    });
    this.#child.once('exit', () => {
      this.owned = [];
    });
  }

  get lives(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Whether it ended without having been killed. */
  get endedByItself(): boolean {
    return !this.lives && !this.#killed;
  }

  look(): void {
    if (this.lives) lookAt(this.#child.pid!, this.use);
  }

  async kill(): Promise<void> {
    if (!this.lives) return;
    this.look();
    this.#killed = true;
    const exit = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exit;
  }
}

/** Several processes with actors over one Redis and one store, and the parts that a scheduler and edges need. */
export class MonthEndExchange {
  readonly nodes: NodeProcess[] = [];
  readonly uses: ProcessUse[] = [];
  readonly log: LogProvider;
  readonly clock: LogClock;
  /** As jobs and the audit read it. */
  readonly store: StateStore;
  /** That of edges and of the scheduler: it hosts no actors. */
  readonly sender: ActorNode;
  readonly logger: Logger;
  readonly problems: string[] = [];
  readonly #options: MonthEndOptions;
  readonly #redisUrl: string;
  readonly #storePort: number;

  static async start(
    options: MonthEndOptions,
    atEnd: (close: () => Promise<unknown>) => void,
  ): Promise<MonthEndExchange> {
    const redis = await startRedisServer();
    atEnd(() => redis.remove());
    const folder = join(options.folder, 'store');
    await mkdir(folder, { recursive: true });
    const database = forked('store-process.js', folder);
    atEnd(async () => {
      const exit = once(database, 'exit');
      database.disconnect();
      await exit;
    });
    const [storePort] = (await once(database, 'message')) as [number];
    const log = await openRedisLog({ url: redis.url, prefix: PREFIX, partitions: options.partitions });
    atEnd(() => log.close());
    const store = await openServedStore(storePort);
    atEnd(() => store.close());
    const exchange = new MonthEndExchange(options, { redisUrl: redis.url, storePort, log, store });
    atEnd(async () => exchange.clock.close());
    atEnd(() => exchange.sender.stop());
    atEnd(() => Promise.all(exchange.nodes.map((node) => node.kill())));
    const databaseUse: ProcessUse = { name: 'store', cpuSeconds: 0, mostBytes: 0 };
    exchange.uses.push(databaseUse);
    const looking = setInterval(() => {
      for (const node of exchange.nodes) node.look();
      if (database.exitCode === null) lookAt(database.pid!, databaseUse);
    }, 1_000);
    atEnd(async () => clearInterval(looking));
    await exchange.sender.start();
    return exchange;
  }

  private constructor(
    options: MonthEndOptions,
    at: { redisUrl: string; storePort: number; log: LogProvider; store: StateStore },
  ) {
    this.#options = options;
    this.#redisUrl = at.redisUrl;
    this.#storePort = at.storePort;
    this.log = at.log;
    this.clock = new LogClock(at.log, at.redisUrl, PREFIX);
    this.store = withUpgradedStates(at.store, actorKinds);
    const note = (level: string) => (fields: object, message: string) => {
      this.problems.push(`${level}: ${message} ${JSON.stringify(fields, withErrors)}`);
    };
    this.logger = { debug: () => {}, info: () => {}, warn: note('warn'), error: note('error') };
    this.sender = createNode({
      name: 'sender',
      provider: at.log,
      store: at.store,
      clock: systemClock,
      random: systemRandom,
      definitions: actorKinds,
      hostsActors: false,
      replicates: [],
      logger: this.logger,
    });
  }

  get living(): NodeProcess[] {
    return this.nodes.filter(({ lives }) => lives);
  }

  async startNodes(): Promise<void> {
    for (let number = 1; number <= this.#options.nodes; number++) this.startNode();
    await this.partitionsOwned();
  }

  startNode(): NodeProcess {
    const { partitions, tuning } = this.#options;
    const name = `actors-${this.nodes.length + 1}`;
    const node = new NodeProcess({
      ...{ name, partitions, tuning, prefix: PREFIX },
      ...{ redisUrl: this.#redisUrl, storePort: this.#storePort },
    });
    this.nodes.push(node);
    this.uses.push(node.use);
    return node;
  }

  /** Resolves when each partition is owned by a process that lives, and each of these owns some. */
  async partitionsOwned(): Promise<void> {
    const { partitions } = this.#options;
    const allOwned = () => {
      const owned = new Set(this.living.flatMap((node) => node.owned));
      return owned.size === partitions && this.living.every((node) => node.owned.length > 0);
    };
    await eventually('all partitions to be owned', allOwned, { timeoutMs: OWNED_WITHIN_MS }).catch((error) => {
      for (const { name, owned, lines } of this.living) {
        this.#options.say(`${name} owns ${owned.join() || 'none'}; the last that it said:`);
        for (const line of lines.slice(-LINES_SHOWN)) this.#options.say(`  ${line}`);
      }
      throw error;
    });
  }

  /** kill −9 of the process that has most partitions. Resolves with the ms until the others own all of them. */
  async killBusiest(why: string): Promise<number> {
    const [busiest] = this.living.sort((a, b) => b.owned.length - a.owned.length);
    const had = busiest!.owned.length;
    const sinceMs = performance.now();
    await busiest!.kill();
    this.#options.say(`${busiest!.name} is killed with ${had} partitions: ${why}`);
    await this.partitionsOwned();
    const tookMs = performance.now() - sinceMs;
    this.#options.say(`its partitions have owners after ${(tookMs / 1_000).toFixed(1)} s`);
    return tookMs;
  }
}

function forked(program: string, argument: string): ChildProcess {
  const path = fileURLToPath(new URL(`./${program}`, import.meta.url));
  return fork(path, [argument], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
}

function lookAt(pid: number, use: ProcessUse): void {
  try {
    use.cpuSeconds = cpuMicros(pid) / 1e6;
    use.mostBytes = Math.max(use.mostBytes, residentBytes(pid));
  } catch {
    // It has just ended.
  }
}

function withErrors(_: string, value: unknown): unknown {
  return value instanceof Error ? value.message : value;
}
