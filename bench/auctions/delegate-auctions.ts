import { ClosedLoop } from '../http/closed-loop.ts';
import { HttpConnection } from '../http/connection.ts';
import { openUnlimitedAccount } from '../management/unlimited-account.ts';
import { type Child, startChild } from '../processes/child.ts';
import { MEASURED_CORE } from '../processes/cores.ts';
import { startExchange } from '../processes/exchange.ts';
import { cpuMicros } from '../processes/resources.ts';
import { perSecond, type Row } from '../row.ts';
import { median } from '../statistics.ts';
import { openDelegateMarket } from './delegate-market.ts';
import { posted } from './documents.ts';

const IN_FLIGHT = 32;
/** Long: the exchange runs much more code than a route, and answers fewer while it is compiled. */
const WARM_UP_SECONDS = 10;
const WINDOW_SECONDS = 3;
const TO_REACH = 0.6;

/**
 * Auctions that only delegates take part in, of the whole program on one core, against a Koa route that parses the same requests
 * and answers the same bytes. Both are answers for each second of CPU time, so that what else the machine does counts for neither.
 */
export async function delegateAuctions(campaigns: number, rounds: number): Promise<Row> {
  const exchange = await startExchange(MEASURED_CORE, {}, openUnlimitedAccount);
  let floor: Child<{ port: number }> | null = null;
  try {
    const { documents } = await openDelegateMarket(exchange, campaigns);
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
      what: `auctions among ${campaigns.toLocaleString('en-US')} campaigns of delegates over HTTP, for a second of CPU`,
      figure: perSecond(median(rates.exchange)),
      floor: `${perSecond(median(rates.floor))} by a Koa route`,
      ratio: `${ratio.toFixed(2)} ×`,
      toReach: `≥ ${TO_REACH.toFixed(2)} ×`,
      reached: ratio >= TO_REACH,
    };
  } finally {
    await floor?.stop();
    await exchange.stop();
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
