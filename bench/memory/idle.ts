import { MEASURED_CORE } from '../processes/cores.ts';
import { startExchange } from '../processes/exchange.ts';
import { residentBytes } from '../processes/resources.ts';
import { megabytes, type Row } from '../row.ts';

const IDLE_SECONDS = 15;
const TO_REACH_BYTES = 150 * 1024 * 1024;

/** Resident memory of the program with all roles and nothing to do, on the embedded pair: the highest of its samples. */
export async function idleMemory(): Promise<Row> {
  const exchange = await startExchange(MEASURED_CORE, {});
  let highest = 0;
  for (let second = 0; second < IDLE_SECONDS; second++) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    highest = Math.max(highest, residentBytes(exchange.pid));
  }
  await exchange.stop();
  return {
    what: 'memory of an idle all-in-one process (RSS)',
    figure: megabytes(highest),
    floor: '',
    ratio: '',
    toReach: `≤ ${megabytes(TO_REACH_BYTES)}`,
    reached: highest <= TO_REACH_BYTES,
  };
}
