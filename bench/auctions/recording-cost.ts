import { ClosedLoop } from '../http/closed-loop.ts';
import { startChild } from '../processes/child.ts';
import { MEASURED_CORE, OTHER_CORE } from '../processes/cores.ts';
import { type ExchangeProcess, startExchange } from '../processes/exchange.ts';
import { cpuMicros } from '../processes/resources.ts';
import { micros, type Row, times } from '../row.ts';
import { median } from '../statistics.ts';
import { adRequest, posted } from './documents.ts';
import { createMarket } from './market.ts';

const BIDDERS = 5;
const IN_FLIGHT = 16;
const WARM_UP_SECONDS = 4;
const WINDOW_SECONDS = 3;

/** CPU time per auction of an edge that records auctions at the default rate, against one that records none. */
export async function recordingCost(targetRatio: number, rounds: number): Promise<Row> {
  const bidding = startChild<{ ports: number[] }>(OTHER_CORE, 'auctions/bidders-process.js', { bidders: BIDDERS });
  const running: ExchangeProcess[] = [];
  try {
    const { ports } = await bidding.next();
    const open = async (samplesPerSecond: string) => {
      const exchange = await startExchange(MEASURED_CORE, { AUCTION_SAMPLES_PER_SECOND: samplesPerSecond });
      running.push(exchange);
      const next = posted('/rtb', adRequest(await createMarket(exchange, 'Recorded', ports)));
      const loop = await ClosedLoop.open(exchange.edgePort, IN_FLIGHT);
      await loop.run(WARM_UP_SECONDS, next);
      return async () => {
        const before = cpuMicros(exchange.pid);
        const { answered } = await loop.run(WINDOW_SECONDS, next);
        return (cpuMicros(exchange.pid) - before) / answered;
      };
    };
    const off = await open('0');
    const on = await open('1');
    const costs = { off: [] as number[], on: [] as number[], ratio: [] as number[] };
    for (let round = 0; round < rounds; round++) {
      const without = await off();
      const recording = await on();
      costs.off.push(without);
      costs.on.push(recording);
      costs.ratio.push(recording / without);
    }
    const ratio = median(costs.ratio);
    return {
      what: `CPU per auction, ${BIDDERS} bidders, auctions recorded`,
      figure: micros(median(costs.on)),
      floor: micros(median(costs.off)),
      ratio: times(ratio),
      target: `≤ ${times(targetRatio)}`,
      reached: ratio <= targetRatio,
    };
  } finally {
    for (const exchange of running) await exchange.stop();
    await bidding.stop();
  }
}
