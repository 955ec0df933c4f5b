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
const WARM_UP_SECONDS = 10;
const WINDOW_SECONDS = 3;
const TARGET_RATIO = 0.6;

/** Rows for the whole program in one process, and for a separate edge. */
export async function delegateRows(redisUrl: string | null, mongodbUrl: string | null, rounds: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const campaigns of [1_000, 100_000]) {
    rows.push(await delegateAuctions('all in one process', await startInOneProcess(), campaigns, rounds));
  }
  const where = 'an edge by itself, Redis';
  if (!redisUrl || !mongodbUrl) {
    return [...rows, skipped(`auctions among campaigns of delegates, ${where}`, 'REDIS_URL and MONGODB_URL')];
  }
  const mongodb = ownMongodb(mongodbUrl);
  try {
    const environment = { REDIS_URL: redisUrl, REDIS_PREFIX: `bench-${randomUUID()}`, MONGODB_URL: mongodb.url };
    rows.push(await delegateAuctions(where, await startWithOneEdge(environment), 1_000, rounds));
  } catch (error) {
    rows.push(failed(`auctions among campaigns of delegates, ${where}`, error));
  } finally {
    await mongodb.drop();
  }
  return rows;
}

/**
 * Auctions in which only delegates take part, on one core, against a Koa route that parses the same requests and
 * answers the same bytes. Both figures are responses per second of CPU time, so that other work of the machine counts
 * for neither.
 */
async function delegateAuctions(
  where: string,
  deployment: Deployment,
  campaigns: number,
  rounds: number,
): Promise<Row> {
  const [exchange] = deployment.edges as [Deployment['edges'][number]];
  let floor: Child<{ port: number }> | null = null;
  try {
    const { documents } = await createDelegateMarket(deployment, campaigns);
    const requests = documents.map((document) => posted('/rtb', document));
    let turn = 0;
    const next = () => requests[turn++ % requests.length]!();
    const answer = await oneAnswer(exchange.edgePort, next());
    floor = startChild(MEASURED_CORE, 'auctions/koa-floor-process.js', { answer });
    const { port } = await floor.next();
    const loops = {
      exchange: { pid: exchange.pid, loop: await ClosedLoop.open(exchange.edgePort, IN_FLIGHT) },
      floor: { pid: floor.pid, loop: await ClosedLoop.open(port, IN_FLIGHT) },
    };
    for (const { loop } of Object.values(loops)) await loop.run(WARM_UP_SECONDS, next);
    const rates = { exchange: [] as number[], floor: [] as number[], ratio: [] as number[] };
    for (let round = 0; round < rounds; round += 1) {
      const bare = await rateOf(loops.floor, next);
      const whole = await rateOf(loops.exchange, next);
      rates.floor.push(bare);
      rates.exchange.push(whole);
      rates.ratio.push(whole / bare);
    }
    for (const { loop } of Object.values(loops)) loop.close();
    const ratio = median(rates.ratio);
    return {
      what: `auctions among ${campaigns.toLocaleString('en-US')} campaigns of delegates over HTTP, for a second of CPU, ${where}`,
      figure: perSecond(median(rates.exchange)),
      floor: `${perSecond(median(rates.floor))} by a Koa route`,
      ratio: `${ratio.toFixed(2)} ×`,
      target: `≥ ${TARGET_RATIO.toFixed(2)} ×`,
      reached: ratio >= TARGET_RATIO,
    };
  } finally {
    await floor?.stop();
    await deployment.stop();
  }
}

async function rateOf({ pid, loop }: { pid: number; loop: ClosedLoop }, next: () => Buffer): Promise<number> {
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
