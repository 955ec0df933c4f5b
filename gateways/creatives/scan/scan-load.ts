import { rm } from 'node:fs/promises';
import type { FindingCode } from '#actors/creative/scan';
import type { HostedMedia } from '#exchange/creative/hosted-media';
import { parseUrl } from '#exchange/parse-url';
import { fetchErrorOf } from '../fetch/creative-fetcher.ts';
import { CreativeRefused, FetchFailed } from '../fetch/failures.ts';
import { FetchLimit } from '../fetch/fetch-limit.ts';
import { readBytes } from '../fetch/read-bytes.ts';
import { type StagedFile, stageFile } from '../fetch/stage-file.ts';
import { xmlText } from '../fetch/xml-text.ts';
import {
  type FileKind,
  type HostedFile,
  type HostingDeps,
  hostedMedia,
  isOfKind,
  keepFile,
  probeOnce,
} from '../host-file.ts';
import { assertFreeSpace } from '../quota/free-space.ts';
import type { Findings } from './findings.ts';
import { fillAddress, type SampleValues, sampleValues } from './sample-values.ts';
import { ScanTrail } from './scan-trail.ts';

/** Within this time a viewer is to see a creative (specification, "Limits"). */
const MAX_LOAD_MS = 1_500;
/** A server that has not begun to answer by then counts as one that does not. */
const GIVE_UP_MS = 5_000;
/** Bytes of all that one scan loads. */
const MAX_BYTES = 500 * 1024 * 1024;

/** A text that a creative loads. */
export interface LoadedText {
  readonly text: string;
  /** After all redirects. */
  readonly url: URL;
}

/** A file that a creative shows or plays, on the disk of this process. */
export interface LoadedFile {
  readonly staged: StagedFile;
  readonly mimeType: string;
  readonly facts: HostedFile['facts'];
  /**
   * Whether a copy is as good as the file at its origin: its server neither redirects to it, nor sets cookies with it,
   * nor forbids caches to keep it, all of which count views.
   */
  readonly isPlainFile: boolean;
}

/**
 * Loads what one creative is made of, each address once, and measures it: bytes, milliseconds, redirects, domains. What
 * a load gives away against its creative is among the findings. `close` removes the files from this process.
 */
export class ScanLoad {
  readonly findings: Findings;
  readonly values: SampleValues;
  readonly #deps: HostingDeps;
  readonly #stop: AbortSignal;
  readonly #files = new Map<string, Promise<LoadedFile | null>>();
  readonly #domains = new Set<string>();
  readonly #failures = new Map<string, string>();
  readonly #passing = new Set<string>();
  #slowestMs = 0;
  #redirects = 0;
  #bytes = 0;

  constructor(deps: HostingDeps, findings: Findings, stop: AbortSignal) {
    this.#deps = deps;
    this.findings = findings;
    this.#stop = stop;
    this.values = sampleValues(deps.random);
  }

  get measured(): { domains: string[]; redirects: number; loadMs: number; bytes: number } {
    const domains = [...this.#domains];
    return { domains, redirects: this.#redirects, loadMs: Math.round(this.#slowestMs), bytes: this.#bytes };
  }

  trail(): ScanTrail {
    return new ScanTrail(this.#deps.settings, this.findings);
  }

  /** The address as it is asked. */
  filled(url: string): string {
    return fillAddress(url, this.values, this.#deps.clock, this.#deps.random);
  }

  domain(domain: string): void {
    this.#domains.add(domain);
  }

  /** Counts the time from the first request to what a viewer waits for. */
  took(ms: number, url: string): void {
    this.#slowestMs = Math.max(this.#slowestMs, ms);
    if (ms > MAX_LOAD_MS) {
      this.findings.add('too-slow', `It took longer than ${MAX_LOAD_MS / 1000} s to load.`, url);
    }
  }

  /**
   * Why an address could not be loaded, as a sentence without its subject; null for one that could be, or was not
   * asked.
   */
  failureOf(url: string): string | null {
    return this.#failures.get(url) ?? null;
  }

  /** Whether an address that could not be loaded may be there again later. */
  isPassing(url: string): boolean {
    return this.#passing.has(url);
  }

  /** Reads one text along a trail. @throws CreativeRefused, FetchFailed */
  async read(address: string, trail: ScanTrail, most: number, signal: AbortSignal): Promise<LoadedText> {
    trail.begin();
    const arriving = await this.#deps.web.get(address, trail, signal);
    const bytes = await readBytes(arriving.body, most);
    this.#count(bytes.length);
    return { text: xmlText(bytes, arriving.contentType), url: arriving.url };
  }

  /**
   * Loads a text, and once more where the first time was too slow or failed, since one slow answer says nothing of a
   * creative; null where it cannot be loaded, which is among the findings.
   */
  async text(address: string, most: number): Promise<LoadedText | null> {
    return this.#twice(address, async (trail, signal) => this.read(this.filled(address), trail, most, signal));
  }

  /** Loads a file, once, whoever asks. Null where it cannot be loaded, which is among the findings. */
  file(address: string, kind: FileKind): Promise<LoadedFile | null> {
    let file = this.#files.get(address);
    if (file === undefined) {
      file = this.#file(address, kind);
      this.#files.set(address, file);
    }
    return file;
  }

  /** Stores a file under its hash. @throws CreativeRefused where there is none or it is of another kind, FetchFailed */
  async host(address: string, kind: FileKind): Promise<HostedFile> {
    const file = await this.file(address, kind);
    if (file === null) {
      const why = this.failureOf(address) ?? 'names a file that could not be loaded';
      throw this.isPassing(address) ? new FetchFailed(why) : new CreativeRefused(why);
    }
    const facts = isOfKind(kind, file.facts) ? file.facts : null;
    if (facts === null && (kind === 'image' || kind === 'audio')) {
      throw new CreativeRefused(`leads to a file that is no ${kind} that is known`);
    }
    await keepFile(this.#deps, { ...file.staged, mimeType: file.mimeType });
    return { media: this.media(file), facts };
  }

  media({ staged, mimeType, facts }: LoadedFile): HostedMedia {
    return hostedMedia(staged, mimeType, facts);
  }

  async close(): Promise<void> {
    for (const file of this.#files.values()) {
      const loaded = await file.catch(() => null);
      if (loaded !== null) await rm(loaded.staged.path, { force: true });
    }
  }

  async #file(address: string, kind: FileKind): Promise<LoadedFile | null> {
    const arrived = await this.#twice(address, (trail, signal, limit) =>
      this.#stage(address, kind, trail, signal, limit),
    );
    if (arrived === null) return null;
    const { staged, isPlainFile } = arrived;
    try {
      const found = await probeOnce(this.#deps, staged, this.#stop);
      return { staged, mimeType: found.mimeType, facts: found.facts, isPlainFile };
    } catch (error) {
      await rm(staged.path, { force: true });
      throw error;
    }
  }

  async #stage(
    address: string,
    kind: FileKind,
    trail: ScanTrail,
    signal: AbortSignal,
    limit: LoadClock,
  ): Promise<{ staged: StagedFile; isPlainFile: boolean }> {
    const { web, settings, stagingFolder: folder, random, freeBytes } = this.#deps;
    const isPlayed = kind === 'played' || kind === 'audio';
    const checkSpace = () => assertFreeSpace(folder, settings.diskReserveBytes, freeBytes);
    await checkSpace();
    const arriving = await web.get(this.filled(address), trail, signal);
    if (isPlayed) limit.began(settings.transferMs);
    const most = isPlayed ? settings.maxMediaBytes : settings.maxImageBytes;
    const staged = await stageFile(arriving.body, { folder, most, random, signal, checkSpace });
    this.#count(staged.bytes);
    const isPlainFile =
      trail.redirects === 0 &&
      arriving.header('set-cookie') === '' &&
      !/no-store|no-cache|private|max-age=0\b/i.test(arriving.header('cache-control'));
    return { staged, isPlainFile };
  }

  async #twice<T>(
    address: string,
    load: (trail: ScanTrail, signal: AbortSignal, limit: LoadClock) => Promise<T>,
  ): Promise<T | null> {
    const first = await this.#once(address, load);
    const done = first.loaded !== null && first.ms <= MAX_LOAD_MS ? first : await this.#better(first, address, load);
    this.#domainsOf(done.trail);
    if (done.loaded === null) {
      this.fails(address, done.error);
      return null;
    }
    this.took(done.ms, address);
    return done.loaded;
  }

  async #better<T>(
    first: Attempt<T>,
    address: string,
    load: (trail: ScanTrail, signal: AbortSignal, limit: LoadClock) => Promise<T>,
  ): Promise<Attempt<T>> {
    if (first.error instanceof CreativeRefused) return first;
    const second = await this.#once(address, load);
    const isBetter = second.loaded !== null && (first.loaded === null || second.ms < first.ms);
    const [kept, dropped] = isBetter ? [second, first] : [first, second];
    const staged = (dropped.loaded as { staged?: StagedFile } | null)?.staged;
    if (staged !== undefined) await rm(staged.path, { force: true });
    return kept;
  }

  async #once<T>(
    address: string,
    load: (trail: ScanTrail, signal: AbortSignal, limit: LoadClock) => Promise<T>,
  ): Promise<Attempt<T>> {
    const { clock } = this.#deps;
    const limit = new FetchLimit(clock, GIVE_UP_MS, 'load', this.#stop);
    const beganMs = clock.monotonic();
    let firstByteMs: number | null = null;
    const trail = this.trail();
    try {
      const began = (forMs: number) => {
        firstByteMs = clock.monotonic() - beganMs;
        limit.restart(forMs, 'arrive');
      };
      const loaded = await load(trail, limit.signal, { began });
      return { loaded, ms: firstByteMs ?? clock.monotonic() - beganMs, trail, error: null };
    } catch (error) {
      this.#stop.throwIfAborted();
      const failure = fetchErrorOf(error, parseUrl(address), limit.signal);
      const ms = clock.monotonic() - beganMs;
      if (limit.signal.aborted && firstByteMs === null) this.#slowestMs = Math.max(this.#slowestMs, ms);
      const late = limit.signal.aborted ? new FetchFailed(failure.message, { cause: 'late' }) : failure;
      return { loaded: null, ms, trail, error: late };
    } finally {
      limit.end();
    }
  }

  /** What an error says of the creative. @throws the error where it says nothing of it */
  fails(address: string, error: unknown): void {
    if (!(error instanceof CreativeRefused || error instanceof FetchFailed)) throw error;
    this.#failures.set(address, error.message);
    if (error instanceof FetchFailed) this.#passing.add(address);
    if (error.cause === 'late') {
      this.findings.add('too-slow', `It ${error.message}.`, address);
      return;
    }
    this.findings.add(CODE_OF[(error as CreativeRefused).because ?? 'none'], `It ${error.message}.`, address);
  }

  #domainsOf(trail: ScanTrail): void {
    for (const domain of trail.domains) this.#domains.add(domain);
    this.#redirects = Math.max(this.#redirects, trail.redirects);
  }

  /** Takes over what a trail of several texts has met. */
  ended(trail: ScanTrail): void {
    this.#domainsOf(trail);
  }

  #count(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > MAX_BYTES) throw new CreativeRefused(`loads more than ${MAX_BYTES / 1024 / 1024} MB`);
  }
}

/** What a refusal is called among the findings. */
const CODE_OF: Readonly<Record<NonNullable<CreativeRefused['because']> | 'none', FindingCode>> = {
  address: 'forbidden-address',
  document: 'unreadable-markup',
  length: 'too-large',
  steps: 'too-many-redirects',
  vpaid: 'vpaid',
  wrappers: 'too-many-wrappers',
  none: 'unreachable',
};

interface LoadClock {
  /** The first byte has arrived; the rest may take so long. */
  began(forMs: number): void;
}

interface Attempt<T> {
  readonly loaded: T | null;
  readonly ms: number;
  readonly trail: ScanTrail;
  readonly error: Error | null;
}
