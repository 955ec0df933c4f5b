import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ClosedLoop } from '../http/closed-loop.ts';
import { startChild } from '../processes/child.ts';
import { MEASURED_CORE, OTHER_CORE } from '../processes/cores.ts';
import { type ExchangeProcess, startExchange } from '../processes/exchange.ts';
import { type OwnDatabase, ownMongodb } from '../processes/mongodb.ts';
import { cpuMicros } from '../processes/resources.ts';
import { micros, type Row, skipped, times } from '../row.ts';
import { median } from '../statistics.ts';
import { adRequest, posted } from './documents.ts';
import { createMarket } from './market.ts';
import { warmUp } from './warm-up.ts';

const BIDDERS = 5;
const WORKERS = [1, 2, 4];
/** In flight at each edge: what a turn of its event loop handles together decides what an auction costs. */
const CONNECTIONS = 16;
/** For each edge: they share a core, and each compiles its own code. */
const WARM_UP_SECONDS = 8;
const WINDOW_SECONDS = 3;
const MOST = 1.15;

interface Measured {
  readonly exchange: ExchangeProcess;
  readonly database: OwnDatabase;
  readonly connections: number;
  readonly next: () => Buffer;
}

/**
 * CPU time per auction of EDGE_WORKERS edges and all that is beside them, against that of one process, on Redis and MongoDB.
 * All share one core, with so many auctions under way at each edge, so that what is compared is work and not its distribution.
 */
export async function workerRows(redisUrl: string | null, mongodbUrl: string | null, rounds: number): Promise<Row[]> {
  const what = (workers: number) => `CPU per auction with EDGE_WORKERS=${workers}, against one process`;
  if (!redisUrl || !mongodbUrl)
    return WORKERS.slice(1).map((workers) => skipped(what(workers), 'REDIS_URL and MONGODB_URL'));
  const bidding = startChild<{ ports: number[] }>(OTHER_CORE, 'auctions/bidders-process.js', { bidders: BIDDERS });
  const measured: Measured[] = [];
  try {
    const { ports } = await bidding.next();
    for (const workers of WORKERS) measured.push(await open(workers, ports, redisUrl, mongodbUrl));
    const costs: number[][] = measured.map(() => []);
    for (let round = 0; round < rounds; round++) {
      for (const [index, one] of measured.entries()) costs[index]!.push(await cost(one));
    }
    const [single, ...several] = costs;
    return several.map((own, index) => {
      const ratio = median(own.map((figure, round) => figure / single![round]!));
      return {
        what: what(WORKERS[index + 1]!),
        figure: micros(median(own)),
        floor: micros(median(single!)),
        ratio: times(ratio),
        target: `≤ ${times(MOST)}`,
        reached: ratio <= MOST,
      };
    });
  } finally {
    for (const { exchange, database } of measured) {
      await exchange.stop();
      await database.drop();
    }
    await bidding.stop();
  }
}

async function open(workers: number, ports: number[], redisUrl: string, mongodbUrl: string): Promise<Measured> {
  const database = ownMongodb(mongodbUrl);
  const exchange = await startExchange(MEASURED_CORE, {
    EDGE_WORKERS: String(workers),
    REDIS_URL: redisUrl,
    REDIS_PREFIX: `bench-${randomUUID()}`,
    MONGODB_URL: database.url,
    PARTITIONS: '8',
  });
  const publisherId = await createMarket(exchange, `Workers ${workers}`, ports);
  const next = posted('/rtb', adRequest(publisherId));
  const connections = CONNECTIONS * workers;
  const loop = await ClosedLoop.open(exchange.edgePort, connections);
  await warmUp(loop, next, connections, WARM_UP_SECONDS * workers);
  loop.close();
  return { exchange, database, connections, next };
}

/** Connections are new each time: one that waits for its turn is closed meanwhile. */
async function cost({ exchange, connections, next }: Measured): Promise<number> {
  const loop = await ClosedLoop.open(exchange.edgePort, connections);
  const pids = treeOf(exchange.pid);
  const used = () => pids.reduce((sum, pid) => sum + cpuMicros(pid), 0);
  const before = used();
  const { answered, empty } = await loop.run(WINDOW_SECONDS, next);
  const spent = used() - before;
  loop.close();
  if (empty > 0.01 * answered) throw new Error(`${empty} of ${answered} auctions sold nothing`);
  return spent / answered;
}

/** A process with all that it has started. */
function treeOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim();
  return [pid, ...children.split(' ').flatMap((child) => (child === '' ? [] : treeOf(Number(child))))];
}
