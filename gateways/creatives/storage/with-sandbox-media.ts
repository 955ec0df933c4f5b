import { Readable } from 'node:stream';
import { MEDIA_FILES } from '../../bidders/synthetic/media-files.ts';
import type { CreativeStorage, StoredFile } from './creative-storage.ts';

/** The storage of creatives together with the files of the sandbox's synthetic demand, which every edge has. */
export function withSandboxMedia(storage: Pick<CreativeStorage, 'open'>): Pick<CreativeStorage, 'open'> {
  const files = new Map<string, StoredFile>();
  for (const { sha256, mimeType, bytes } of MEDIA_FILES) {
    files.set(sha256, {
      bytes: bytes.length,
      mimeType,
      read: async (range) => Readable.from([range === undefined ? bytes : bytes.subarray(range.start, range.end + 1)]),
    });
  }
  return { open: async (sha256) => files.get(sha256) ?? storage.open(sha256) };
}
