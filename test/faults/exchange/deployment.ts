import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { bids, type ScriptedBidder, startBidder } from '../../support/bidder.ts';
import { eventually } from '../../support/eventually.ts';
import { callJson } from '../../support/exchange.ts';
import { freePort } from '../../support/free-port.ts';
import { type MongodbProxy, openMongodbProxy } from '../mongodb-proxy.ts';
import { partitionsOr } from '../partitions.ts';
import { ExchangeProcess } from './exchange-process.ts';

export const PARTITIONS = partitionsOr(8);
const READY_WITHIN_MS = 90_000;
const CALL_WITHIN_MS = 20_000;
/** Four processes that write × statements of a batch stay below the 100 connections of a server of the tests' kind. */
const POOL_SIZE = 2;
const WRITE_BATCH = '8';

export interface DeploymentOptions {
  /** For logs, spools and archives. */
  readonly folder: string;
  readonly mongodbUrl: string;
  /** REDIS_URL and whatever else is set. */
  readonly settings: Readonly<Record<string, string>>;
  readonly actors?: number;
  readonly edges?: number;
  /** For each edge, what is set for it alone; there are as many edges as these. */
  readonly edgeSettings?: readonly Readonly<Record<string, string>>[];
  /** The number of sources that are there to be changed; default 8. */
  readonly changedSources?: number;
  /** Whether feeds get too long to be read by the API on the server of the tests. */
  readonly hasLongFeeds?: boolean;
  /** The wall clock of all processes; default: that of the machine. */
  readonly nowMs?: () => number;
  /** The program of all processes; default: that of this revision. */
  readonly program?: string;
}

/** An exchange of several processes, each with a way of its own to the store, with sources on both sides. */
export class Deployment {
  readonly actors: ExchangeProcess[] = [];
  /** The store of each process with actors, in the same order. */
  readonly stores: MongodbProxy[] = [];
  readonly edges: ExchangeProcess[] = [];
  readonly publishers: string[] = [];
  readonly dsps: string[] = [];
  /** Those that are there to be changed. */
  readonly changedSources: string[] = [];
  readonly folder: string;
  readonly mongodb: string;
  readonly #key = `pk_live_${randomUUID()}`;
  readonly #options: DeploymentOptions;
  readonly #shared: Record<string, string>;
  readonly #bidders: ScriptedBidder[] = [];
  #management!: ExchangeProcess;

  static async start(options: DeploymentOptions): Promise<Deployment> {
    const deployment = new Deployment(options);
    try {
      await deployment.#start();
      await deployment.#createSources();
    } catch (error) {
      process.stderr.write(deployment.output);
      await deployment.end();
      throw error;
    }
    return deployment;
  }

  private constructor(options: DeploymentOptions) {
    this.#options = options;
    this.folder = options.folder;
    const mongodb = new URL(options.mongodbUrl);
    mongodb.pathname = `/faults_${randomUUID().replaceAll('-', '').slice(0, 16)}`;
    this.mongodb = mongodb.href;
    this.#shared = {
      MONGODB_WRITE_BATCH: WRITE_BATCH,
      SECRET_KEY: randomUUID(),
      PARTITIONS: String(PARTITIONS),
      ALLOW_PRIVATE_NETWORKS: 'true',
      BOOTSTRAP_API_KEY: this.#key,
      MAX_REQUESTS_PER_SECOND_PER_ADDRESS: '0',
      MAX_REQUESTS_PER_SECOND_PER_DEVICE: '0',
      REGION: 'fra',
      DASHBOARD: 'off',
      LOG_LEVEL: 'info',
      ...options.settings,
    };
  }

  get hasLongFeeds(): boolean {
    return this.#options.hasLongFeeds ?? false;
  }

  /** ms since the epoch, by the clock of its processes. */
  nowMs(): number {
    return this.#options.nowMs?.() ?? Date.now();
  }

  get processes(): ExchangeProcess[] {
    return [...this.actors, this.#management, ...this.edges].filter((one) => one !== undefined);
  }

  get edgeUrls(): string[] {
    return this.edges.map(({ environment }) => `http://127.0.0.1:${environment.EDGE_PORT}`);
  }

  get management(): ExchangeProcess {
    return this.#management;
  }

  /** What all processes have written. */
  get output(): string {
    return this.processes.map(({ output }) => output).join('\n');
  }

  /** Into a file for each process. */
  async keepOutput(folder: string): Promise<void> {
    await mkdir(folder, { recursive: true });
    for (const { name, output } of this.processes) await writeFile(join(folder, `${name}.log`), output);
  }

  /** The management API, with the key of the exchange's own account. Rejects when there is no answer in time. */
  call(method: string, path: string, body?: object, withinMs = CALL_WITHIN_MS): ReturnType<typeof callJson> {
    const url = `http://127.0.0.1:${this.#management.environment.PORT}${path}`;
    return callJson(method, url, body, { 'X-API-Key': this.#key }, AbortSignal.timeout(withinMs));
  }

  /** The sum of a metric over these processes, or all, and all labels. */
  async metric(name: string, processes = this.processes): Promise<number> {
    const values = await Promise.all(processes.map((one) => metricOf(one, name)));
    return values.reduce((sum, value) => sum + value, 0);
  }

  /** Partitions that each process with actors owns, in the order of `actors`. */
  owned(): Promise<number[]> {
    return Promise.all(this.actors.map((one) => metricOf(one, 'actor_partitions_owned')));
  }

  /** Resolves when each partition has an owner, and each process with actors owns some. */
  async partitionsShared(): Promise<void> {
    const shared = async () => {
      const owned = await this.owned();
      return owned.every((count) => count > 0) && owned.reduce((sum, count) => sum + count, 0) === PARTITIONS;
    };
    await eventually('the partitions to be shared', shared, { timeoutMs: READY_WITHIN_MS, everyMs: 100 });
  }

  /** kill −9 of all processes. */
  async stopAll(): Promise<void> {
    await Promise.all(this.processes.map((one) => one.kill()));
  }

  /** Starts all processes, with these settings as well. */
  async startAll(settings: Readonly<Record<string, string>> = {}): Promise<void> {
    for (const one of this.processes) Object.assign(one.environment, settings);
    await Promise.all(this.actors.map((one) => one.start()));
    await this.#management.start();
    await Promise.all(this.edges.map((one) => one.start()));
  }

  async end(): Promise<void> {
    await Promise.all(this.processes.map((one) => one.end()));
    await Promise.all([...this.#bidders, ...this.stores].map((one) => one.close()));
    const client = await new MongoClient(this.mongodb).connect();
    await client.db(new URL(this.mongodb).pathname.slice(1)).dropDatabase();
    await client.close();
  }

  async #start(): Promise<void> {
    const { actors = 2, edges = 2, edgeSettings = Array.from({ length: edges }, () => ({})) } = this.#options;
    for (let number = 1; number <= actors; number++)
      this.actors.push(await this.#process(`actors-${number}`, 'actors'));
    this.#management = await this.#process('management', 'management,scheduler');
    for (const [index, settings] of edgeSettings.entries())
      this.edges.push(await this.#process(`edge-${index + 1}`, 'edge', settings));
    await this.startAll();
  }

  async #process(
    name: string,
    roles: string,
    settings: Readonly<Record<string, string>> = {},
  ): Promise<ExchangeProcess> {
    const [port, edgePort, opsPort] = [await freePort(), await freePort(), await freePort()];
    const store = await openMongodbProxy(this.mongodb, POOL_SIZE);
    this.stores.push(store);
    const environment = {
      ...this.#shared,
      MONGODB_URL: store.url,
      ROLES: roles,
      PORT: String(port),
      EDGE_PORT: String(edgePort),
      OPS_PORT: String(opsPort),
      PUBLIC_EDGE_URL: `http://127.0.0.1:${edgePort}`,
      DATA_DIR: join(this.folder, name),
      ...settings,
    };
    const started = new ExchangeProcess(name, environment, READY_WITHIN_MS);
    started.program = this.#options.program ?? started.program;
    return started;
  }

  async #createSources(): Promise<void> {
    const create = async (path: string, body?: object): Promise<string> => {
      const answer = await this.call('POST', path, body);
      if (answer.status > 201) throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body.id;
    };
    const { body: own } = await this.call('GET', '/api/account');
    await this.call('PUT', `/api/accounts/${own.id}`, { requests_per_minute: 100_000 });
    const pool = await create('/api/supply/pools', { name: 'Pool' });
    const source = (name: string) => ({ name, domain: 'site.test', type: 'web', pool_id: pool });
    for (const name of ['First', 'Second']) this.publishers.push(await create('/api/supply/sources', source(name)));
    const { changedSources = 8 } = this.#options;
    for (let number = 0; number < changedSources; number++) {
      this.changedSources.push(await create('/api/supply/sources', source(`Changed ${number}`)));
    }
    let cents = 0;
    for (const name of ['Buyer', 'Rival']) {
      const price = () => 1 + (cents++ % 97) / 100;
      const bidder = await startBidder((received, response) => bids({ price: price() })(received, response));
      this.#bidders.push(bidder);
      const dsp = await create('/api/demand/sources', { name, mode: 'rtb', endpoint_url: bidder.url });
      await create(`/api/demand/sources/${dsp}/pools/${pool}`);
      this.dsps.push(dsp);
    }
  }
}

/** 0 of a process that does not answer. */
async function metricOf({ environment }: ExchangeProcess, name: string): Promise<number> {
  const line = new RegExp(`^${name}(?:\\{.*?\\})? (\\S+)$`, 'gm');
  const answer = await callJson('GET', `http://127.0.0.1:${environment.OPS_PORT}/metrics`).catch(() => null);
  return [...String(answer?.body ?? '').matchAll(line)].reduce((sum, [, value]) => sum + Number(value), 0);
}
