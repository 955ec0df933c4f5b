import { ClosedLoop } from '../http/closed-loop.ts';
import { HttpConnection } from '../http/connection.ts';
import { startInOneProcess } from '../processes/deployment.ts';
import { cpuMicros } from '../processes/resources.ts';
import { micros, millis, type Row } from '../row.ts';
import { percentile } from '../statistics.ts';
import { createDelegateMarket } from './delegate-market.ts';
import { posted } from './documents.ts';
import { warmUp } from './warm-up.ts';

const CAMPAIGNS = 1_000;
const IN_FLIGHT = 32;
const WARM_UP_SECONDS = 8;
const WINDOW_SECONDS = 4;
const OVERLOAD_SECONDS = 8;
const SHARE_OF_SATURATION = 1.5;
/**
 * Connections of callers; as many requests at most wait for an answer, as with exchanges of many SSPs: some 150 ms of
 * what is asked.
 */
const CONNECTIONS = 3_000;
/**
 * Connections that are opened at a time: with more than the backlog of a listening socket (511), the kernel drops the
 * end of some handshakes, and what is sent on those waits for seconds.
 */
const OPENED_AT_ONCE = 200;
/** A turn of the load generator's own event loop that is as long explains a late answer, ms. */
const STOOD_STILL_MS = 50;
/** What an auction may take, and what its answer may be late. */
const DEADLINE_MS = 150;
const TOLERATED_MS = 10;
/** Requests leave in bursts of a millisecond's worth. */
const STEP_MS = 1;

interface Answer {
  readonly dueMs: number;
  readonly answeredMs: number;
}

interface Outcome {
  readonly answers: Answer[];
  readonly refusedMs: number[];
  /** Turns of the load generator that took as long as {@link STOOD_STILL_MS}. */
  readonly pauses: { readonly fromMs: number; readonly toMs: number }[];
  /** Requests for which no connection was free. */
  readonly unsent: number;
}

/**
 * An exchange at one and a half times the rate that it can serve. Auctions of delegates, since bidders would share the
 * load's core: what is admitted is to be answered in time, the rest refused at little cost. Times run from the moment
 * at which a request is due. On a machine that does other things the load generator itself may stand still, and
 * answers wait in its sockets: the second row leaves those out.
 */
export async function overloadRows(): Promise<Row[]> {
  const deployment = await startInOneProcess();
  try {
    const { documents } = await createDelegateMarket(deployment, CAMPAIGNS);
    const [exchange] = deployment.edges as [(typeof deployment.edges)[number]];
    const requests = documents.map((document) => posted('/rtb', document));
    let turn = 0;
    const next = (): Buffer => requests[turn++ % requests.length]!();
    const loop = await ClosedLoop.open(exchange.edgePort, IN_FLIGHT);
    await warmUp(loop, next, IN_FLIGHT, WARM_UP_SECONDS);
    const before = cpuMicros(exchange.pid);
    const { answered, seconds } = await loop.run(WINDOW_SECONDS, next);
    const auctionMicros = (cpuMicros(exchange.pid) - before) / answered;
    const saturation = answered / seconds;
    loop.close();
    const idle = await openAll(exchange.edgePort, next);
    const cpuBefore = cpuMicros(exchange.pid);
    const { answers, refusedMs, pauses, unsent } = await overload(idle, next, saturation * SHARE_OF_SATURATION);
    const spent = cpuMicros(exchange.pid) - cpuBefore;
    for (const connection of idle) connection.close();
    const tookMs = answers.map(({ dueMs, answeredMs }) => answeredMs - dueMs);
    const lateAnswers = answers.filter(({ dueMs, answeredMs }) => answeredMs - dueMs > DEADLINE_MS + TOLERATED_MS);
    const late = lateAnswers.length;
    const unexplained = lateAnswers.filter(
      ({ dueMs, answeredMs }) => !pauses.some(({ fromMs, toMs }) => fromMs < answeredMs && toMs > dueMs),
    ).length;
    const refusalMicros = Math.max(0, spent - tookMs.length * auctionMicros) / Math.max(1, refusedMs.length);
    const load = `at ${SHARE_OF_SATURATION} × saturation (${Math.round(saturation).toLocaleString('en-US')}/s)`;
    return [
      {
        what: `answers later than their deadline and ${TOLERATED_MS} ms, ${load}`,
        figure: `${late} of ${tookMs.length} (p99 ${millis(percentile(tookMs, 0.99))})`,
        floor: '',
        ratio: '',
        target: '0',
        reached: late === 0 && unsent === 0,
      },
      {
        what: `the same, while the load generator did not stand still for ${STOOD_STILL_MS} ms`,
        figure: `${unexplained} (${pauses.length} pauses, ${millis(Math.max(0, ...pauses.map(({ fromMs, toMs }) => toMs - fromMs)))} at most)`,
        floor: '',
        ratio: '',
        target: '0',
        reached: unexplained === 0,
      },
      {
        what: `auctions answered, ${load}`,
        figure: `${Math.round(tookMs.length / OVERLOAD_SECONDS).toLocaleString('en-US')}/s`,
        floor: `${Math.round(saturation).toLocaleString('en-US')}/s at saturation`,
        ratio: `${(tookMs.length / OVERLOAD_SECONDS / saturation).toFixed(2)} ×`,
        target: 'report',
        reached: null,
      },
      {
        what: `CPU of a refusal, ${load}`,
        figure: `${micros(refusalMicros)} (${refusedMs.length} refused, p99 ${refusedMs.length === 0 ? '–' : millis(percentile(refusedMs, 0.99))}; ${unsent} never sent)`,
        floor: micros(auctionMicros),
        ratio: `${(refusalMicros / auctionMicros).toFixed(2)} ×`,
        target: 'report',
        reached: null,
      },
    ];
  } finally {
    await deployment.stop();
  }
}

/** Opens all connections; each has been accepted, and has had an answer. */
async function openAll(port: number, next: () => Buffer): Promise<HttpConnection[]> {
  const all: HttpConnection[] = [];
  while (all.length < CONNECTIONS) {
    const opened = await Promise.all(Array.from({ length: OPENED_AT_ONCE }, () => HttpConnection.open(port)));
    await Promise.all(opened.map((connection) => connection.ask(next())));
    all.push(...opened);
  }
  return all;
}

/** Uses the connections, all of which are idle again when it resolves. */
async function overload(idle: HttpConnection[], next: () => Buffer, perSecond: number): Promise<Outcome> {
  const outcome: Outcome & { unsent: number } = { answers: [], refusedMs: [], pauses: [], unsent: 0 };
  const startedMs = performance.now();
  const underWay = new Set<Promise<void>>();
  const total = Math.round(OVERLOAD_SECONDS * perSecond);
  const ask = async (connection: HttpConnection, dueMs: number): Promise<void> => {
    const { status } = await connection.ask(next());
    const answeredMs = performance.now();
    if (status === 503) outcome.refusedMs.push(answeredMs - dueMs);
    else outcome.answers.push({ dueMs, answeredMs });
    idle.push(connection);
  };
  let isOver = false;
  let turnFromMs = startedMs;
  const watchTurns = (): void => {
    const nowMs = performance.now();
    if (nowMs - turnFromMs >= STOOD_STILL_MS) outcome.pauses.push({ fromMs: turnFromMs, toMs: nowMs });
    turnFromMs = nowMs;
    if (!isOver) setTimeout(watchTurns, STEP_MS);
  };
  watchTurns();
  for (let sent = 0; sent < total; ) {
    const dueNow = Math.min(total, Math.floor(((performance.now() - startedMs) / 1_000) * perSecond));
    for (; sent < dueNow; sent++) {
      const connection = idle.pop();
      if (connection === undefined) {
        outcome.unsent++;
        continue;
      }
      const asking = ask(connection, startedMs + (sent * 1_000) / perSecond);
      underWay.add(asking);
      void asking.finally(() => underWay.delete(asking));
    }
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
  }
  await Promise.all(underWay);
  isOver = true;
  return outcome;
}
