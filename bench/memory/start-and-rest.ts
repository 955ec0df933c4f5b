import { MEASURED_CORE } from '../processes/cores.ts';
import { startExchange } from '../processes/exchange.ts';
import { cpuMicros, residentBytes } from '../processes/resources.ts';
import { megabytes, millis, type Row } from '../row.ts';
import { median } from '../statistics.ts';

/**
 * After this time the program has detected that it is idle and released the memory of its start (see
 * composition/collect-when-idle.ts).
 */
const AT_REST_AFTER_SECONDS = 20;
const IDLE_SECONDS = 15;
const MOST_BYTES = 105 * 1024 * 1024;
const MOST_START_MS = 1_000;

/** Measures a program with all roles on the embedded pair: how long it takes to be ready, and its memory at rest. */
export async function startAndRest(rounds: number): Promise<Row[]> {
  return [await start(rounds), await idleMemory()];
}

/** From the start of the process until `/readyz` says 200, in a new folder; the CPU time of it beside it. */
async function start(rounds: number): Promise<Row> {
  const times: number[] = [];
  const cpuTimes: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const exchange = await startExchange(MEASURED_CORE, {});
    times.push(exchange.startMs);
    cpuTimes.push(cpuMicros(exchange.pid) / 1_000);
    await exchange.stop();
  }
  return {
    what: 'start of an all-in-one process, until it is ready, p50',
    figure: `${millis(median(times))} (most ${millis(Math.max(...times))}, ${millis(median(cpuTimes))} of CPU)`,
    floor: '',
    ratio: '',
    target: `≤ ${millis(MOST_START_MS)}`,
    reached: median(times) <= MOST_START_MS,
  };
}

/** The highest sample of the resident memory at rest, and the highest before. */
async function idleMemory(): Promise<Row> {
  const exchange = await startExchange(MEASURED_CORE, {});
  const starting = await highestOf(exchange.pid, AT_REST_AFTER_SECONDS);
  const atRest = await highestOf(exchange.pid, IDLE_SECONDS);
  await exchange.stop();
  return {
    what: 'memory of an idle all-in-one process (RSS)',
    figure: `${megabytes(atRest)} (${megabytes(starting)} in the first ${AT_REST_AFTER_SECONDS} s)`,
    floor: '',
    ratio: '',
    target: `≤ ${megabytes(MOST_BYTES)}`,
    reached: atRest <= MOST_BYTES,
  };
}

/** The highest of one sample per second, in bytes. */
async function highestOf(pid: number, seconds: number): Promise<number> {
  let highest = 0;
  for (let second = 0; second < seconds; second++) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    highest = Math.max(highest, residentBytes(pid));
  }
  return highest;
}
