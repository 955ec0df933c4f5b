import { readFileSync } from 'node:fs';
import { MEASURED_CORE } from '../processes/cores.ts';
import { startExchange } from '../processes/exchange.ts';
import { ownMongodb } from '../processes/mongodb.ts';
import { failed, megabytes, millis, type Row, skipped } from '../row.ts';
import { CAMPAIGNS, DSPS, fullCatalogue, PUBLISHERS } from './full-catalogue.ts';

const READY_WITHIN_MS = 10_000;
const RESIDENT_BYTES = 600 * 1024 * 1024;
/** A stand-in for MongoDB may be many times slower; its figure has no bound. */
const GIVE_UP_AFTER_MS = 600_000;

/**
 * An edge with a full catalogue: how long it takes until it serves, and the memory that it then holds. All roles are in
 * one process, whose store has the catalogue before the start, so that no actor is in memory. The pages of the store
 * that the process has mapped do not count: an edge by itself has no store in its process, and the system takes them
 * back.
 */
export async function catalogueRows(mongodbUrl: string | null): Promise<Row[]> {
  return [...(await embeddedRows()), await mongodbRow(mongodbUrl)];
}

function number(count: number): string {
  return count.toLocaleString('en-US');
}

const WHAT = `catalogue of ${number(PUBLISHERS)} publishers, ${number(DSPS)} DSPs, ${number(CAMPAIGNS)} campaigns`;

async function embeddedRows(): Promise<Row[]> {
  let preparedMs = 0;
  const exchange = await startExchange(MEASURED_CORE, {}, async (environment) => {
    await fullCatalogue(environment);
    preparedMs = performance.now();
  });
  try {
    const readyMs = performance.now() - preparedMs;
    const { own, store } = residentOf(exchange.pid);
    return [
      {
        what: `${WHAT}: start until it serves`,
        figure: millis(readyMs),
        floor: '',
        ratio: '',
        target: `≤ ${READY_WITHIN_MS} ms`,
        reached: readyMs <= READY_WITHIN_MS,
      },
      {
        what: `${WHAT}: memory (RSS)`,
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

/** The start of the same with the store in MongoDB, or in what stands in for it. */
async function mongodbRow(mongodbUrl: string | null): Promise<Row> {
  const what = `${WHAT}, in MongoDB: start until it serves`;
  if (mongodbUrl === null) return skipped(what, 'MONGODB_URL');
  const mongodb = ownMongodb(mongodbUrl);
  try {
    const environment = { MONGODB_URL: mongodb.url };
    const exchange = await startExchange(MEASURED_CORE, environment, fullCatalogue, undefined, GIVE_UP_AFTER_MS);
    await exchange.stop();
    return { what, figure: millis(exchange.startMs), floor: '', ratio: '', target: 'report', reached: null };
  } catch (error) {
    return failed(what, error);
  } finally {
    await mongodb.drop();
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
