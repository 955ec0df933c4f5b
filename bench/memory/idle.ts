import { MEASURED_CORE } from '../processes/cores.ts';
import { startExchange } from '../processes/exchange.ts';
import { residentBytes } from '../processes/resources.ts';
import { megabytes, type Row } from '../row.ts';

/** By then the program has seen that it is idle, and given back what its start has left (see composition/collect-when-idle.ts). */
const AT_REST_AFTER_SECONDS = 20;
const IDLE_SECONDS = 15;
const TARGET_BYTES = 150 * 1024 * 1024;

/**
 * Resident memory of the program with all roles and nothing to do, on the embedded pair: the highest of its samples once it is at
 * rest, and the highest before.
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

/** Bytes: the highest of a sample each second. */
async function highestOf(pid: number, seconds: number): Promise<number> {
  let highest = 0;
  for (let second = 0; second < seconds; second++) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    highest = Math.max(highest, residentBytes(pid));
  }
  return highest;
}
