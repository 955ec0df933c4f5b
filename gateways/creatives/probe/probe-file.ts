import { open, readFile, stat } from 'node:fs/promises';
import type { MediaFacts } from '../../../exchange/creative/media-facts.ts';
import { audioVideoFacts, audioVideoMimeType } from './audio-video-facts.ts';
import { imageFacts } from './image-facts.ts';

/** What a file is by what is in it, whatever its creative has it for. */
export interface ProbeResult {
  /** As it is served. */
  readonly mimeType: string;
  /** Null for text, and for what is none of the kinds that are known. */
  readonly facts: Omit<MediaFacts, 'use' | 'bytes'> | null;
}

/** Never a type that a browser would run or render as a page: it saves such a file at most. */
export const UNKNOWN_TYPE = 'application/octet-stream';

/** Images are read whole; nothing longer is taken for one. */
const MAX_IMAGE_BYTES = 10 * 1024 * 1024;
const CAPTION_HEAD_BYTES = 1_024;

/**
 * A file is served, to everybody and for ever, as what it was found to be first. That must hang on its bytes alone: else
 * whoever names another's film as captions would have it served as text.
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

/** The type of captions by how they begin (WebVTT §4.1, TTML2 §5, the SubRip form); null for what is none. */
export function captionType(head: string): string | null {
  const text = head.replace(/^\ufeff/, '');
  if (/^WEBVTT(?:[ \t\r\n]|$)/.test(text)) return 'text/vtt';
  if (/^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^>]*>\s*)?<(?:\w+:)?tt[\s>]/.test(text)) return 'application/ttml+xml';
  return /^\s*\d+\r?\n\d+:\d\d:\d\d,\d+ -->/.test(text) ? 'application/x-subrip' : null;
}
