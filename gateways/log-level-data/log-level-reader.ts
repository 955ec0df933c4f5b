import type { Readable } from 'node:stream';
import { mapLimit } from '#async/map-limit';
import type { Destination } from './destination/destination.ts';
import { HOUR_MS, type Hour, hourOf } from './hour.ts';
import { hourManifestFile, type Side, sourceManifestFile } from './layout.ts';
import type { ManifestFile, SourceManifest } from './manifest.ts';

/** The hours of one answer that are read at once. */
const HOURS_AT_ONCE = 8;
/** The client of S3 has 50 connections for all that a process does: downloads leave some to the writer and to lists. */
const DOWNLOADS_AT_ONCE = 24;

/** A source's part of an hour that was written. Without a manifest the source has nothing in it. */
export interface SourceHour {
  readonly hour: Hour;
  readonly manifest: SourceManifest | null;
}

export interface LogLevelFile {
  readonly bytes: number;
  /** Of the file's bytes, hexadecimal. */
  readonly sha256: string;
  /** Opens the file. Rejects with `TooManyDownloads`, and with `DestinationUnavailable`. */
  read(): Promise<Readable>;
}

/** As many files are being downloaded from this process as it allows. */
export class TooManyDownloads extends Error {
  override readonly name = 'TooManyDownloads';
}

/**
 * Reads log-level data for one source at a time. It shows an hour when the manifest of the whole hour exists, and of it
 * only the files that the source's own manifest names. All methods reject with `DestinationUnavailable`.
 */
export class LogLevelReader {
  readonly #destination: Destination;
  readonly #open = new Set<Readable>();
  #opening = 0;

  constructor(destination: Destination) {
    this.#destination = destination;
  }

  /** The written hours that begin in [fromMs, toMs), the oldest first. */
  async hours(side: Side, id: string, fromMs: number, toMs: number): Promise<SourceHour[]> {
    const starts: number[] = [];
    for (let startMs = Math.ceil(fromMs / HOUR_MS) * HOUR_MS; startMs < toMs; startMs += HOUR_MS) starts.push(startMs);
    const found = await mapLimit(starts, HOURS_AT_ONCE, (startMs) => this.#hour(side, id, hourOf(startMs)));
    return found.filter((one) => one !== null);
  }

  /** One file by its event and its name without a folder; null where the source has no such file in the hour. */
  async file(side: Side, id: string, hour: Hour, event: string, file: string): Promise<LogLevelFile | null> {
    const { manifest } = (await this.#hour(side, id, hour)) ?? { manifest: null };
    const named = manifest?.files.find((one) => one.event === event && one.file === file);
    if (named === undefined) return null;
    const { bytes, sha256 } = named;
    const opened = await this.#destination.open(named.path);
    return opened === null ? null : { bytes, sha256, read: () => this.#read(named, opened.read) };
  }

  /**
   * Null where the hour is not written. The manifest of the hour is written last and deleted first, so the source has
   * nothing in the hour only when the hour has its manifest both before and after that of the source was not found.
   */
  async #hour(side: Side, id: string, hour: Hour): Promise<SourceHour | null> {
    const isWritten = () => this.#destination.has(hourManifestFile(hour));
    if (!(await isWritten())) return null;
    const text = await this.#destination.readText(sourceManifestFile(side, id, hour));
    if (text !== null) return { hour, manifest: JSON.parse(text) as SourceManifest };
    return (await isWritten()) ? { hour, manifest: null } : null;
  }

  async #read({ path }: ManifestFile, open: () => Promise<Readable>): Promise<Readable> {
    if (this.#open.size + this.#opening >= DOWNLOADS_AT_ONCE) throw new TooManyDownloads(path);
    this.#opening += 1;
    try {
      const stream = await open();
      this.#open.add(stream);
      stream.once('close', () => this.#open.delete(stream));
      return stream;
    } finally {
      this.#opening -= 1;
    }
  }
}
