import { randomUUID } from 'node:crypto';
import { measured } from '../actors/measured.ts';
import { ApiClient } from '../http/api-client.ts';
import { MEASURED_CORE } from '../processes/cores.ts';
import { startExchange } from '../processes/exchange.ts';
import { ownMongodb } from '../processes/mongodb.ts';
import { failed, millis, type Row, skipped, times } from '../row.ts';
import { percentile } from '../statistics.ts';
import { CHANGES, changeSteadily, noTimes, type Times } from './changes.ts';
import { addSources, archiveSome, createMarketplace } from './inventory.ts';
import { readAllPages, readPools } from './lists.ts';
import { readMetrics } from './sold-metrics.ts';
import { createUnlimitedAccount } from './unlimited-account.ts';

const WARM_UP_SECONDS = 3;
const WINDOW_SECONDS = 5;
const SYNCS = 300;
/** The number of sources that sell; the account's metrics cover all its sources. */
const SELLING_SOURCES = 1_000;
/**
 * Small numbers: a server that speaks MongoDB's protocol without being MongoDB may scan all documents for each page.
 */
const ON_MONGODB = { sources: 200, changesPerSecond: 10, reads: 5, rounds: 1, judged: false };
const EMBEDDED = { sources: 10_000, changesPerSecond: 50, reads: 50, judged: true };
const CHANGE_TARGET_MS = 10;
const LIST_TARGET_MS = 30;

interface StorageSetup {
  readonly name: string;
  readonly environment: Record<string, string>;
  readonly sources: number;
  readonly changesPerSecond: number;
  /** Number of reads of the pools and the metrics. */
  readonly reads: number;
  readonly rounds: number;
  /** Whether the figures have a target. */
  readonly judged: boolean;
}

interface Measured {
  readonly changes: Times;
  readonly syncs: number[];
  readonly pages: number[];
  readonly activePages: number[];
  readonly pools: number[];
  readonly metrics: number[];
}

/**
 * Measures the management API of an exchange in a process of its own: changes at a fixed rate, then lists and reports.
 */
export async function managementRows(
  redisUrl: string | null,
  mongodbUrl: string | null,
  rounds: number,
): Promise<Row[]> {
  const rows = await rowsOf({ ...EMBEDDED, name: 'embedded pair', environment: {}, rounds });
  const name = 'Redis + MongoDB protocol';
  if (!redisUrl || !mongodbUrl) return [...rows, skipped(`management API, ${name}`, 'REDIS_URL and MONGODB_URL')];
  const mongodb = ownMongodb(mongodbUrl);
  const environment = { REDIS_URL: redisUrl, REDIS_PREFIX: `bench-${randomUUID()}`, MONGODB_URL: mongodb.url };
  try {
    return [...rows, ...(await rowsOf({ ...ON_MONGODB, name, environment }))];
  } catch (error) {
    return [...rows, failed(`management API, ${name}`, error)];
  } finally {
    await mongodb.drop();
  }
}

async function rowsOf(pair: StorageSetup): Promise<Row[]> {
  const { changes, syncs, pages, activePages, pools, metrics } = await measure(pair);
  const { name, sources, changesPerSecond } = pair;
  const syncMs = percentile(syncs, 0.99);
  const floor = `${millis(syncMs)} for a write and its sync (p50 ${millis(percentile(syncs, 0.5))})`;
  const changeRows = CHANGES.map((change) => {
    const what = `${change}, ${name}, ${changesPerSecond} changes/s, p99`;
    const row = rowOf(pair, what, changes[change], CHANGE_TARGET_MS);
    const ratio = times(percentile(changes[change], 0.99) / syncMs);
    return pair.judged ? { ...row, floor, ratio } : row;
  });
  const all = sources.toLocaleString('en-US');
  return [
    ...changeRows,
    rowOf(pair, `list of 200 out of ${all} supply sources, ${name}, p99`, pages, LIST_TARGET_MS),
    rowOf(pair, `the same with status=active`, activePages, LIST_TARGET_MS),
    rowOf(pair, `list of the pools of ${all} supply sources, ${name}, p99`, pools, LIST_TARGET_MS),
    rowOf({ ...pair, judged: false }, `metrics of an account with ${all} supply sources, ${name}, p99`, metrics, 0),
  ];
}

function rowOf({ judged }: StorageSetup, what: string, tookMs: readonly number[], targetMs: number): Row {
  const p99 = percentile(tookMs, 0.99);
  return {
    what,
    figure: `${millis(p99)} (p50 ${millis(percentile(tookMs, 0.5))})`,
    floor: '',
    ratio: '',
    target: judged ? `≤ ${targetMs} ms` : 'report',
    reached: judged ? p99 <= targetMs : null,
  };
}

async function measure({ environment, sources, changesPerSecond, reads, rounds }: StorageSetup): Promise<Measured> {
  const exchange = await startExchange(MEASURED_CORE, environment, createUnlimitedAccount);
  const client = new ApiClient(exchange);
  try {
    const inventory = await createMarketplace(client);
    await addSources(client, inventory, sources);
    const selling = inventory.sources.slice(0, SELLING_SOURCES);
    const metrics = await readMetrics(exchange, client, selling, reads);
    const archived = await archiveSome(client, inventory);
    const pages: number[] = [];
    const activePages: number[] = [];
    const pools: number[] = [];
    for (let round = 0; round < Math.ceil(rounds / 2); round++) {
      pages.push(...(await readAllPages(client, inventory, inventory.sources.length + archived)));
      activePages.push(...(await readAllPages(client, inventory, inventory.sources.length, 'active')));
      pools.push(...(await readPools(client, inventory, reads)));
    }
    await changeSteadily(client, inventory, changesPerSecond, WARM_UP_SECONDS);
    const changes = noTimes();
    const syncs: number[] = [];
    for (let round = 0; round < rounds; round++) {
      syncs.push(...(await measured<number[]>({ measure: 'syncs', syncs: SYNCS })));
      const window = await changeSteadily(client, inventory, changesPerSecond, WINDOW_SECONDS);
      for (const change of CHANGES) changes[change].push(...window[change]);
    }
    return { changes, syncs, pages, activePages, pools, metrics };
  } finally {
    client.close();
    await exchange.stop();
  }
}
