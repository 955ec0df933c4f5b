const MOST_PIXELS = 10_000;
const DIGITS = /^\d{1,5}$/;

/** Pixels, 1 to 10,000; undefined for any other text. */
export function pixelsOf(text: string | undefined): number | undefined {
  if (text === undefined || !DIGITS.test(text)) return undefined;
  const pixels = Number(text);
  return pixels >= 1 && pixels <= MOST_PIXELS ? pixels : undefined;
}

/** A size such as `300x250`; undefined for any other text. */
export function sizeOf(text: string): { w: number; h: number } | undefined {
  const [w, h, ...more] = text.split('x').map(pixelsOf);
  return w === undefined || h === undefined || more.length > 0 ? undefined : { w, h };
}
