import { adRequest, posted } from '../auctions/documents.ts';
import { createMarket } from '../auctions/market.ts';
import { warmUp } from '../auctions/warm-up.ts';
import { ClosedLoop } from '../http/closed-loop.ts';
import { startChild } from '../processes/child.ts';
import { MEASURED_CORE, OTHER_CORE } from '../processes/cores.ts';
import { type ExchangeProcess, startExchange } from '../processes/exchange.ts';
import { cpuMicros } from '../processes/resources.ts';
import { micros, type Row } from '../row.ts';
import { median } from '../statistics.ts';
import { buildRevision } from './build-revision.ts';
import { meanRatio, ratioText } from './mean-ratio.ts';

const IN_FLIGHT = 16;
const WARM_UP_SECONDS = 12;
const WINDOW_SECONDS = 3;
/** The largest share of auctions without a winner in a window; with more it has measured something else. */
const TOLERATED_EMPTY = 0.01;

interface Measured {
  readonly exchange: ExchangeProcess;
  readonly loop: ClosedLoop;
  readonly next: () => Buffer;
}

/**
 * CPU time per auction of this revision against that of another. Both run on one core with bidders of the same kind,
 * and their windows alternate (this, other, other, this …), so that a drift of the machine's speed affects both.
 */
export async function compareAuctions(bidders: number, revision: string, rounds: number): Promise<Row> {
  const main = buildRevision(revision);
  const bidding = startChild<{ ports: number[]; requests: number }>(OTHER_CORE, 'auctions/bidders-process.js', {
    bidders,
  });
  const running: ExchangeProcess[] = [];
  try {
    const { ports } = await bidding.next();
    const open = async (path?: string): Promise<Measured> => {
      const exchange = await startExchange(MEASURED_CORE, {}, undefined, path);
      running.push(exchange);
      const next = posted('/rtb', adRequest(await createMarket(exchange, 'Compared', ports)));
      const loop = await ClosedLoop.open(exchange.edgePort, IN_FLIGHT);
      await warmUp(loop, next, IN_FLIGHT, WARM_UP_SECONDS);
      return { exchange, loop, next };
    };
    const present = await open();
    const other = await open(main);
    // The first pair is warm-up, too: with both programs running, each has colder caches than alone.
    for (const one of [present, other]) await costOf(one);
    const costs = { present: [] as number[], other: [] as number[] };
    for (let round = 0; round < rounds; round++) {
      const first = round % 2 === 0;
      if (first) costs.present.push(await costOf(present));
      costs.other.push(await costOf(other));
      if (!first) costs.present.push(await costOf(present));
    }
    for (const { loop } of [present, other]) loop.close();
    const ratio = meanRatio(costs.present.map((cost, round) => cost / costs.other[round]!));
    return {
      what: `CPU per auction, ${bidders} bidders, against ${revision}, ${rounds} pairs`,
      figure: micros(median(costs.present)),
      floor: micros(median(costs.other)),
      ratio: ratioText(ratio),
      target: '',
      reached: null,
    };
  } finally {
    for (const exchange of running) await exchange.stop();
    await bidding.stop();
  }
}

async function costOf({ exchange, loop, next }: Measured): Promise<number> {
  for (let tries = 1; ; tries++) {
    const before = cpuMicros(exchange.pid);
    const { answered, empty } = await loop.run(WINDOW_SECONDS, next);
    const cost = (cpuMicros(exchange.pid) - before) / answered;
    if (empty <= TOLERATED_EMPTY * answered) return cost;
    if (tries === 5) throw new Error(`${empty} of ${answered} auctions sold nothing`);
  }
}
