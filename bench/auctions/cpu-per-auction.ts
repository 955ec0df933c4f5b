import { ClosedLoop } from '../http/closed-loop.ts';
import { type Child, startChild } from '../processes/child.ts';
import { MEASURED_CORE, OTHER_CORE } from '../processes/cores.ts';
import { type ExchangeProcess, startExchange } from '../processes/exchange.ts';
import { cpuMicros } from '../processes/resources.ts';
import { micros, type Row, times } from '../row.ts';
import { median } from '../statistics.ts';
import { adRequest, posted } from './documents.ts';
import { createMarket } from './market.ts';
import { warmUp } from './warm-up.ts';

const IN_FLIGHT = 32;
const WARM_UP_SECONDS = 4;
const WINDOW_SECONDS = 3;
const TOLERATED = 0.01;

interface Target {
  readonly pid: number;
  readonly loop: ClosedLoop;
  readonly next: () => Buffer;
}

/** CPU time per answered auction of the whole program, against that of a bare fan-out; bidders answer at once. */
export async function cpuPerAuction(bidders: number, targetRatio: number, rounds: number): Promise<Row> {
  const bidding = startChild<{ ports: number[]; requests: number }>(OTHER_CORE, 'auctions/bidders-process.js', {
    bidders,
  });
  let floor: Child<{ port: number }> | null = null;
  let exchange: ExchangeProcess | null = null;
  try {
    const { ports } = await bidding.next();
    floor = startChild(MEASURED_CORE, 'auctions/fan-out-floor-process.js', { bidderPorts: ports });
    const { port } = await floor.next();
    exchange = await startExchange(MEASURED_CORE, {});
    const publisherId = await createMarket(exchange, 'CPU', ports);
    const next = posted('/rtb', adRequest(publisherId));
    const targets = {
      floor: { pid: floor.pid, loop: await ClosedLoop.open(port, IN_FLIGHT), next },
      exchange: { pid: exchange.pid, loop: await ClosedLoop.open(exchange.edgePort, IN_FLIGHT), next },
    };
    for (const { loop } of Object.values(targets)) {
      await warmUp(loop, next, IN_FLIGHT, WARM_UP_SECONDS);
    }
    const asked = async () => {
      bidding.send({});
      return (await bidding.next()).requests;
    };
    const costs = { floor: [] as number[], exchange: [] as number[], ratio: [] as number[] };
    for (let tries = 0; costs.ratio.length < rounds; tries++) {
      const floorCost = (await measure(targets.floor)).micros;
      const askedBefore = await asked();
      const { answered, empty, micros: cost } = await measure(targets.exchange);
      const askedNow = (await asked()) - askedBefore;
      // On a busy machine a bidder may be too late; a window in which many were has measured something else.
      if (askedNow < (1 - TOLERATED) * answered * bidders || empty > TOLERATED * answered) {
        if (tries < 2 * rounds) continue;
        throw new Error(`${answered} auctions asked ${bidders} bidders ${askedNow} times, and ${empty} sold nothing`);
      }
      costs.floor.push(floorCost);
      costs.exchange.push(cost);
      costs.ratio.push(cost / floorCost);
    }
    for (const { loop } of Object.values(targets)) loop.close();
    const ratio = median(costs.ratio);
    return {
      what: `CPU per auction, ${bidders} bidders`,
      figure: micros(median(costs.exchange)),
      floor: micros(median(costs.floor)),
      ratio: times(ratio),
      target: `≤ ${times(targetRatio)}`,
      reached: ratio <= targetRatio,
    };
  } finally {
    await exchange?.stop();
    await floor?.stop();
    await bidding.stop();
  }
}

async function measure({ pid, loop, next }: Target) {
  const before = cpuMicros(pid);
  const { answered, empty } = await loop.run(WINDOW_SECONDS, next);
  return { micros: (cpuMicros(pid) - before) / answered, answered, empty };
}
