import { createHmac } from 'node:crypto';
import type { StateStore } from '../runtime/ports/store.ts';

type Names = Pick<StateStore, 'getValue' | 'putIfAbsent'>;

/** The name under which a store keeps the mark of the n-th master secret that its exchange has had, from 1 on. */
const nameOf = (n: number) => `known-secret/${n}`;

/** What tells two master secrets apart, and neither of them. */
function markOf(secret: string): string {
  return createHmac('sha256', secret).update('which master secret this is').digest('base64url');
}

/** Whether an exchange with a master secret has begun on the store. */
export async function hasKnownSecret(store: Names): Promise<boolean> {
  return (await store.getValue(nameOf(1))) !== null;
}

/**
 * Whether the exchange of the store has had the master secret. Its first one is kept from then on, and so is one beside
 * which `previous` names one that is known: it was changed on purpose. Of any other the answer stays false.
 */
export async function knowsSecret(store: Names, secret: string, previous: readonly string[]): Promise<boolean> {
  const mark = markOf(secret);
  const earlier = new Set(previous.map(markOf));
  /** Whether the next place may be taken: it is the first, or a known secret is among the earlier ones. */
  let mayBegin = true;
  for (let n = 1; ; n += 1) {
    // Of processes that start at the same time, one is first.
    const known: string | null =
      (await store.getValue(nameOf(n))) ?? (mayBegin ? await store.putIfAbsent(nameOf(n), mark) : null);
    if (known === null) return false;
    if (known === mark) return true;
    mayBegin = earlier.has(known) || (n > 1 && mayBegin);
  }
}
