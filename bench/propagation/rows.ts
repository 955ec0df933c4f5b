import { randomUUID } from 'node:crypto';
import { ApiClient } from '../http/api-client.ts';
import { startChild } from '../processes/child.ts';
import { OTHER_CORE } from '../processes/cores.ts';
import { type Deployment, startInOneProcess, startWithTwoEdges } from '../processes/deployment.ts';
import { ownMongodb } from '../processes/mongodb.ts';
import { failed, millis, type Row, skipped } from '../row.ts';
import { percentile } from '../statistics.ts';
import { measurePropagation, type ObservableChange, observableChanges } from './changes.ts';
import { DISTANCES_MS, startWithFarEdges } from './far-edges.ts';
import { createPropagationMarket } from './market.ts';
import { WatchedEdge } from './watched-edge.ts';

const TIMES = 100;
/** The change that the specification bounds for all regions: 30 s. */
const FAR_CHANGE = 'strategy';
const TARGET_MS = 1_000;

/** Measures the time from the 200 of a change to the first auction that uses it, at each edge. */
export async function propagationRows(redisUrl: string | null, mongodbUrl: string | null): Promise<Row[]> {
  const rows = await rowsOf('embedded, one process', startInOneProcess);
  const divided: readonly (readonly [name: string, (environment: Environment) => Promise<Row[]>])[] = [
    ['Redis, two edges', (environment) => rowsOf('Redis, two edges', () => startWithTwoEdges(environment))],
    ['far edges', farRows],
  ];
  for (const [name, measure] of divided) {
    const what = `changes used by auctions, ${name}`;
    if (!redisUrl || !mongodbUrl) rows.push(skipped(what, 'REDIS_URL and MONGODB_URL'));
    else rows.push(...(await onOwnServers(redisUrl, mongodbUrl, measure).catch((error) => [failed(what, error)])));
  }
  return rows;
}

type Environment = Parameters<typeof startWithFarEdges>[0];

/** Measures with keys and a database that nothing else uses. */
async function onOwnServers(
  redisUrl: string,
  mongodbUrl: string,
  measure: (environment: Environment) => Promise<Row[]>,
): Promise<Row[]> {
  const mongodb = ownMongodb(mongodbUrl);
  try {
    return await measure({ REDIS_URL: redisUrl, REDIS_PREFIX: `bench-${randomUUID()}`, MONGODB_URL: mongodb.url });
  } finally {
    await mongodb.drop();
  }
}

function rowsOf(name: string, start: () => Promise<Deployment>): Promise<Row[]> {
  return withMarket(start, async (changes, edges) => {
    const rows: Row[] = [];
    for (const change of changes) {
      const tookMs = await measurePropagation(change, edges, TIMES);
      rows.push(row(`${change.name} used by an auction, ${name}, p99`, tookMs.flat()));
    }
    return rows;
  });
}

/** Of edges across an ocean, which read the catalogue from home's Redis. */
function farRows(environment: Environment): Promise<Row[]> {
  return withMarket(
    () => startWithFarEdges(environment),
    async (changes, edges) => {
      const change = changes.find(({ name }) => name === FAR_CHANGE)!;
      const tookMs = await measurePropagation(change, edges, TIMES);
      return tookMs.map((ofEdge, at) =>
        row(`${change.name} used by an auction, edge ${DISTANCES_MS[at]} ms from home each way, p99`, ofEdge),
      );
    },
  );
}

async function withMarket(
  start: () => Promise<Deployment>,
  measure: (changes: readonly ObservableChange[], edges: readonly WatchedEdge[]) => Promise<Row[]>,
): Promise<Row[]> {
  const bidding = startChild<{ ports: number[] }>(OTHER_CORE, 'auctions/bidders-process.js', { bidders: 1 });
  let deployment: Deployment | null = null;
  try {
    const { ports } = await bidding.next();
    deployment = await start();
    const client = new ApiClient(deployment.management);
    const edges = await Promise.all(deployment.edges.map(({ edgePort }) => WatchedEdge.open(edgePort)));
    const market = await createPropagationMarket(client, ports[0]!);
    const rows = await measure(observableChanges(client, market), edges);
    for (const edge of edges) edge.close();
    client.close();
    return rows;
  } finally {
    await deployment?.stop();
    await bidding.stop();
  }
}

function row(what: string, tookMs: readonly number[]): Row {
  const p99 = percentile(tookMs, 0.99);
  const detail = `p50 ${millis(percentile(tookMs, 0.5))}, max ${millis(Math.max(...tookMs))}, ${tookMs.length} seen`;
  return {
    what,
    figure: `${millis(p99)} (${detail})`,
    floor: '',
    ratio: '',
    target: `≤ ${TARGET_MS} ms`,
    reached: p99 <= TARGET_MS,
  };
}
