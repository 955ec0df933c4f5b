import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { sameMime } from '#exchange/creative/same-mime';

/** A small file of the synthetic demand: made for the project by scripts/sandbox-media.mjs and served by every edge. */
export interface MediaFile {
  readonly name: string;
  readonly mimeType: string;
  /** SHA-256 of its bytes, in hex: its name among creatives. */
  readonly sha256: string;
  readonly bytes: Buffer;
}

const FOLDER = new URL('./media/', import.meta.url);

const TYPES: Readonly<Record<string, string>> = {
  mp4: 'video/mp4',
  webm: 'video/webm',
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  aac: 'audio/aac',
  ogg: 'audio/ogg',
  png: 'image/png',
  gif: 'image/gif',
};

/** All files: some hundred kilobytes. */
export const MEDIA_FILES: readonly MediaFile[] = readdirSync(FOLDER).flatMap((name) => {
  const mimeType = TYPES[name.slice(name.lastIndexOf('.') + 1)];
  if (mimeType === undefined) return [];
  const bytes = readFileSync(new URL(name, FOLDER));
  return [{ name, mimeType, sha256: createHash('sha256').update(bytes).digest('hex'), bytes }];
});

const byName = new Map(MEDIA_FILES.map((file) => [file.name, file]));

interface TimedMediaFile {
  readonly seconds: number;
  readonly file: MediaFile;
}

/** Files by media type, the shortest first. */
const filesByMimeType = new Map<string, readonly TimedMediaFile[]>();
for (const file of MEDIA_FILES) {
  if (!file.name.startsWith('spot-')) continue;
  const spot = { seconds: Number.parseInt(file.name.slice('spot-'.length), 10), file };
  filesByMimeType.set(
    file.mimeType,
    [...(filesByMimeType.get(file.mimeType) ?? []), spot].sort((one, other) => one.seconds - other.seconds),
  );
}

/**
 * The spot for a slot: of the first of its media types that exists here (MP4 or MP3 where none does), with the wanted
 * length or the next shorter one.
 */
export function mediaFileFor(
  kind: 'video' | 'audio',
  mimes: readonly string[] | undefined,
  seconds: number,
): MediaFile {
  const types = (mimes ?? []).map(sameMime);
  const type =
    types.find((one) => one.startsWith(kind) && filesByMimeType.has(one)) ??
    (kind === 'video' ? 'video/mp4' : 'audio/mpeg');
  const lengths = filesByMimeType.get(type)!;
  return (lengths.findLast((spot) => spot.seconds <= seconds) ?? lengths[0]!).file;
}

/** A file by its name. */
export function mediaFile(name: string): MediaFile {
  return byName.get(name)!;
}

/** Where the files of one bid are served. */
export interface MediaOrigin {
  /** Prefix of the edge's URLs of creatives, without a slash at its end. */
  readonly creativesUrl: string;
  /** Whether the imp accepts HTTPS only. */
  readonly secure: boolean;
}

/** URL of a file; a data URL where the imp is secure and the edge, on a developer's machine, is not. */
export function urlOf({ sha256, mimeType, bytes }: MediaFile, { creativesUrl, secure }: MediaOrigin): string {
  if (secure && !creativesUrl.startsWith('https:')) return `data:${mimeType};base64,${bytes.toString('base64')}`;
  return `${creativesUrl}/creative/${sha256}`;
}
