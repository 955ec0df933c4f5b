import { readFileSync } from 'node:fs';
import { MEASURED_CORE } from '../processes/cores.ts';
import { startExchange } from '../processes/exchange.ts';
import { residentBytes } from '../processes/resources.ts';
import { megabytes, millis, type Row } from '../row.ts';
import { CAMPAIGNS, DSPS, fullCatalogue, PUBLISHERS } from './full-catalogue.ts';

const READY_WITHIN_MS = 10_000;
const RESIDENT_BYTES = 600 * 1024 * 1024;
/** The program has seen that it is idle and given the memory of its start back (composition/collect-when-idle.ts). */
const AT_REST_AFTER_MS = 30_000;

/**
 * An edge with a full catalogue: how long it takes until it serves, and the memory that it then holds. All roles are in
 * one process, whose store has the catalogue before the start, so that no actor is in memory.
 */
export async function catalogueRows(): Promise<Row[]> {
  let preparedMs = 0;
  const exchange = await startExchange(MEASURED_CORE, {}, async (environment) => {
    await fullCatalogue(environment);
    preparedMs = performance.now();
  });
  try {
    const readyMs = performance.now() - preparedMs;
    await new Promise((resolve) => setTimeout(resolve, AT_REST_AFTER_MS));
    const resident = residentBytes(exchange.pid);
    const number = (count: number) => count.toLocaleString('en-US');
    const what = `catalogue of ${number(PUBLISHERS)} publishers, ${number(DSPS)} DSPs, ${number(CAMPAIGNS)} campaigns`;
    return [
      {
        what: `${what}: start until it serves`,
        figure: millis(readyMs),
        floor: '',
        ratio: '',
        target: `≤ ${READY_WITHIN_MS} ms`,
        reached: readyMs <= READY_WITHIN_MS,
      },
      {
        what: `${what}: memory (RSS)`,
        figure: `${megabytes(resident)} (${megabytes(highestResidentBytes(exchange.pid))} at most)`,
        floor: '',
        ratio: '',
        target: `≤ ${megabytes(RESIDENT_BYTES)}`,
        reached: resident <= RESIDENT_BYTES,
      },
    ];
  } finally {
    await exchange.stop();
  }
}

/** The highest resident memory of a process since it started, in bytes. */
function highestResidentBytes(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024;
}
