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
  ['application/ogg', 'audio/ogg'],
  ['application/vnd.apple.mpegurl', 'application/x-mpegurl'],
]);

/** One name for all the names of a MIME type, without its parameters. */
export function sameMime(type: string): string {
  const plain = type.split(';')[0]!.trim().toLowerCase();
  return MIME_ALIASES.get(plain) ?? plain;
}
