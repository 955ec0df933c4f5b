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
/** Long enough for what is done each second and each few seconds to weigh as it does. */
const PACED_SECONDS = 10;
const MOST = 1.15;
/**
 * Of the auctions that one process answers in a second, each edge gets this share: together they leave a half of their
 * core free, so that each edge has as much to do as it would have on a core of its own.
 */
const SHARE_OF_SATURATION = 1 / 8;

/** CPU time of an auction, µs: of all processes, and what the edges among them took. */
interface Cost {
  readonly all: number;
  readonly edges: number;
}

interface Measured {
  /** Of as many auctions as the core takes. */
  readonly saturated: readonly Cost[];
  /** Of so many auctions at each edge. */
  readonly paced: readonly Cost[];
  /** What the core takes in a second. */
  readonly saturation: number;
}

/**
 * CPU time per auction of EDGE_WORKERS edges and all that is beside them, against that of one process, on Redis and
 * MongoDB. All share one core. Once each edge has the same rate of auctions as the one process; and once all have as
 * many as the core takes, where an edge among four holds a quarter of them, and what it does each second is divided
 * among fewer. One exchange runs at a time, since those at rest take their share of a core too; one process is measured
 * before and after.
 */
export async function workerRows(redisUrl: string | null, mongodbUrl: string | null, rounds: number): Promise<Row[]> {
  const what = (workers: number) => `CPU per auction with EDGE_WORKERS=${workers}, against one process`;
  if (!redisUrl || !mongodbUrl) return WORKERS.map((workers) => skipped(what(workers), 'REDIS_URL and MONGODB_URL'));
  const bidding = startChild<{ ports: number[] }>(OTHER_CORE, 'auctions/bidders-process.js', { bidders: BIDDERS });
  try {
    const { ports } = await bidding.next();
    const measured = async (workers: number, perEdge?: number) =>
      measure({ workers, ports, redisUrl, mongodbUrl, rounds }, perEdge);
    const before = await measured(1);
    const perEdge = before.saturation * SHARE_OF_SATURATION;
    const several: Measured[] = [];
    for (const workers of WORKERS) several.push(await measured(workers, perEdge));
    const after = await measured(1, perEdge);
    const rows = (which: 'paced' | 'saturated', load: string, most: number | null) => {
      const single = median([...before[which], ...after[which]].map(({ all }) => all));
      return several.map((costs, index): Row => {
        const all = median(costs[which].map((cost) => cost.all));
        return {
          what: `${what(WORKERS[index]!)}, ${load}`,
          figure: `${micros(all)} (the edges ${micros(median(costs[which].map(({ edges }) => edges)))})`,
          floor: micros(single),
          ratio: times(all / single),
          target: most === null ? 'report' : `≤ ${times(most)}`,
          reached: most === null ? null : all / single <= most,
        };
      });
    };
    return [
      ...rows('paced', `${Math.round(perEdge)}/s at each edge`, MOST),
      ...rows('saturated', 'as many as the core takes', null),
    ];
  } finally {
    await bidding.stop();
  }
}

interface Exchange {
  readonly workers: number;
  readonly ports: number[];
  readonly redisUrl: string;
  readonly mongodbUrl: string;
  readonly rounds: number;
}

/** @param perEdge auctions a second at each edge; by default the share of what one process has just answered */
async function measure(
  { workers, ports, redisUrl, mongodbUrl, rounds }: Exchange,
  perEdge?: number,
): Promise<Measured> {
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
    const saturated: Cost[] = [];
    const saturations: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const { cost, perSecond } = await costOf(exchange, loop, next, Infinity);
      saturated.push(cost);
      saturations.push(perSecond);
    }
    const saturation = median(saturations);
    const rate = workers * (perEdge ?? saturation * SHARE_OF_SATURATION);
    const paced: Cost[] = [];
    for (let round = 0; round < rounds; round++) paced.push((await costOf(exchange, loop, next, rate)).cost);
    loop.close();
    return { saturated, paced, saturation };
  } finally {
    await exchange.stop();
    await database.drop();
  }
}

/** A supervisor is the first of all processes, and that with the other roles the second. */
async function costOf(exchange: ExchangeProcess, loop: ClosedLoop, next: () => Buffer, rate: number) {
  const pids = treeOf(exchange.pid);
  const before = pids.map(cpuMicros);
  const lastsSeconds = rate === Infinity ? WINDOW_SECONDS : PACED_SECONDS;
  const { answered, empty, seconds } = await loop.run(lastsSeconds, next, Infinity, rate);
  const spent = pids.map((pid, at) => cpuMicros(pid) - before[at]!);
  if (empty > 0.01 * answered) throw new Error(`${empty} of ${answered} auctions sold nothing`);
  const perAuction = (of: readonly number[]) => of.reduce((sum, one) => sum + one, 0) / answered;
  const cost: Cost = { all: perAuction(spent), edges: perAuction(spent.slice(2)) };
  return { cost, perSecond: answered / seconds };
}

/** A process with all that it has started. */
function treeOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim();
  return [pid, ...children.split(' ').flatMap((child) => (child === '' ? [] : treeOf(Number(child))))];
}
