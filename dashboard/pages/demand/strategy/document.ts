import type { AnswerBody } from '../../../api/queries.ts';

export type Strategy = AnswerBody<'get', '/api/demand/sources/{id}/strategy'>;

/** The API takes no more; white space is not sent. */
export const LARGEST_BYTES = 3_145_728;
/** Nothing larger is opened: no strategy is, however it is indented. */
export const LARGEST_FILE_BYTES = 20_000_000;
/** Longer texts are not coloured, completed and checked with each key: typing stays quick. */
export const LONGEST_RICH = 1_000_000;
/** Maximum number of marks in the text; the list above the text has all. */
export const MOST_MARKED = 200;
/** A document on one line, as programs write it, is laid out when it is opened. */
const LONGEST_LINE = 5_000;

export type Read =
  | { readonly ok: true; readonly document: Strategy; readonly bytes: number }
  | { readonly ok: false; readonly message: string; readonly position: number };

/** A text as a document, or what is wrong with it and where. Its fields are the API's to judge. */
export function readDocument(text: string): Read {
  try {
    const document = JSON.parse(text) as Strategy;
    return { ok: true, document, bytes: new Blob([JSON.stringify(document)]).size };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { ok: false, message, position: Math.min(positionIn(message), text.length) };
  }
}

/** Browsers say where, in words. */
function positionIn(message: string): number {
  const said = /position (\d+)/.exec(message);
  return said === null ? 0 : Number(said[1]);
}

export function writeDocument(document: unknown): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** A file's text as it is shown: as it is, unless it is unreadable. */
export function laidOut(text: string): string {
  const isLong = text.split('\n').some((line) => line.length > LONGEST_LINE);
  const read = isLong ? readDocument(text) : null;
  return read?.ok ? writeDocument(read.document) : text;
}

/** `12.3 KB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  if (bytes < 1_000_000) return `${(bytes / 1_000).toFixed(1)} KB`;
  return `${(bytes / 1_000_000).toFixed(2)} MB`;
}

/** Hands a text to the browser as a file. */
export function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
