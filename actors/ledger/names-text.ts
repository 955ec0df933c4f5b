/** A row's key that is a UUID; see page.ts. */
const UUID_KEY = /^:([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})$/;
/** What a shortened key begins with; all others begin with `:`, or are `*`. */
const SHORT = '!';
const SEPARATOR = ' ';

/** The key of a row as packed pages and tables of names write it: a UUID in 22 characters. */
export function shortKey(key: string): string {
  const parts = UUID_KEY.exec(key);
  if (parts === null) return key;
  const hex = parts[1]! + parts[2]! + parts[3]! + parts[4]! + parts[5]!;
  return SHORT + Buffer.from(hex, 'hex').toString('base64url');
}

export function longKey(short: string): string {
  if (!short.startsWith(SHORT)) return short;
  const hex = Buffer.from(short.slice(1), 'base64url').toString('hex');
  return `:${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** The texts of tables, which only grow, as of their last use. */
const texts = new WeakMap<readonly string[], { readonly length: number; readonly text: string }>();

/** A table of names as one text. Keys of rows have no spaces. */
export function namesText(names: readonly string[]): string {
  const known = texts.get(names) ?? { length: 0, text: '' };
  if (known.length === names.length) return known.text;
  const more = names.slice(known.length).map(shortKey).join(SEPARATOR);
  const text = known.length === 0 ? more : known.text + SEPARATOR + more;
  texts.set(names, { length: names.length, text });
  return text;
}

export function namesOf(text: string): string[] {
  return text === '' ? [] : text.split(SEPARATOR).map(longKey);
}
