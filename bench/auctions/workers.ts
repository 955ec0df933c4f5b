import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ClosedLoop } from '../http/closed-loop.ts';
import { startChild } from '../processes/child.ts';
import { MEASURED_CORE, OTHER_CORE } from '../processes/cores.ts';
import { type ExchangeProcess, startExchange } from '../processes/exchange.ts';
import { ownMongodb } from '../processes/mongodb.ts';
import { cpuMicros } from '../processes/resources.ts';
import { micros, type Row, skipped, times } from '../row.ts';
import { median } from '../statistics.ts';
import { adRequest, posted } from './documents.ts';
import { createMarket } from './market.ts';
import { warmUp } from './warm-up.ts';

const BIDDERS = 5;
const WORKERS = [2, 4];
/** In flight at each edge: what a turn of its event loop handles together decides what an auction costs. */
const CONNECTIONS = 16;
/** For each edge: they share a core, and each compiles its own code. */
const WARM_UP_SECONDS = 20;
const WINDOW_SECONDS = 3;
const MOST = 1.15;

/** CPU time of an auction, µs: of all processes, and what the edges among them took. */
interface Cost {
  readonly all: number;
  readonly edges: number;
}

/**
 * CPU time per auction of EDGE_WORKERS edges and all that is beside them, against that of one process, on Redis and MongoDB.
 * All share one core, with so many auctions under way at each edge, so that what is compared is work and not its distribution.
 * One exchange runs at a time, since those at rest take their share of a core too; one process is measured before and after.
 */
export async function workerRows(redisUrl: string | null, mongodbUrl: string | null, rounds: number): Promise<Row[]> {
  const what = (workers: number) => `CPU per auction with EDGE_WORKERS=${workers}, against one process`;
  if (!redisUrl || !mongodbUrl) return WORKERS.map((workers) => skipped(what(workers), 'REDIS_URL and MONGODB_URL'));
  const bidding = startChild<{ ports: number[] }>(OTHER_CORE, 'auctions/bidders-process.js', { bidders: BIDDERS });
  try {
    const { ports } = await bidding.next();
    const measured = async (workers: number) => measure(workers, ports, redisUrl, mongodbUrl, rounds);
    const before = await measured(1);
    const several: Cost[][] = [];
    for (const workers of WORKERS) several.push(await measured(workers));
    const single = median([...before, ...(await measured(1))].map(({ all }) => all));
    return several.map((costs, index) => {
      const all = median(costs.map((cost) => cost.all));
      return {
        what: what(WORKERS[index]!),
        figure: `${micros(all)} (the edges ${micros(median(costs.map(({ edges }) => edges)))})`,
        floor: micros(single),
        ratio: times(all / single),
        target: `≤ ${times(MOST)}`,
        reached: all / single <= MOST,
      };
    });
  } finally {
    await bidding.stop();
  }
}

async function measure(
  workers: number,
  ports: number[],
  redisUrl: string,
  mongodbUrl: string,
  rounds: number,
): Promise<Cost[]> {
  const database = ownMongodb(mongodbUrl);
  const exchange = await startExchange(MEASURED_CORE, {
    EDGE_WORKERS: String(workers),
    REDIS_URL: redisUrl,
    REDIS_PREFIX: `bench-${randomUUID()}`,
    MONGODB_URL: database.url,
    PARTITIONS: '8',
  });
  try {
    const publisherId = await createMarket(exchange, `Workers ${workers}`, ports);
    const next = posted('/rtb', adRequest(publisherId));
    const connections = CONNECTIONS * workers;
    const loop = await ClosedLoop.open(exchange.edgePort, connections);
    await warmUp(loop, next, connections, WARM_UP_SECONDS * workers);
    const costs: Cost[] = [];
    for (let round = 0; round < rounds; round++) costs.push(await costOf(exchange, loop, next));
    loop.close();
    return costs;
  } finally {
    await exchange.stop();
    await database.drop();
  }
}

/** A supervisor is the first of all processes, and that with the other roles the second. */
async function costOf(exchange: ExchangeProcess, loop: ClosedLoop, next: () => Buffer): Promise<Cost> {
  const pids = treeOf(exchange.pid);
  const before = pids.map(cpuMicros);
  const { answered, empty } = await loop.run(WINDOW_SECONDS, next);
  const spent = pids.map((pid, at) => cpuMicros(pid) - before[at]!);
  if (empty > 0.01 * answered) throw new Error(`${empty} of ${answered} auctions sold nothing`);
  const perAuction = (of: readonly number[]) => of.reduce((sum, one) => sum + one, 0) / answered;
  return { all: perAuction(spent), edges: perAuction(spent.slice(2)) };
}

/** A process with all that it has started. */
function treeOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim();
  return [pid, ...children.split(' ').flatMap((child) => (child === '' ? [] : treeOf(Number(child))))];
}
