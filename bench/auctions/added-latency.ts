import { listenBare } from '../http/bare-server.ts';
import { HttpConnection } from '../http/connection.ts';
import { type Child, startChild } from '../processes/child.ts';
import { MEASURED_CORE } from '../processes/cores.ts';
import { type ExchangeProcess, startExchange } from '../processes/exchange.ts';
import { millis, type Row } from '../row.ts';
import { median, percentile } from '../statistics.ts';
import { adRequest, bidderAnswers, idOf, posted } from './documents.ts';
import { createMarket } from './market.ts';

const BIDDERS = 5;
const AUCTIONS_PER_SECOND = 200;
/** At this rate it takes that long until what the exchange runs is compiled. */
const WARM_UP_SECONDS = 30;
const WINDOW_SECONDS = 4;
/** The shortest delay of a bidder; delays are uniformly distributed. */
const SHORTEST_THOUGHT_MS = 10;
const LONGEST_THOUGHT_MS = 30;
const TOLERATED = 0.05;
const P50_TARGET_MS = 1.5;
const P99_TARGET_MS = 4;

/**
 * The latency that the exchange adds to its slowest bidder: the time from sending a request to its complete response,
 * less the longest delay of a bidder; the median of several windows. Requests leave at a fixed rate, whether earlier
 * ones have been answered or not. Bidders run in this process, so one clock measures everything; delays of the bidders
 * and the sender count against the exchange.
 */
export async function addedLatency(rounds: number): Promise<Row[]> {
  const slowestMs = new Map<string, number>();
  const bidders = await Promise.all(
    Array.from({ length: BIDDERS }, (_, index) => startThinkingBidder(index, slowestMs)),
  );
  const ports = bidders.map(({ port }) => port);
  let floor: Child<{ port: number }> | null = null;
  let exchange: ExchangeProcess | null = null;
  try {
    floor = startChild(MEASURED_CORE, 'auctions/fan-out-floor-process.js', { bidderPorts: ports });
    const { port } = await floor.next();
    exchange = await startExchange(MEASURED_CORE, {});
    const next = posted('/rtb', adRequest(await createMarket(exchange, 'latency', ports)));
    await addedMs(port, next, slowestMs, WARM_UP_SECONDS);
    await addedMs(exchange.edgePort, next, slowestMs, WARM_UP_SECONDS);
    const bare: number[][] = [];
    const added: number[][] = [];
    for (let round = 0; round < rounds; round++) {
      bare.push(await addedMs(port, next, slowestMs, WINDOW_SECONDS));
      added.push(await addedMs(exchange.edgePort, next, slowestMs, WINDOW_SECONDS));
    }
    const typical = (windows: readonly number[][], share: number) =>
      median(windows.map((window) => percentile(window, share)));
    return [
      row('p50', typical(added, 0.5), typical(bare, 0.5), P50_TARGET_MS),
      row('p99', typical(added, 0.99), typical(bare, 0.99), P99_TARGET_MS),
    ];
  } finally {
    await exchange?.stop();
    await floor?.stop();
    for (const { server } of bidders) server.close();
  }
}

function row(name: string, figureMs: number, floorMs: number, targetMs: number): Row {
  return {
    what: `added latency at ${AUCTIONS_PER_SECOND} auctions/s, ${name}`,
    figure: millis(figureMs),
    floor: millis(floorMs),
    ratio: '',
    target: `≤ ${targetMs} ms`,
    reached: figureMs <= targetMs,
  };
}

/** Starts a bidder that answers after a delay and records the longest delay of any bidder for each auction. */
async function startThinkingBidder(index: number, slowestMs: Map<string, number>) {
  const answerOf = bidderAnswers(index);
  return listenBare((body, answer) => {
    const sinceMs = performance.now();
    const thoughtMs = SHORTEST_THOUGHT_MS + Math.random() * (LONGEST_THOUGHT_MS - SHORTEST_THOUGHT_MS);
    const response = answerOf(body);
    const id = idOf(body);
    setTimeout(() => {
      slowestMs.set(id, Math.max(slowestMs.get(id) ?? 0, performance.now() - sinceMs));
      answer(response);
    }, thoughtMs);
  });
}

async function addedMs(
  port: number,
  next: () => Buffer,
  slowestMs: Map<string, number>,
  seconds: number,
): Promise<number[]> {
  const idle: HttpConnection[] = [];
  const every: HttpConnection[] = [];
  const added: number[] = [];
  let unsold = 0;
  const startedMs = performance.now();
  const total = seconds * AUCTIONS_PER_SECOND;
  const auctions: Promise<void>[] = [];

  const auction = async () => {
    let connection = idle.pop();
    if (!connection) {
      connection = await HttpConnection.open(port);
      every.push(connection);
    }
    const request = next();
    const sentMs = performance.now();
    const { status } = await connection.ask(request);
    const tookMs = performance.now() - sentMs;
    idle.push(connection);
    const id = idOf(request.subarray(request.indexOf('{"id"')));
    const slowest = slowestMs.get(id);
    slowestMs.delete(id);
    if (status !== 200 && status !== 204) throw new Error(`an auction was answered ${status}`);
    if (status === 200 && slowest !== undefined) added.push(tookMs - slowest);
    else unsold += 1;
  };
  for (let number = 0; number < total; number++) {
    const waitMs = startedMs + (number * 1000) / AUCTIONS_PER_SECOND - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    auctions.push(auction());
  }
  await Promise.all(auctions);
  for (const connection of every) connection.close();
  // On a busy machine all bidders of an auction may be too late; when that happens often, the window has measured
  // something else.
  if (unsold > TOLERATED * added.length) throw new Error(`${unsold} auctions sold nothing, ${added.length} did`);
  return added;
}
