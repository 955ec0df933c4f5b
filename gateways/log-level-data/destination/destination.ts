import type { Readable } from 'node:stream';

/** A file that lies on this machine's disk, to be stored. */
export interface LocalFile {
  readonly path: string;
  readonly bytes: number;
}

export interface OpenedFile {
  readonly bytes: number;
  read(): Promise<Readable>;
}

/**
 * Where log-level data is written: files by name, with `/` between folders. At any moment, also after a crash, a file
 * is whole or does not exist, and a stored file is durable. Every method rejects with `DestinationUnavailable` when the
 * destination fails; a `put` may have happened nevertheless.
 */
export interface Destination {
  /** A folder of this machine in which files are prepared. Its disk should have room for an hour's files. */
  readonly stagingFolder: string;
  /** Stores a file, in place of one with the name. The local file stays the caller's, or is moved away. */
  put(name: string, file: LocalFile): Promise<void>;
  putText(name: string, text: string): Promise<void>;
  has(name: string): Promise<boolean>;
  /** Null where there is no such file. */
  open(name: string): Promise<OpenedFile | null>;
  readText(name: string): Promise<string | null>;
  /** The names of the files right below a folder, sorted; none where it does not exist. */
  files(folder: string): Promise<string[]>;
  /** The names of the folders right below a folder, sorted; none where it does not exist. */
  folders(folder: string): Promise<string[]>;
  /** Removes a folder with all that is in it. Idempotent. */
  removeFolder(folder: string): Promise<void>;
  close(): void;
}

/** The destination of log-level data failed or cannot be reached. */
export class DestinationUnavailable extends Error {
  override readonly name = 'DestinationUnavailable';
}
