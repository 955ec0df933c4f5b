const MOST_ELEMENTS = 10;
const MOST_CHARACTERS = 100;

/**
 * Shortens the value that a request has in a field. The value stands beside each condition on the field, of which there
 * may be tens of thousands. Long text and lists are cut, with a mark; an object is shown only as being one.
 */
export function shortenActualValue(actual: unknown): unknown {
  if (!Array.isArray(actual)) return shortenValue(actual);
  const shown = actual.slice(0, MOST_ELEMENTS).map(shortenValue);
  return actual.length > MOST_ELEMENTS ? [...shown, '…'] : shown;
}

function shortenValue(value: unknown): unknown {
  if (typeof value === 'string') return value.length > MOST_CHARACTERS ? `${cut(value)}…` : value;
  return typeof value === 'object' && value !== null ? '{…}' : value;
}

/** Cuts between two characters, never within a surrogate pair. */
function cut(text: string): string {
  const last = text.charCodeAt(MOST_CHARACTERS - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? MOST_CHARACTERS - 1 : MOST_CHARACTERS);
}
