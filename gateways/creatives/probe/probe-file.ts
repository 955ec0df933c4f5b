import { readFile } from 'node:fs/promises';
import type { MediaFacts } from '../../../exchange/creative/media-facts.ts';
import { imageFacts } from './image-facts.ts';
import { playedFacts, playedMimeType } from './media-facts.ts';
import type { MediaInfo } from './media-info.ts';

/** What a file is, without what its creative has it for. */
export interface Probed {
  /** As it is served. */
  readonly mimeType: string;
  readonly facts: Omit<MediaFacts, 'use' | 'bytes'>;
}

/** For a file of moderate size: it is read whole. Null for what is no image. */
export async function probeImage(path: string): Promise<Probed | null> {
  const probed = imageFacts(await readFile(path));
  if (probed === null) return null;
  const { mimeType, container, image } = probed;
  return { mimeType, facts: { container, image } };
}

/** Null for what has neither picture nor sound. */
export async function probePlayed(mediaInfo: MediaInfo, path: string): Promise<Probed | null> {
  const facts = playedFacts(await mediaInfo.report(path));
  return facts === null ? null : { mimeType: playedMimeType(facts), facts };
}
