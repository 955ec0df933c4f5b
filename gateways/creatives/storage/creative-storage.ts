import type { Readable } from 'node:stream';

/** The name of a file: the SHA-256 of its bytes, in hex and lower case. */
export const SHA256_NAME = /^[0-9a-f]{64}$/;

/** A byte range from the first to the last byte, both included, as HTTP counts them. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A completely stored file. */
export interface StoredFile {
  readonly bytes: number;
  /** The media type that the file was stored with. */
  readonly mimeType: string;
  /**
   * Reads all bytes, or those of a range within the file. The stream fails, also after its start, when the storage
   * does.
   */
  read(range?: ByteRange): Promise<Readable>;
}

export interface ListedFile {
  readonly sha256: string;
  readonly bytes: number;
}

/**
 * The storage of creatives' files, each under the SHA-256 of its bytes. Files never change, and are removed when no
 * asset refers to them any more (collect-files.ts). A process that is about to rely on a file asks the actor
 * `creative-disk` first, and checks the storage again afterwards. Every method rejects with
 * `CreativeStorageUnavailable` when the storage fails; a `put` may have happened nevertheless.
 */
export interface CreativeStorage {
  has(sha256: string): Promise<boolean>;

  /**
   * Stores the file at `path`; the caller knows its SHA-256 and length. Idempotent. At any moment, also after a crash,
   * either the whole file can be opened or no file. The file at `path` stays the caller's, or is moved away.
   */
  put(
    sha256: string,
    file: { readonly path: string; readonly bytes: number; readonly mimeType: string },
  ): Promise<void>;

  /** Null when there is no such file. */
  open(sha256: string): Promise<StoredFile | null>;

  /** All files, in no order; a file that is stored during the listing may be left out. */
  list(): AsyncIterable<ListedFile>;

  /** Removes a file that nothing refers to. Idempotent; a read under way can continue to the end of the file. */
  remove(sha256: string): Promise<void>;

  close(): Promise<void>;
}

/** The storage of creatives failed or cannot be reached. */
export class CreativeStorageUnavailable extends Error {
  override readonly name = 'CreativeStorageUnavailable';
}
