const decimal = /^-?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/;

/** The number that a condition's value spells in decimals; null when it spells none. */
export function numberOf(text: string): number | null {
  const trimmed = text.trim();
  return decimal.test(trimmed) ? Number(trimmed) : null;
}

/** The entries of a comma-separated list, without empty ones. */
export function entriesOf(list: string): string[] {
  return list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}
