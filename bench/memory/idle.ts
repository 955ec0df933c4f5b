import { MEASURED_CORE } from '../processes/cores.ts';
import { startExchange } from '../processes/exchange.ts';
import { residentBytes } from '../processes/resources.ts';
import { megabytes, type Row } from '../row.ts';

/**
 * After this time the program has detected that it is idle and released the memory of its start (see
 * composition/collect-when-idle.ts).
 */
const AT_REST_AFTER_SECONDS = 20;
const IDLE_SECONDS = 15;
const TARGET_BYTES = 150 * 1024 * 1024;

/**
 * Measures the resident memory of an idle program with all roles on the embedded pair: the highest sample at rest, and
 * the highest before.
 */
export async function idleMemory(): Promise<Row> {
  const exchange = await startExchange(MEASURED_CORE, {});
  const starting = await highestOf(exchange.pid, AT_REST_AFTER_SECONDS);
  const atRest = await highestOf(exchange.pid, IDLE_SECONDS);
  await exchange.stop();
  return {
    what: 'memory of an idle all-in-one process (RSS)',
    figure: `${megabytes(atRest)} (${megabytes(starting)} in the first ${AT_REST_AFTER_SECONDS} s)`,
    floor: '',
    ratio: '',
    target: `≤ ${megabytes(TARGET_BYTES)}`,
    reached: atRest <= TARGET_BYTES,
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
