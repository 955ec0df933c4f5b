import { open, readFile, stat } from 'node:fs/promises';
import type { MediaFacts } from '#exchange/creative/media-facts';
import { audioVideoFacts, audioVideoMimeType } from './audio-video-facts.ts';
import { imageFacts } from './image-facts.ts';

/** The type and facts of a file, found from its bytes alone, whatever use its creative names. */
export interface ProbeResult {
  /** The media type that the file is served with. */
  readonly mimeType: string;
  /** Null for text and for a file of an unknown kind. */
  readonly facts: Omit<MediaFacts, 'use' | 'bytes'> | null;
}

/** The type of unknown files. A browser never runs it or renders it as a page; it saves the file at most. */
export const UNKNOWN_TYPE = 'application/octet-stream';

/** Images are read into memory; a longer file is not taken for an image. */
const MAX_IMAGE_BYTES = 10 * 1024 * 1024;
const CAPTION_HEAD_BYTES = 1_024;

/**
 * Finds out the type of a file. All callers get a hosted file with the type of its first probe, so the type must depend
 * on the bytes alone: otherwise an account could name another account's film as captions and have it served as text.
 */
export async function probeFile(path: string, mediaInfo: (path: string) => Promise<unknown>): Promise<ProbeResult> {
  const { size } = await stat(path);
  const image = size > MAX_IMAGE_BYTES ? null : imageFacts(await readFile(path));
  if (image !== null) {
    return { mimeType: image.mimeType, facts: { container: image.container, image: image.image } };
  }
  const played = audioVideoFacts(await mediaInfo(path).catch(() => null));
  if (played !== null) return { mimeType: audioVideoMimeType(played), facts: played };
  return { mimeType: captionType(await headOf(path)) ?? UNKNOWN_TYPE, facts: null };
}

async function headOf(path: string): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(CAPTION_HEAD_BYTES), 0, CAPTION_HEAD_BYTES, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** The type of captions by their first characters (WebVTT §4.1, TTML2 §5, the SubRip form); null for any other text. */
export function captionType(head: string): string | null {
  const text = head.replace(/^\ufeff/, '');
  if (/^WEBVTT(?:[ \t\r\n]|$)/.test(text)) return 'text/vtt';
  if (/^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^>]*>\s*)?<(?:\w+:)?tt[\s>]/.test(text)) return 'application/ttml+xml';
  return /^\s*\d+\r?\n\d+:\d\d:\d\d,\d+ -->/.test(text) ? 'application/x-subrip' : null;
}
