import type { Registry } from 'prom-client';
import type { StateReads, StateStore } from '../../runtime/ports/store.ts';
import { counterAtScrape } from './at-scrape.ts';
import type { DurationBuckets } from './duration-buckets.ts';
import { DurationHistogram } from './duration-histogram.ts';

interface Operation {
  readonly took: DurationBuckets;
  errors: number;
}

/**
 * The same store, whose operations are timed and whose errors are counted, by the name of the port's method. A scan and
 * the check of health are not: the one takes as long as its reader, the other is asked by probes.
 */
export function measuredStore(registry: Registry, store: StateStore): StateStore {
  const seconds = new DurationHistogram(registry, {
    name: 'store_operation_seconds',
    help: 'Time of an operation of the state store (MongoDB, or the embedded one), by operation, failed ones included',
    labelNames: ['operation'],
  });
  const operations = new Map<string, Operation>();
  counterAtScrape(
    registry,
    {
      name: 'store_errors_total',
      help: 'Operations of the state store that failed: it could not be reached, or did not answer in time',
      labelNames: ['operation'],
    },
    (note) => {
      for (const [operation, { errors }] of operations) note({ operation }, errors);
    },
  );
  const operationOf = (name: string): Operation => {
    let operation = operations.get(name);
    if (operation === undefined) {
      operation = { took: seconds.of(name), errors: 0 };
      operations.set(name, operation);
    }
    return operation;
  };
  const timed = <A extends unknown[], T>(name: string, work: (...args: A) => Promise<T>) => {
    const operation = operationOf(name);
    return async (...args: A): Promise<T> => {
      const startedMs = performance.now();
      try {
        return await work(...args);
      } catch (error) {
        operation.errors++;
        throw error;
      } finally {
        operation.took.observe(performance.now() - startedMs);
      }
    };
  };
  const reads = (of: StateReads): StateReads => ({
    load: timed('load', (keys, fields) => of.load(keys, fields)),
    query: timed('query', (kind, query) => of.query(kind, query)),
    page: timed('page', (kind, page) => of.page(kind, page)),
    countBy: timed('countBy', (kind, path, where) => of.countBy(kind, path, where)),
    find: timed('find', (kind, query) => of.find(kind, query)),
    idsBetween: timed('idsBetween', (kind, range) => of.idsBetween(kind, range)),
    tombstones: timed('tombstones', (kind, before, limit) => of.tombstones(kind, before, limit)),
    scan: (kind) => of.scan(kind),
    versions: (kind) => of.versions(kind),
    deadLetters: timed('deadLetters', (options) => of.deadLetters(options)),
    deadLetter: timed('deadLetter', (id) => of.deadLetter(id)),
  });
  return {
    ...reads(store),
    prepare: (kinds) => store.prepare(kinds),
    unindexed: () => store.unindexed(),
    save: timed('save', (documents, mark) => store.save(documents, mark)),
    purge: timed('purge', (kind, found) => store.purge(kind, found)),
    park: timed('park', (parked) => store.park(parked)),
    markReplayed: timed('markReplayed', (id, atMs) => store.markReplayed(id, atMs)),
    markDiscarded: timed('markDiscarded', (id, discarded) => store.markDiscarded(id, discarded)),
    highWater: timed('highWater', (partition) => store.highWater(partition)),
    raiseHighWater: timed('raiseHighWater', (mark) => store.raiseHighWater(mark)),
    putIfAbsent: (name, value) => store.putIfAbsent(name, value),
    getValue: (name) => store.getValue(name),
    withdraw: (name) => store.withdraw(name),
    token: () => store.token(),
    latestToken: timed('latestToken', () => store.latestToken()),
    after: (token, use) => reads(store.after(token, use)),
    healthy: () => store.healthy(),
    close: () => store.close(),
  };
}
