import type { Readable } from 'node:stream';

/** The name of a file: the SHA-256 of what is in it, hex, lower case. */
export const SHA256_NAME = /^[0-9a-f]{64}$/;

/** Bytes from the first to the last, both included, as HTTP counts them. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A file that is stored whole. */
export interface StoredFile {
  readonly bytes: number;
  /** As it was put. */
  readonly mimeType: string;
  /** Its bytes, or those of a range that lies within it; fails, having begun, when the storage does. */
  read(range?: ByteRange): Promise<Readable>;
}

export interface ListedFile {
  readonly sha256: string;
  readonly bytes: number;
}

/**
 * Where the files of creatives live, each under the SHA-256 of what is in it. Files are never changed, and removed when nothing
 * refers to them any more (collect/): who is about to rely on one asks `creative-disk` before, and looks again after. Every method rejects with `CreativeStorageUnavailable` when the storage fails; a
 * `put` may then have happened all the same.
 */
export interface CreativeStorage {
  has(sha256: string): Promise<boolean>;

  /**
   * Stores the file at `path`, whose SHA-256 and length the caller knows. Idempotent; at any moment, a crash included, the
   * whole file can be opened or none at all. The file at `path` stays the caller's, or is gone.
   */
  put(
    sha256: string,
    file: { readonly path: string; readonly bytes: number; readonly mimeType: string },
  ): Promise<void>;

  /** Null when there is none. */
  open(sha256: string): Promise<StoredFile | null>;

  /** All files, in no order; one that is stored meanwhile may be left out. */
  list(): AsyncIterable<ListedFile>;

  /** Nothing may refer to the file. Idempotent; who reads it at the moment may read it to its end. */
  remove(sha256: string): Promise<void>;

  close(): Promise<void>;
}

/** The storage of creatives cannot be reached, or failed. */
export class CreativeStorageUnavailable extends Error {
  override readonly name = 'CreativeStorageUnavailable';
}
