/** A record as it was read. */
export interface SharedRecord {
  /** Names this version of the record: no other version of any record has the same. */
  readonly version: string;
  readonly text: string;
}

/**
 * Small records that several processes change, each by comparing and setting: who has read an older version changes
 * nothing. What is answered is durable. Methods reject with `LogUnavailable` when the server cannot be reached or does
 * not answer within the provider's deadline; whether a record was replaced is then unknown, until it is read again.
 */
export interface SharedRecords {
  /** The number of groups that records are kept in. */
  readonly groups: number;
  /** Null where there is no such record. */
  read(id: string): Promise<SharedRecord | null>;
  /**
   * Replaces the record if its version is still `before`, null where there must be none; `text` null removes it.
   * Resolves with whether it did.
   */
  replace(id: string, before: string | null, text: string | null): Promise<boolean>;
  /** All records of one group. */
  list(group: number): Promise<(SharedRecord & { readonly id: string })[]>;
}
