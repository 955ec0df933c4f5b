import { ClosedLoop } from '../http/closed-loop.ts';
import { type Child, startChild } from '../processes/child.ts';
import { MEASURED_CORE, OTHER_CORE } from '../processes/cores.ts';
import { cpuMicros } from '../processes/resources.ts';
import { micros, type Row, times } from '../row.ts';
import { median } from '../statistics.ts';
import { adRequest, posted } from './documents.ts';
import type { FloorClient } from './floor-clients.ts';
import { warmUp } from './warm-up.ts';

const IN_FLIGHT = 32;
const WARM_UP_SECONDS = 3;
const WINDOW_SECONDS = 2;

/**
 * CPU time of a bare fan-out over HTTP/2, all calls on one connection to each bidder, against the same over HTTP/1.1
 * with kept connections of plain sockets; both over TLS. One row for each client of HTTP/2. All take turns.
 */
export async function http2Cost(bidders: number, rounds: number): Promise<Row[]> {
  const children: Child<unknown>[] = [];
  const loops: ClosedLoop[] = [];
  const bidding = async (http2: boolean) => {
    const child = startChild<{ ports: number[] }>(OTHER_CORE, 'auctions/bidders-process.js', {
      bidders,
      tls: true,
      http2,
    });
    children.push(child);
    return (await child.next()).ports;
  };
  const next = posted('/rtb', adRequest('bench'));
  const opened = async (client: FloorClient, bidderPorts: readonly number[]) => {
    const job = { bidderPorts, client, tls: true };
    const child = startChild<{ port: number }>(MEASURED_CORE, 'auctions/fan-out-floor-process.js', job);
    children.push(child);
    const loop = await ClosedLoop.open((await child.next()).port, IN_FLIGHT);
    loops.push(loop);
    await warmUp(loop, next, IN_FLIGHT, WARM_UP_SECONDS);
    return async () => {
      const before = cpuMicros(child.pid);
      const { answered } = await loop.run(WINDOW_SECONDS, next);
      return (cpuMicros(child.pid) - before) / answered;
    };
  };
  try {
    const [plain, multiplexed] = [await bidding(false), await bidding(true)];
    const floor = await opened('sockets', plain);
    const clients = ['http2', 'undici-http2'] as const;
    const measures = [];
    for (const client of clients) measures.push(await opened(client, multiplexed));
    const floors: number[] = [];
    const costs = clients.map((): number[] => []);
    for (let round = 0; round < rounds; round++) {
      floors.push(await floor());
      for (const [index, measure] of measures.entries()) costs[index]!.push(await measure());
    }
    return clients.map((client, index) => ({
      what: `CPU of a bare fan-out over TLS, ${bidders} bidders: ${client === 'http2' ? 'node:http2' : 'undici’s HTTP/2'}`,
      figure: micros(median(costs[index]!)),
      floor: `${micros(median(floors))} of HTTP/1.1, sockets`,
      ratio: times(median(costs[index]!.map((cost, round) => cost / floors[round]!))),
      target: 'report',
      reached: null,
    }));
  } finally {
    for (const loop of loops) loop.close();
    for (const child of children) await child.stop();
  }
}
