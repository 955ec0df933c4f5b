import { randomUUID } from 'node:crypto';
import { type FileHandle, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, sync } from '../../runtime/sync-to-disk.ts';
import { type DecodedSpool, decodeSpool, encodeSpooled, type SpooledImpression, spoolHeader } from './spool-record.ts';

const SUFFIX = '.spool';
const DEFAULT_MAX_FILE_BYTES = 8 * 1024 * 1024;
/**
 * What a spool leaves free on its disk, bytes. Appends to an embedded log on the same disk end at twice as much: what
 * they leave to saves of state must not be taken by the impressions that are spooled because they have ended.
 */
export const RESERVED_BYTES = 32 * 1024 * 1024;
/** File of the impressions that were answered and yet refused when they were replayed; it is for operators to read. */
const TOO_LATE = 'too-late.log';

export interface SpoolOptions {
  /** Folder of one edge process alone. It is the same after each restart, so that the process finds what it left. */
  readonly folder: string;
  readonly maxFileBytes?: number;
  /** The id of the impressions' exchange: each file begins with it. */
  readonly exchange?: string;
  /** The bytes that are free on the disk of the folder; infinite when absent. */
  readonly freeBytes?: () => number;
}

interface PendingLine {
  readonly line: string;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Stores impressions while the log is away, in numbered, append-only files of one line each. An append is durable when
 * it resolves (one fsync for all that wait). It rejects with the file system's error, the lines may then be there or
 * not, and without a trace when the disk has less than {@link RESERVED_BYTES} left. Files are read oldest first; a file
 * is removed when all of it is in the log. Replaying twice is harmless: the log knows the ids.
 */
export class ImpressionSpool {
  readonly #folder: string;
  readonly #maxFileBytes: number;
  readonly #exchange: string | undefined;
  readonly #freeBytes: () => number;
  #waiting: PendingLine[] = [];
  /** Ends when all work begun on files has ended: one operation at a time. */
  #last: Promise<void> = Promise.resolve();
  #current: { readonly handle: FileHandle; bytes: number } | null = null;
  #nextNumber: number | null = null;

  constructor(options: SpoolOptions) {
    this.#folder = options.folder;
    this.#exchange = options.exchange;
    this.#freeBytes = options.freeBytes ?? (() => Number.POSITIVE_INFINITY);
    this.#maxFileBytes = options.maxFileBytes ?? DEFAULT_MAX_FILE_BYTES;
  }

  append(impression: SpooledImpression): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ line: encodeSpooled(impression), resolve, reject });
      if (this.#waiting.length === 1) void this.#inTurn(() => this.#writeWaiting());
    });
  }

  /** Names of the files with impressions, oldest first. Later appends go to later files. */
  files(): Promise<string[]> {
    return new Promise((resolve, reject) => {
      // In one turn: the next append would begin a file, whose later lines nobody would read.
      void this.#inTurn(() =>
        this.#closeCurrent()
          .then(() => this.#list())
          .then(resolve, reject),
      );
    });
  }

  /** How much waits to be replayed. Begins and ends no file; never waits for one. */
  async size(): Promise<{ readonly files: number; readonly bytes: number }> {
    const names = await this.#list();
    // A file that is gone meanwhile was replayed.
    const sizes = await Promise.all(
      names.map((name) =>
        stat(join(this.#folder, name)).then(
          (of) => of.size,
          () => 0,
        ),
      ),
    );
    return { files: names.length, bytes: sizes.reduce((sum, size) => sum + size, 0) };
  }

  async read(file: string): Promise<DecodedSpool> {
    return decodeSpool(await readFile(join(this.#folder, file), 'utf8'));
  }

  /** Removes a file of which everything is in the log, or stored by `keepTooLate`. */
  async remove(file: string): Promise<void> {
    await rm(join(this.#folder, file), { force: true });
    await sync(this.#folder);
  }

  /** Whether this edge may replay the file. */
  isOwn({ exchange }: DecodedSpool): boolean {
    return exchange === null || exchange === this.#exchange;
  }

  /** Sets a file of another exchange aside: only that exchange's log knows which of its impressions were billed. */
  async setForeignAside(file: string): Promise<void> {
    await rename(join(this.#folder, file), join(this.#folder, `${file}.${randomUUID()}.foreign`));
    await sync(this.#folder);
  }

  /** Sets a file with damaged lines aside for operators to read: each line was an impression that was answered. */
  async setAside(file: string): Promise<void> {
    await rename(join(this.#folder, file), join(this.#folder, `${file}.${randomUUID()}.damaged`));
    await sync(this.#folder);
  }

  /**
   * Stores, durably, the impressions that the log refuses as too late: all or, when it rejects, none, as operators sum
   * the file and the next try brings all of them again.
   */
  keepTooLate(impressions: readonly SpooledImpression[]): Promise<void> {
    return new Promise((resolve, reject) => {
      void this.#inTurn(() => this.#appendTooLate(impressions).then(resolve, reject));
    });
  }

  async close(): Promise<void> {
    await this.#inTurn(() => this.#closeCurrent());
  }

  /** `work` never rejects. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    this.#last = this.#last.then(work);
    return this.#last;
  }

  async #writeWaiting(): Promise<void> {
    const batch = this.#waiting;
    this.#waiting = [];
    try {
      if (this.#freeBytes() < RESERVED_BYTES) {
        throw new Error(`the disk of the spool has less than ${RESERVED_BYTES / 1024 / 1024} MB left`);
      }
      const lines = batch.map(({ line }) => line).join('');
      this.#current ??= await this.#create();
      await this.#current.handle.appendFile(lines);
      await this.#current.handle.datasync();
      this.#current.bytes += Buffer.byteLength(lines);
      for (const { resolve } of batch) resolve();
      if (this.#current.bytes >= this.#maxFileBytes) await this.#closeCurrent();
    } catch (error) {
      // A line may be torn now. The next batch begins a new file, so that a torn line is always a last line.
      await this.#closeCurrent();
      for (const { reject } of batch) reject(error);
    }
  }

  async #appendTooLate(impressions: readonly SpooledImpression[]): Promise<void> {
    const handle = await open(join(this.#folder, TOO_LATE), 'a');
    try {
      const { size } = await handle.stat();
      try {
        await handle.appendFile(impressions.map(encodeSpooled).join(''));
        await handle.datasync();
      } catch (error) {
        await handle.truncate(size);
        throw error;
      }
    } finally {
      await handle.close();
    }
  }

  async #create() {
    await makeFolder(this.#folder);
    if (this.#nextNumber === null) {
      const newest = (await this.#list()).at(-1);
      this.#nextNumber = newest ? Number.parseInt(newest, 10) + 1 : 1;
    }
    const name = `${String(this.#nextNumber++).padStart(12, '0')}${SUFFIX}`;
    const handle = await open(join(this.#folder, name), 'ax');
    try {
      if (this.#exchange !== undefined) await handle.appendFile(spoolHeader(this.#exchange));
      await sync(this.#folder);
    } catch (error) {
      await handle.close();
      throw error;
    }
    return { handle, bytes: 0 };
  }

  async #list(): Promise<string[]> {
    try {
      return (await readdir(this.#folder)).filter((name) => name.endsWith(SUFFIX)).sort();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
      throw error;
    }
  }

  async #closeCurrent(): Promise<void> {
    const current = this.#current;
    this.#current = null;
    await current?.handle.close().catch(() => {});
  }
}
