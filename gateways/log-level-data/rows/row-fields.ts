/** Characters that JSON does not escape. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** The last result: rows of a page come in the order of time, many in one second. */
let lastSecond = { number: -1, text: '' };

/** An instant as rows state it: ISO 8601, UTC, with ms. */
export function instant(atMs: number): string {
  const number = Math.floor(atMs / 1000);
  if (number !== lastSecond.number) {
    lastSecond = { number, text: new Date(number * 1000).toISOString().slice(0, -4) };
  }
  return `${lastSecond.text}${String(atMs - number * 1000).padStart(3, '0')}Z`;
}

export function instantOrNull(atMs: number | null): string {
  return atMs === null ? 'null' : `"${instant(atMs)}"`;
}

/** A text as JSON. */
export function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}

export function quotedOrNull(text: string | null): string {
  return text === null ? 'null' : quoted(text);
}
