/** Other names of MIME types that are in use. */
const MIME_ALIASES: ReadonlyMap<string, string> = new Map([
  ['audio/mp3', 'audio/mpeg'],
  ['audio/x-mp3', 'audio/mpeg'],
  ['audio/x-mpeg', 'audio/mpeg'],
  ['audio/m4a', 'audio/mp4'],
  ['audio/x-m4a', 'audio/mp4'],
  ['audio/aacp', 'audio/aac'],
  ['audio/x-aac', 'audio/aac'],
  ['audio/x-wav', 'audio/wav'],
  ['audio/wave', 'audio/wav'],
  ['audio/vnd.wave', 'audio/wav'],
  ['video/x-mp4', 'video/mp4'],
  ['video/m4v', 'video/mp4'],
  ['video/x-m4v', 'video/mp4'],
  ['video/x-webm', 'video/webm'],
  ['image/jpg', 'image/jpeg'],
  ['image/pjpeg', 'image/jpeg'],
  ['application/ogg', 'audio/ogg'],
  ['application/vnd.apple.mpegurl', 'application/x-mpegurl'],
]);

/** One name for all the names of a MIME type, without its parameters. */
export function sameMime(type: string): string {
  const plain = type.split(';')[0]!.trim().toLowerCase();
  return MIME_ALIASES.get(plain) ?? plain;
}

/**
 * Whether a type is among those taken, by any of its names; these may be of all kinds, as `video/*` or all there are.
 */
export function takesMime(taken: readonly string[], type: string): boolean {
  // Nearly always it is written as it is taken.
  if (taken.includes(type)) return true;
  const wanted = sameMime(type);
  return taken.some((each) => {
    const mime = sameMime(each);
    return mime === wanted || mime === '*/*' || (mime.endsWith('/*') && wanted.startsWith(mime.slice(0, -1)));
  });
}
