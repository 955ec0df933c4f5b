import { rm } from 'node:fs/promises';
import type { LRUCache } from 'lru-cache';
import { type HostedMedia, hostedPath } from '../../exchange/creative/hosted-media.ts';
import type { MediaFacts } from '../../exchange/creative/media-facts.ts';
import { parseUrl } from '../../exchange/parse-url.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import type { Random } from '../../runtime/ports/random.ts';
import { type CreativeFetcher, fetchErrorOf } from './fetch/creative-fetcher.ts';
import { CreativeRefused } from './fetch/failures.ts';
import { FetchLimit } from './fetch/fetch-limit.ts';
import { RedirectTrail } from './fetch/redirect-trail.ts';
import { type StagedFile, stageFile } from './fetch/stage-file.ts';
import type { ProbeResult } from './probe/probe-file.ts';
import type { Prober } from './probe/prober.ts';
import type { NeededFile } from './quota/file-quota.ts';
import { assertFreeSpace } from './quota/free-space.ts';
import type { CreativeSettings } from './settings.ts';
import type { CreativeStorage } from './storage/creative-storage.ts';

/**
 * The kind of file that a creative expects. `played`: a rendition of an ad, in any format that a player knows; `text`:
 * captions.
 */
export type FileKind = 'played' | 'audio' | 'image' | 'text';

export interface HostingDeps {
  readonly web: Pick<CreativeFetcher, 'get'>;
  readonly storage: CreativeStorage;
  readonly prober: Pick<Prober, 'probe'>;
  /**
   * Counts a file before it is stored, and protects it from collection.
   * @throws CreativeRefused, FetchFailed
   */
  readonly room: { keep(file: NeededFile): Promise<void> };
  /** Answers the free bytes of a folder's file system; the operating system's answer when absent. */
  readonly freeBytes?: (folder: string) => Promise<number>;
  /** Results of recent probes by SHA-256: many ads show the same file. */
  readonly probed: LRUCache<string, ProbeResult>;
  readonly settings: CreativeSettings;
  /** A folder that only this process uses, for files in transfer. */
  readonly stagingFolder: string;
  readonly clock: Clock;
  readonly random: Random;
}

export interface HostedFile {
  readonly media: HostedMedia;
  /** Null when the file is not of its kind, for kinds that may have any content. */
  readonly facts: Omit<MediaFacts, 'use' | 'bytes'> | null;
}

/**
 * Fetches a file, probes it, and stores it under its SHA-256. Refuses a file that should be an image or audio and is
 * not.
 * @throws CreativeRefused, FetchFailed
 */
export async function hostFile(deps: HostingDeps, url: string, kind: FileKind, stop: AbortSignal): Promise<HostedFile> {
  const staged = await fetchFile(deps, url, kind, stop);
  try {
    const { mimeType, facts: found } = await probeOnce(deps, staged, stop);
    const facts = isOfKind(kind, found) ? found : null;
    if (facts === null && (kind === 'image' || kind === 'audio')) {
      throw new CreativeRefused(`leads to a file that is no ${kind} that is known: ${url}`);
    }
    await keepFile(deps, { ...staged, mimeType });
    return { media: hostedMedia(staged, mimeType, facts), facts };
  } finally {
    await rm(staged.path, { force: true });
  }
}

/** What a stored file is called in the ads that show it. */
export function hostedMedia(
  { sha256, bytes }: Pick<StagedFile, 'sha256' | 'bytes'>,
  mimeType: string,
  facts: HostedFile['facts'],
): HostedMedia {
  const { video, image, durationMs, bitrateKbps } = facts ?? {};
  const { width, height } = video ?? image ?? {};
  return {
    path: hostedPath(sha256),
    mimeType,
    bytes,
    ...(width !== undefined && height !== undefined && { width, height }),
    ...(durationMs !== undefined && { durationMs }),
    ...(bitrateKbps !== undefined && { bitrateKbps }),
  };
}

/**
 * Counts the file before storing it. A file that the storage already has may be deleted until it is counted, so its
 * presence is checked again afterwards.
 */
export async function keepFile(
  { storage, room }: Pick<HostingDeps, 'storage' | 'room'>,
  { sha256, path, bytes, mimeType }: StagedFile & { readonly mimeType: string },
): Promise<void> {
  const stored = await storage.has(sha256);
  await room.keep({ sha256, bytes, stored });
  if (!stored || !(await storage.has(sha256))) await storage.put(sha256, { path, bytes, mimeType });
}

/** An image must arrive completely within the load time; the transfer of video and audio must begin within it. */
async function fetchFile(
  { web, settings, stagingFolder: folder, clock, random, freeBytes }: HostingDeps,
  url: string,
  kind: FileKind,
  stop: AbortSignal,
): Promise<StagedFile> {
  const isPlayed = kind === 'played' || kind === 'audio';
  const most = isPlayed ? settings.maxMediaBytes : settings.maxImageBytes;
  const limit = new FetchLimit(clock, settings.loadMs, 'load', stop);
  const { signal } = limit;
  let at: URL | null = null;
  try {
    const checkSpace = () => assertFreeSpace(folder, settings.diskReserveBytes, freeBytes);
    await checkSpace();
    const arriving = await web.get(url, new RedirectTrail(settings), signal);
    at = arriving.url;
    if (isPlayed) limit.restart(settings.transferMs, 'arrive');
    return await stageFile(arriving.body, { folder, most, random, signal, checkSpace: checkSpace });
  } catch (error) {
    throw fetchErrorOf(error, at ?? parseUrl(url), signal);
  } finally {
    limit.end();
  }
}

/**
 * Probes a file, or finds the result of an earlier probe.
 * @throws FetchFailed when there is none; another probe may have one
 */
export async function probeOnce(
  deps: Pick<HostingDeps, 'probed' | 'prober'>,
  { sha256, path }: StagedFile,
  stop: AbortSignal,
): Promise<ProbeResult> {
  const known = deps.probed.get(sha256);
  if (known) return known;
  const found = await deps.prober.probe(path, stop);
  deps.probed.set(sha256, found);
  return found;
}

/** Whether a file is what its creative takes it for. */
export function isOfKind(kind: FileKind, facts: ProbeResult['facts']): boolean {
  switch (kind) {
    case 'image':
      return facts?.image !== undefined;
    case 'audio':
      return facts?.audio !== undefined;
    case 'played':
      return facts?.audio !== undefined || facts?.video !== undefined;
    case 'text':
      return false;
  }
}
