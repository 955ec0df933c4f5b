import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LOCAL_CERTIFICATE } from '../../test/support/local-certificate.ts';
import { ClosedLoop } from '../http/closed-loop.ts';
import { type Child, startChild } from '../processes/child.ts';
import { MEASURED_CORE, OTHER_CORE } from '../processes/cores.ts';
import { type ExchangeProcess, startExchange } from '../processes/exchange.ts';
import { collectingMicros, cpuMicros } from '../processes/resources.ts';
import { micros, type Row, times } from '../row.ts';
import { median } from '../statistics.ts';
import { adRequest, posted } from './documents.ts';
import type { FloorClient } from './floor-clients.ts';
import { createMarket } from './market.ts';
import { warmUp } from './warm-up.ts';

const IN_FLIGHT = 32;
/** Over TLS: load and bidders share a core, and with twice as many they are late on slower machines. */
const IN_FLIGHT_OVER_TLS = 16;
/** Until what the exchange runs is compiled: a process that serves for days is measured, not its first seconds. */
const WARM_UP_SECONDS = 20;
const WINDOW_SECONDS = 3;
const TOLERATED = 0.01;
/**
 * Of an auction's CPU that collecting garbage takes at most: what is under way leaves nothing to the collector
 * (decision 0099).
 */
const MOST_COLLECTING = 0.06;

interface Target {
  readonly pid: number;
  readonly loop: ClosedLoop;
  readonly next: () => Buffer;
}

/** A floor that the exchange is measured against; `most`: the ratio to reach, null where it is only reported. */
export interface FloorRow {
  readonly client: FloorClient;
  readonly most: number | null;
}

/**
 * CPU time per answered auction of the whole program, against those of bare fan-outs; bidders answer at once, over TLS
 * where `tls` says so. Exchange and floors take turns. Two rows for each floor: one where it serves as much as it can,
 * and one where it serves as many auctions a second as the exchange does. At its own rate those that it writes to have
 * no time to sleep, so that it need not wake them.
 */
export async function cpuPerAuction(
  bidders: number,
  floors: readonly FloorRow[],
  rounds: number,
  tls = false,
): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-auctions-'));
  const trusted = join(folder, 'ca.pem');
  writeFileSync(trusted, LOCAL_CERTIFICATE.cert);
  const bidding = startChild<{ ports: number[]; requests: number }>(OTHER_CORE, 'auctions/bidders-process.js', {
    bidders,
    tls,
  });
  const bare: Child<{ port: number }>[] = [];
  let exchange: ExchangeProcess | null = null;
  try {
    const { ports } = await bidding.next();
    exchange = await startExchange(MEASURED_CORE, tls ? { NODE_EXTRA_CA_CERTS: trusted } : {});
    const publisherId = await createMarket(exchange, 'CPU', ports, tls ? 'https' : 'http');
    const next = posted('/rtb', adRequest(publisherId));
    const inFlight = tls ? IN_FLIGHT_OVER_TLS : IN_FLIGHT;
    const opened = async (pid: number, port: number): Promise<Target> => {
      const loop = await ClosedLoop.open(port, inFlight);
      await warmUp(loop, next, inFlight, WARM_UP_SECONDS);
      return { pid, loop, next };
    };
    const floorTargets: Target[] = [];
    for (const { client } of floors) {
      const job = { bidderPorts: ports, client, tls };
      const floor = startChild<{ port: number }>(MEASURED_CORE, 'auctions/fan-out-floor-process.js', job);
      bare.push(floor);
      floorTargets.push(await opened(floor.pid, (await floor.next()).port));
    }
    const target = await opened(exchange.pid, exchange.edgePort);
    const asked = async (): Promise<number> => {
      bidding.send({});
      return (await bidding.next()).requests;
    };
    const costs: number[] = [];
    const collecting: number[] = [];
    const floorCosts = floors.map((): number[] => []);
    const pacedCosts = floors.map((): number[] => []);
    for (let tries = 0; costs.length < rounds; tries++) {
      const ofFloors: number[] = [];
      for (const floor of floorTargets) ofFloors.push((await measure(floor)).micros);
      const askedBefore = await asked();
      const collectedBefore = await collectingMicros(exchange.opsPort);
      const { answered, empty, perSecond, micros: cost } = await measure(target);
      const collected = (await collectingMicros(exchange.opsPort)) - collectedBefore;
      const askedNow = (await asked()) - askedBefore;
      // On a busy machine a bidder may be too late; a window in which many were has measured something else.
      if (askedNow < (1 - TOLERATED) * answered * bidders || empty > TOLERATED * answered) {
        if (tries < 2 * rounds) continue;
        throw new Error(`${answered} auctions asked ${bidders} bidders ${askedNow} times, and ${empty} sold nothing`);
      }
      costs.push(cost);
      collecting.push(collected / answered);
      for (const [index, floorCost] of ofFloors.entries()) {
        floorCosts[index]!.push(floorCost);
        pacedCosts[index]!.push((await measure(floorTargets[index]!, perSecond)).micros);
      }
    }
    for (const { loop } of [target, ...floorTargets]) loop.close();
    const rowOf = (against: string, ofFloor: readonly number[], most: number | null): Row => {
      const ratio = median(costs.map((cost, round) => cost / ofFloor[round]!));
      return {
        what: `CPU per auction, ${bidders} bidders${tls ? ' over TLS' : ''}, against bare node + ${against}`,
        figure: micros(median(costs)),
        floor: micros(median(ofFloor)),
        ratio: times(ratio),
        target: most === null ? 'report' : `≤ ${times(most)}`,
        reached: most === null ? null : ratio <= most,
      };
    };
    const share = median(collecting.map((micros, round) => micros / costs[round]!));
    return [
      ...floors.flatMap(({ client, most }, index) => [
        rowOf(client, floorCosts[index]!, most),
        rowOf(`${client} at the same rate`, pacedCosts[index]!, null),
      ]),
      {
        what: 'the same: pauses to collect garbage, for an auction',
        figure: micros(median(collecting)),
        floor: micros(median(costs)),
        ratio: times(share),
        target: `≤ ${times(MOST_COLLECTING)}`,
        reached: share <= MOST_COLLECTING,
      },
    ];
  } finally {
    await exchange?.stop();
    for (const floor of bare) await floor.stop();
    await bidding.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure({ pid, loop, next }: Target, perSecond = Number.POSITIVE_INFINITY) {
  const before = cpuMicros(pid);
  const { answered, empty, seconds } = await loop.run(WINDOW_SECONDS, next, Number.POSITIVE_INFINITY, perSecond);
  return { micros: (cpuMicros(pid) - before) / answered, answered, empty, perSecond: answered / seconds };
}
