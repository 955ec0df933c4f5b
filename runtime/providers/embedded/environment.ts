import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, open, type RootDatabase } from 'lmdb';
import { DATA_FILE } from './data-file.ts';

/** One lmdb environment, `exchange.mdb` in the data folder, with a database for each kind of data. */
export interface Environment {
  readonly root: RootDatabase;
  /** `[partition, ms, sequence]` of the first entry → a run of entries. */
  readonly entries: Database<string, [number, number, number]>;
  /** Partition → its state besides its entries. */
  readonly partitions: Database<string, number>;
  /** `[hour, partition, id]` → idempotent entries and their marks. */
  readonly once: Database<string, [number, number, string]>;
  /** Hour → the time when its ids are forgotten, ms since the epoch. */
  readonly onceHours: Database<string, number>;
  /** Number → payload. */
  readonly catalogue: Database<string, number>;
  /** `kind/id` → document. */
  readonly documents: Database<string, string>;
  /** `kind/id` → the id and the values at the indexed paths of a document that is no tombstone. */
  readonly facets: Database<string, string>;
  /** Kind → its indexed paths. */
  readonly kinds: Database<string, string>;
  readonly deadLetters: Database<string, string>;
  /** Group, key and mark → those and the mark's end. */
  readonly expiringMarks: Database<string, string>;
  /** Key → the key, its sum and its expiry. */
  readonly expiringSums: Database<string, string>;
  /** What concerns other logs: the name of this log's data, and relayed entries that came too late. */
  readonly relayed: Database<string, string>;
  /** High-water marks and named values. */
  readonly marks: Database<string, string>;
}

/**
 * The size of a page of new files, bytes; an existing file keeps its own. lmdb orders the numbers of all free pages
 * anew in each commit, in time that grows with the square of their number: with its pages of 4 KB a file that had held
 * 100,000 new campaigns took up to 40 ms for each of ten commits a second.
 */
const PAGE_BYTES = 16_384;

export function openEnvironment(folder: string): Environment {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, DATA_FILE);
  const root = open({
    path,
    noSubdir: true,
    pageSize: PAGE_BYTES,
    maxDbs: 16,
    // A commit's promise resolves after the sync; see CommitGroup.
    overlappingSync: false,
    // CommitGroup makes its own batches; those of lmdb would leave an unhandled promise when a commit fails.
    eventTurnBatching: false,
    // The pages of a new transaction contain old memory of this process, in files that only this process reads.
    noMemInit: true,
    encoding: 'string',
  });
  for (const file of [path, `${path}-lock`]) chmodSync(file, 0o600);
  chmodSync(folder, 0o700);
  const database = <K extends string | number | [number, number, number] | [number, number, string]>(name: string) =>
    root.openDB<string, K>({ name, encoding: 'string' });
  return {
    root,
    entries: database('entries'),
    partitions: database('partitions'),
    once: database('once'),
    onceHours: database('once-hours'),
    catalogue: database('catalogue'),
    documents: database('documents'),
    facets: database('facets'),
    kinds: database('kinds'),
    deadLetters: database('dead-letters'),
    expiringMarks: database('expiring-marks'),
    expiringSums: database('expiring-sums'),
    relayed: database('relayed'),
    marks: database('marks'),
  };
}
