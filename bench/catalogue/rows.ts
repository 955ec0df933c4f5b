import { readFileSync } from 'node:fs';
import { MEASURED_CORE } from '../processes/cores.ts';
import { startExchange } from '../processes/exchange.ts';
import { megabytes, millis, type Row } from '../row.ts';
import { CAMPAIGNS, DSPS, fullCatalogue, PUBLISHERS } from './full-catalogue.ts';

const READY_WITHIN_MS = 10_000;
const RESIDENT_BYTES = 600 * 1024 * 1024;

/**
 * An edge with a full catalogue: how long it takes until it serves, and the memory that it then holds. All roles are in
 * one process, whose store has the catalogue before the start, so that no actor is in memory. The pages of the store that
 * the process has mapped do not count: an edge by itself has no store in its process, and the system takes them back.
 */
export async function catalogueRows(): Promise<Row[]> {
  let preparedMs = 0;
  const exchange = await startExchange(MEASURED_CORE, {}, async (environment) => {
    await fullCatalogue(environment);
    preparedMs = performance.now();
  });
  try {
    const readyMs = performance.now() - preparedMs;
    const { own, store } = residentOf(exchange.pid);
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
        figure: `${megabytes(own)} (and ${megabytes(store)} of the store, mapped)`,
        floor: '',
        ratio: '',
        target: `≤ ${megabytes(RESIDENT_BYTES)}`,
        reached: own <= RESIDENT_BYTES,
      },
    ];
  } finally {
    await exchange.stop();
  }
}

/** The resident memory of a process in bytes: of the embedded store's files, and all other. */
function residentOf(pid: number): { readonly own: number; readonly store: number } {
  const resident = { own: 0, store: 0 };
  let part: keyof typeof resident = 'own';
  for (const line of readFileSync(`/proc/${pid}/smaps`, 'utf8').split('\n')) {
    if (/^[0-9a-f]+-[0-9a-f]+ /.test(line)) part = line.includes('/bench-exchange-') ? 'store' : 'own';
    const kilobytes = /^Rss:\s+(\d+) kB$/.exec(line);
    if (kilobytes !== null) resident[part] += Number(kilobytes[1]) * 1024;
  }
  return resident;
}
