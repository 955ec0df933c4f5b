import { createHash, type Hash } from 'node:crypto';
import { appendFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Partition } from './layout.ts';
import { RowsBuffer } from './rows-buffer.ts';

/** The bytes of rows of one partition from which on they are compressed and written. */
const PARTITION_BYTES = 256 * 1024;
/** The bytes of rows of all partitions from which on all are compressed and written. */
const ALL_BYTES = 12 * 1024 * 1024;
/** Of zlib: twice as fast as its default, and a fortieth larger. */
const LEVEL = 4;
/** Of compressed bytes that zlib hands over at once: mostly a whole member. */
const CHUNK_BYTES = 64 * 1024;
/** A file that has grown to this many bytes takes no more rows. */
const PART_BYTES = 8 * 1024 * 1024;

const compress = promisify(gzip);

/** A file of an hour as it lies in the staging folder. */
export interface StagedFile {
  readonly partition: Partition;
  /** The number of the file among those of its partition, from 0. */
  readonly part: number;
  readonly path: string;
  readonly rows: number;
  readonly bytes: number;
  /** Of the bytes, in lower-case hex. */
  readonly sha256: string;
}

interface OpenPart {
  readonly path: string;
  readonly hash: Hash;
  readonly part: number;
  rows: number;
  bytes: number;
}

interface OpenPartition {
  readonly partition: Partition;
  readonly name: string;
  readonly waiting: RowsBuffer;
  /** The number of parts that were begun. */
  parts: number;
  open: OpenPart | null;
}

/**
 * The files of an hour while they are written: rows are collected in memory and go to the disk as members of a gzip
 * file (RFC 1952 §2.2), some hundred kilobytes at a time, compressed by threads of the pool. So memory is bounded
 * whatever the number of rows and partitions, and no file stays open. The same rows in the same order make the same
 * bytes.
 */
export class StagedFiles {
  readonly #folder: string;
  readonly #partitions = new Map<string, OpenPartition>();
  readonly #full = new Set<OpenPartition>();
  readonly #done: StagedFile[] = [];
  #bytes = 0;
  #numbered = 0;

  /** `folder` must be empty, or not exist. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Whether `flush` must be called before more rows are added. */
  get mustFlush(): boolean {
    return this.#full.size > 0 || this.#bytes >= ALL_BYTES;
  }

  /** Adds a row: JSON text without its line end. */
  add(partition: Partition, row: string): void {
    const key = `${partition.event}/${partition.side}=${partition.id}`;
    let of = this.#partitions.get(key);
    if (of === undefined) {
      of = { partition, name: String(this.#numbered++), waiting: new RowsBuffer(), parts: 0, open: null };
      this.#partitions.set(key, of);
    }
    this.#bytes += of.waiting.add(row);
    if (of.waiting.length >= PARTITION_BYTES) this.#full.add(of);
  }

  /** Writes what there is much of. */
  async flush(): Promise<void> {
    const due = this.#bytes >= ALL_BYTES ? [...this.#partitions.values()] : [...this.#full];
    for (const of of due) await this.#write(of);
  }

  /** Writes everything. Resolves with all files, by event, side, id and part. */
  async finish(): Promise<readonly StagedFile[]> {
    for (const of of this.#partitions.values()) {
      await this.#write(of);
      this.#closePart(of);
    }
    return this.#done.sort((a, b) => byText(sortKey(a), sortKey(b)));
  }

  async #write(of: OpenPartition): Promise<void> {
    this.#full.delete(of);
    const { rows, length } = of.waiting;
    if (rows === 0) return;
    this.#bytes -= length;
    const member = await compress(of.waiting.take(), { level: LEVEL, chunkSize: CHUNK_BYTES });
    if (of.open === null) {
      await mkdir(this.#folder, { recursive: true });
      const part = of.parts++;
      const path = join(this.#folder, `${of.name}.${part}`);
      of.open = { path, hash: createHash('sha256'), part, rows: 0, bytes: 0 };
    }
    const { open } = of;
    await appendFile(open.path, member);
    open.hash.update(member);
    open.rows += rows;
    open.bytes += member.length;
    if (open.bytes >= PART_BYTES) this.#closePart(of);
  }

  #closePart(of: OpenPartition): void {
    if (of.open === null) return;
    const { hash, ...file } = of.open;
    this.#done.push({ partition: of.partition, ...file, sha256: hash.digest('hex') });
    of.open = null;
  }
}

function sortKey({ partition: { event, side, id }, part }: StagedFile): string {
  return `${event} ${side} ${id} ${String(part).padStart(9, '0')}`;
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
