/**
 * A point in the history of a store: everything acknowledged up to an instant of the store's clock. Form:
 * `<instant>.<the store's own part>`, the instant in 16 hexadecimal digits, so that a later instant is the greater
 * text. '' where every read sees everything acknowledged before.
 */
export type StoreToken = string;

const INSTANT_DIGITS = 16;

/** The later token: a read after it is also a read after the other. */
export function newerToken(a: StoreToken, b: StoreToken): StoreToken {
  return instantOf(b) > instantOf(a) ? b : a;
}

export function newestToken(tokens: Iterable<StoreToken>): StoreToken {
  let newest = '';
  for (const token of tokens) newest = newerToken(newest, token);
  return newest;
}

/** The token of an instant, which has at most 16 hexadecimal digits. */
export function tokenOf(instant: bigint, own: string): StoreToken {
  return `${instant.toString(16).padStart(INSTANT_DIGITS, '0')}.${own}`;
}

function instantOf(token: StoreToken): string {
  return token.slice(0, INSTANT_DIGITS);
}
