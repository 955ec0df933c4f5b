import { rm } from 'node:fs/promises';
import type { LRUCache } from 'lru-cache';
import { type HostedMedia, hostedPath } from '../../exchange/creative/hosted-media.ts';
import type { MediaFacts } from '../../exchange/creative/media-facts.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import type { Random } from '../../runtime/ports/random.ts';
import { type StagedFile, stageFile } from './fetch/stage-file.ts';
import { TimeLimit } from './fetch/time-limit.ts';
import { Trail } from './fetch/trail.ts';
import { failureOf, type Web } from './fetch/web.ts';
import type { MediaInfo } from './probe/media-info.ts';
import { type Probed, probeImage, probePlayed } from './probe/probe-file.ts';
import type { CreativeSettings } from './settings.ts';
import type { CreativeStorage } from './storage/creative-storage.ts';

/** `played`: video or audio; `text`: captions. */
export type FileKind = 'played' | 'image' | 'text';

export interface HostingParts {
  readonly web: Web;
  readonly storage: CreativeStorage;
  readonly mediaInfo: MediaInfo;
  /** What files were found to be lately, by kind and SHA-256: many ads show the same file. */
  readonly probed: LRUCache<string, Probed>;
  readonly settings: CreativeSettings;
  /** A folder of this process's own for files that are on their way. */
  readonly stagingFolder: string;
  readonly clock: Clock;
  readonly random: Random;
}

export interface HostedFile {
  readonly media: HostedMedia;
  /** Null when nothing is known but its length: it is none of its kind. */
  readonly facts: Omit<MediaFacts, 'use' | 'bytes'> | null;
}

/** Fetches a file, finds out what it is, and stores it under its own name. @throws CreativeRefused, FetchFailed */
export async function hostFile(
  parts: HostingParts,
  url: string,
  kind: FileKind,
  stop: AbortSignal,
): Promise<HostedFile> {
  const { staged, contentType } = await fetchFile(parts, url, kind, stop);
  try {
    const probed = await probeOnce(parts, staged, kind);
    const mimeType = probed?.mimeType ?? unprobedType(kind, contentType);
    const { sha256, path, bytes } = staged;
    if (!(await parts.storage.has(sha256))) await parts.storage.put(sha256, { path, bytes, mimeType });
    const { video, image, durationMs, bitrateKbps } = probed?.facts ?? {};
    const { width, height } = video ?? image ?? {};
    const media: HostedMedia = {
      path: hostedPath(sha256),
      mimeType,
      bytes,
      ...(width !== undefined && height !== undefined && { width, height }),
      ...(durationMs !== undefined && { durationMs }),
      ...(bitrateKbps !== undefined && { bitrateKbps }),
    };
    return { media, facts: probed?.facts ?? null };
  } finally {
    await rm(staged.path, { force: true });
  }
}

/** An image is to be there within the load time; what is played is to begin within it. */
async function fetchFile(
  { web, settings, stagingFolder: folder, clock, random }: HostingParts,
  url: string,
  kind: FileKind,
  stop: AbortSignal,
): Promise<{ staged: StagedFile; contentType: string }> {
  const most = kind === 'played' ? settings.maxMediaBytes : settings.maxImageBytes;
  const limit = new TimeLimit(clock, settings.loadMs, 'load', stop);
  const { signal } = limit;
  let at: URL | null = null;
  try {
    const arriving = await web.get(url, new Trail(settings), signal);
    at = arriving.url;
    if (kind === 'played') limit.restart(settings.transferMs, 'arrive');
    const staged = await stageFile(arriving.body, { folder, most, random, signal });
    return { staged, contentType: arriving.contentType };
  } catch (error) {
    throw failureOf(error, at ?? new URL(url), signal);
  } finally {
    limit.end();
  }
}

async function probeOnce(parts: HostingParts, staged: StagedFile, kind: FileKind): Promise<Probed | null> {
  const key = `${kind} ${staged.sha256}`;
  const known = parts.probed.get(key);
  if (known) return known;
  const result = await probe(parts, staged, kind);
  // Null may be a probe that took too long.
  if (result !== null) parts.probed.set(key, result);
  return result;
}

function probe({ mediaInfo }: HostingParts, { path }: StagedFile, kind: FileKind): Promise<Probed | null> {
  switch (kind) {
    case 'played':
      return probePlayed(mediaInfo, path);
    case 'image':
      return probeImage(path);
    case 'text':
      return Promise.resolve(null);
  }
}

/** Of a file that is none of its kind: a browser saves it at most. */
export const UNKNOWN_TYPE = 'application/octet-stream';

const CAPTION_TYPES = ['text/vtt', 'application/ttml+xml', 'application/x-subrip', 'text/srt'];

/** Never a type that a browser would run or render as a page. */
function unprobedType(kind: FileKind, contentType: string): string {
  if (kind !== 'text') return UNKNOWN_TYPE;
  return CAPTION_TYPES.find((type) => contentType.startsWith(type)) ?? 'text/plain';
}
