/**
 * Names what a store has acknowledged up to an instant of its own clock: `<instant>.<the store's own>`, the instant in 16 hexadecimal
 * digits, so that a later one is the greater text. '' where every read sees what was acknowledged before.
 */
export type StoreToken = string;

const INSTANT_DIGITS = 16;

/** The one that names more: what is read after it is read after the other too. */
export function newerToken(a: StoreToken, b: StoreToken): StoreToken {
  return instantOf(b) > instantOf(a) ? b : a;
}

export function newestToken(tokens: Iterable<StoreToken>): StoreToken {
  let newest = '';
  for (const token of tokens) newest = newerToken(newest, token);
  return newest;
}

/** `instant`: in as many digits as there may be, or fewer. */
export function tokenOf(instant: bigint, own: string): StoreToken {
  return `${instant.toString(16).padStart(INSTANT_DIGITS, '0')}.${own}`;
}

function instantOf(token: StoreToken): string {
  return token.slice(0, INSTANT_DIGITS);
}
