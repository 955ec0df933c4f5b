/**
 * How a port can fail. A provider throws nothing else: a client library's own error is the `cause`.
 */

/** The log (or its connection) did not answer in time. **Outcome unknown**: an append may have happened, or may yet. */
export class LogUnavailable extends Error {
  override readonly name = 'LogUnavailable';
}

/** The store did not answer in time. **Outcome unknown**: a save may have happened, or may yet. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable';
}

/** Expiring counters did not answer in time. **Outcome unknown**: a write may have happened, or may yet. */
export class CountersUnavailable extends Error {
  override readonly name = 'CountersUnavailable';
}

/** A bound was reached; nothing was appended. */
export class Overloaded extends Error {
  override readonly name = 'Overloaded';
}

/** The value of a name was withdrawn: no value can be put under that name again. */
export class Withdrawn extends Error {
  override readonly name = 'Withdrawn';

  constructor(name: string) {
    super(`what was kept as ${name} was withdrawn from this store`);
  }
}

/** Another process holds the embedded data folder. */
export class DataFolderLocked extends Error {
  override readonly name = 'DataFolderLocked';
}

/** The log has never been used, but the caller needs one that has. Nothing was written. */
export class LogIsNew extends Error {
  override readonly name = 'LogIsNew';
}

/**
 * The log's servers are set up so that acknowledged data could be lost. A retry cannot help; an operator must change
 * the setup.
 */
export class LogUnsafe extends Error {
  override readonly name = 'LogUnsafe';
}
