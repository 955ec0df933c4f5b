import { randomUUID } from 'node:crypto';
import { ApiClient } from '../http/api-client.ts';
import { startChild } from '../processes/child.ts';
import { OTHER_CORE } from '../processes/cores.ts';
import { type Deployment, startInOneProcess, startWithTwoEdges } from '../processes/deployment.ts';
import { ownMongodb } from '../processes/mongodb.ts';
import { failed, millis, type Row, skipped } from '../row.ts';
import { percentile } from '../statistics.ts';
import { measurePropagation, observableChanges } from './changes.ts';
import { createPropagationMarket } from './market.ts';
import { WatchedEdge } from './watched-edge.ts';

const TIMES = 100;
const TARGET_MS = 1_000;

/** Measures the time from the 200 of a change to the first auction that uses it, at each edge. */
export async function propagationRows(redisUrl: string | null, mongodbUrl: string | null): Promise<Row[]> {
  const rows = await rowsOf('embedded, one process', startInOneProcess);
  const name = 'Redis, two edges';
  if (!redisUrl || !mongodbUrl)
    return [...rows, skipped(`changes used by auctions, ${name}`, 'REDIS_URL and MONGODB_URL')];
  const mongodb = ownMongodb(mongodbUrl);
  const environment = { REDIS_URL: redisUrl, REDIS_PREFIX: `bench-${randomUUID()}`, MONGODB_URL: mongodb.url };
  try {
    return [...rows, ...(await rowsOf(name, () => startWithTwoEdges(environment)))];
  } catch (error) {
    return [...rows, failed(`changes used by auctions, ${name}`, error)];
  } finally {
    await mongodb.drop();
  }
}

async function rowsOf(name: string, start: () => Promise<Deployment>): Promise<Row[]> {
  const bidding = startChild<{ ports: number[] }>(OTHER_CORE, 'auctions/bidders-process.js', { bidders: 1 });
  let deployment: Deployment | null = null;
  try {
    const { ports } = await bidding.next();
    deployment = await start();
    const client = new ApiClient(deployment.management);
    const edges = await Promise.all(deployment.edges.map(({ edgePort }) => WatchedEdge.open(edgePort)));
    const market = await createPropagationMarket(client, ports[0]!);
    const rows: Row[] = [];
    for (const change of observableChanges(client, market)) {
      rows.push(row(`${change.name} used by an auction, ${name}, p99`, await measurePropagation(change, edges, TIMES)));
    }
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
