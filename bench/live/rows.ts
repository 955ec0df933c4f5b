import { once } from 'node:events';
import { WebSocket } from 'ws';
import { createUnlimitedAccount } from '../management/unlimited-account.ts';
import { MEASURED_CORE } from '../processes/cores.ts';
import { startExchange } from '../processes/exchange.ts';
import { cpuMicros, residentBytes } from '../processes/resources.ts';
import { megabytes, type Row } from '../row.ts';

const SOCKETS = 5_000;
const OPENED_AT_ONCE = 100;
/** The time of 12 pushes and about 2 pings. */
const WATCHED_MS = 60_000;
const PUSHES = WATCHED_MS / 5_000;
const TARGET_SHARE = 0.1;

/** Measures the share of a core that a process with all roles uses with 5,000 metrics WebSockets open, and without. */
export async function liveRows(): Promise<Row[]> {
  const limits = { MAX_METRICS_SOCKETS: String(2 * SOCKETS), METRICS_SOCKETS_PER_KEY: String(2 * SOCKETS) };
  const exchange = await startExchange(MEASURED_CORE, limits, createUnlimitedAccount);
  const sockets: WebSocket[] = [];
  let messages = 0;
  const shareOfCore = async (): Promise<number> => {
    const [before, startedMs] = [cpuMicros(exchange.pid), performance.now()];
    await new Promise((resolve) => setTimeout(resolve, WATCHED_MS));
    return (cpuMicros(exchange.pid) - before) / ((performance.now() - startedMs) * 1000);
  };
  try {
    const idle = await shareOfCore();
    const idleBytes = residentBytes(exchange.pid);
    const headers = { Authorization: `Bearer ${exchange.apiKey}` };
    while (sockets.length < SOCKETS) {
      const some = Array.from({ length: OPENED_AT_ONCE }, () => {
        const socket = new WebSocket(`ws://127.0.0.1:${exchange.port}/ws/metrics`, {
          headers,
          perMessageDeflate: false,
        });
        socket.on('message', () => {
          messages += 1;
        });
        return socket;
      });
      await Promise.all(some.map((socket) => once(socket, 'open')));
      sockets.push(...some);
    }
    messages = 0;
    const share = await shareOfCore();
    const expected = SOCKETS * PUSHES;
    if (messages < expected - SOCKETS) throw new Error(`${messages} of ${expected} messages came`);
    const percent = (one: number) => `${(one * 100).toFixed(1)} %`;
    return [
      {
        what: `${SOCKETS.toLocaleString('en-US')} metrics WebSockets on one process, share of a core`,
        figure: `${percent(share)}, ${megabytes(residentBytes(exchange.pid) - idleBytes)} more`,
        floor: `${percent(idle)} idle`,
        ratio: '',
        target: `< ${percent(TARGET_SHARE)}`,
        reached: share < TARGET_SHARE,
      },
    ];
  } finally {
    for (const socket of sockets) socket.terminate();
    await exchange.stop();
  }
}
