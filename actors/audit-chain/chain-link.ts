import { sha256Of } from '../../runtime/actor/sha256-of.ts';
import { utcDay } from '../ledger/ledger-id.ts';

/** The number of digits of the instant that an entry's key begins with: see audit-entry/entry-id.ts. */
const TIME_DIGITS = 13;

/** The content of an entry without its place in a chain. */
export interface HashedEntry {
  readonly key: string;
  readonly atMs: number;
  readonly by: { readonly accountId: string };
  readonly action: string;
  readonly resource: string;
  readonly before: object;
  readonly after: object;
}

/** The chain that an entry belongs to: one for each UTC day and account on whose behalf the change was requested. */
export function chainIdOf({ key, by }: Pick<HashedEntry, 'key' | 'by'>): string {
  return `${dayOfKey(key)}.${by.accountId}`;
}

/** The UTC day of an entry's key; '' for an invalid key. */
export function dayOfKey(key: string): string {
  const atMs = /^\d{13}-/.test(key) ? Number(key.slice(0, TIME_DIGITS)) : Number.NaN;
  return atMs <= 8_640_000_000_000_000 ? utcDay(atMs) : '';
}

/** The UTC day of a chain, `2026-03-30`. */
export function dayOfChain(id: string): string {
  return id.slice(0, '2026-03-30'.length);
}

/**
 * The SHA-256 (hex) over the content of an entry, its place in the chain and the hash of the entry before it ('' for
 * the first).
 */
export function linkHash(
  index: number,
  previous: string,
  { key, atMs, by, action, resource, before, after }: HashedEntry,
) {
  return sha256Of({ index, previous, entry: { key, atMs, by, action, resource, before, after } });
}
