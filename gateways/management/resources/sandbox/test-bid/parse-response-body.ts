import type { Trial } from '#gateways/bidders/trial-call';

/** The largest number of characters that are shown of a body that is not JSON. */
const MAX_TEXT = 8_192;
/**
 * The deepest nesting that is shown as JSON. A deeper document is shown as text: it is not a bid response, and it could
 * not be serialized.
 */
const MAX_DEPTH = 64;

/** The body of an answer: its JSON value, otherwise its text, cut to a bound; null when there is no body to show. */
export function parseResponseBody({ outcome, text }: Trial): unknown {
  if (text === null || text === '') return null;
  const document = 'document' in outcome ? outcome.document : parsed(text);
  return document !== undefined && isFlat(document, MAX_DEPTH)
    ? document
    : text.slice(0, MAX_TEXT).replace(/\p{Surrogate}/gu, '\ufffd');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isFlat(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth > 0 && Object.values(value).every((part) => isFlat(part, depth - 1));
}
