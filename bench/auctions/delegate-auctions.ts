import { randomUUID } from 'node:crypto';
import { ClosedLoop } from '../http/closed-loop.ts';
import { HttpConnection } from '../http/connection.ts';
import { type Child, startChild } from '../processes/child.ts';
import { MEASURED_CORE } from '../processes/cores.ts';
import { type Deployment, startInOneProcess, startWithOneEdge } from '../processes/deployment.ts';
import { ownMongodb } from '../processes/mongodb.ts';
import { cpuMicros } from '../processes/resources.ts';
import { failed, perSecond, type Row, skipped } from '../row.ts';
import { median } from '../statistics.ts';
import { createDelegateMarket } from './delegate-market.ts';
import { posted } from './documents.ts';

const IN_FLIGHT = 32;
/** The warm-up is long because the exchange runs much more code than a route, and is slower while it is compiled. */
const WARM_UP_SECONDS = 20;
const WINDOW_SECONDS = 3;

interface Floor {
  readonly name: string;
  readonly path: string;
  /** The least share of its rate that auctions must reach, by campaigns. */
  readonly least: Readonly<Record<number, number>>;
}

const FLOORS: readonly Floor[] = [
  { name: 'a Koa route', path: 'auctions/koa-floor-process.js', least: { 1000: 0.38, 100000: 0.25 } },
  { name: 'a bare node:http route', path: 'auctions/bare-floor-process.js', least: { 1000: 0.27 } },
];

/** Rows for the whole program in one process, and for a separate edge. */
export async function delegateRows(redisUrl: string | null, mongodbUrl: string | null, rounds: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const campaigns of [1_000, 100_000]) {
    rows.push(...(await delegateAuctions('all in one process', await startInOneProcess(), campaigns, rounds)));
  }
  const where = 'an edge by itself, Redis';
  if (!redisUrl || !mongodbUrl) {
    return [...rows, skipped(`auctions among campaigns of delegates, ${where}`, 'REDIS_URL and MONGODB_URL')];
  }
  const mongodb = ownMongodb(mongodbUrl);
  try {
    const environment = { REDIS_URL: redisUrl, REDIS_PREFIX: `bench-${randomUUID()}`, MONGODB_URL: mongodb.url };
    rows.push(...(await delegateAuctions(where, await startWithOneEdge(environment), 1_000, rounds)));
  } catch (error) {
    rows.push(failed(`auctions among campaigns of delegates, ${where}`, error));
  } finally {
    await mongodb.drop();
  }
  return rows;
}

/**
 * Auctions in which only delegates take part, on one core, against routes that parse the same requests and answer the
 * same bytes, one row for each. All figures are responses per second of CPU time, so that other work of the machine
 * counts for none.
 */
async function delegateAuctions(
  where: string,
  deployment: Deployment,
  campaigns: number,
  rounds: number,
): Promise<Row[]> {
  const [exchange] = deployment.edges as [Deployment['edges'][number]];
  const children: Child<{ port: number }>[] = [];
  try {
    const { documents } = await createDelegateMarket(deployment, campaigns);
    const requests = documents.map((document) => posted('/rtb', document));
    let turn = 0;
    const next = () => requests[turn++ % requests.length]!();
    const answer = await oneAnswer(exchange.edgePort, next());
    const auctions = { pid: exchange.pid, loop: await ClosedLoop.open(exchange.edgePort, IN_FLIGHT) };
    const floors: (Floor & Loop & { readonly rates: number[]; readonly ratios: number[] })[] = [];
    for (const floor of FLOORS) {
      if (floor.least[campaigns] === undefined) continue;
      const child = startChild<{ port: number }>(MEASURED_CORE, floor.path, { answer });
      children.push(child);
      const { port } = await child.next();
      floors.push({ ...floor, pid: child.pid, loop: await ClosedLoop.open(port, IN_FLIGHT), rates: [], ratios: [] });
    }
    const all = [auctions, ...floors];
    for (const { loop } of all) await loop.run(WARM_UP_SECONDS, next);
    const rates: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      for (const floor of floors) floor.rates.push(await rateOf(floor, next));
      const rate = await rateOf(auctions, next);
      rates.push(rate);
      for (const floor of floors) floor.ratios.push(rate / floor.rates.at(-1)!);
    }
    for (const { loop } of all) loop.close();
    return floors.map(({ name, least, rates: bare, ratios }) => {
      const [ratio, target] = [median(ratios), least[campaigns]!];
      return {
        what: `auctions among ${campaigns.toLocaleString('en-US')} campaigns of delegates over HTTP, for a second of CPU, ${where}`,
        figure: perSecond(median(rates)),
        floor: `${perSecond(median(bare))} by ${name}`,
        ratio: `${ratio.toFixed(2)} ×`,
        target: `≥ ${target.toFixed(2)} ×`,
        reached: ratio >= target,
      };
    });
  } finally {
    for (const child of children) await child.stop();
    await deployment.stop();
  }
}

interface Loop {
  readonly pid: number;
  readonly loop: ClosedLoop;
}

async function rateOf({ pid, loop }: Loop, next: () => Buffer): Promise<number> {
  const before = cpuMicros(pid);
  const { answered, empty } = await loop.run(WINDOW_SECONDS, next);
  if (empty > 0) throw new Error(`${empty} of ${answered} auctions sold nothing`);
  return (answered * 1_000_000) / (cpuMicros(pid) - before);
}

async function oneAnswer(port: number, request: Buffer): Promise<string> {
  const connection = await HttpConnection.open(port);
  try {
    const { status, body } = await connection.ask(request);
    if (status !== 200) throw new Error(`an auction was answered ${status}`);
    return body.toString();
  } finally {
    connection.close();
  }
}
