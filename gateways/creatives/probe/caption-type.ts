/** The type of captions by how they begin (WebVTT §4.1, TTML2 §5, the SubRip form); null for what is none. */
export function captionType(head: string): string | null {
  const text = head.replace(/^\ufeff/, '');
  if (/^WEBVTT(?:[ \t\r\n]|$)/.test(text)) return 'text/vtt';
  if (/^\s*(?:<\?xml[^>]*>\s*)?(?:<!--[^>]*>\s*)?<(?:\w+:)?tt[\s>]/.test(text)) return 'application/ttml+xml';
  return /^\s*\d+\r?\n\d+:\d\d:\d\d,\d+ -->/.test(text) ? 'application/x-subrip' : null;
}
