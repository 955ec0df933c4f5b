import { isHash, safeKey } from './safe-key.ts';

/** The key of a document. The documents of one kind are adjacent. */
export function documentKey(kind: string, id: string): string {
  return `${kind}/${safeKey(id)}`;
}

/** The id that a key states; null when the key holds its hash. */
export function storedIdOf(kind: string, key: string): string | null {
  const id = key.slice(startOfKind(kind).length);
  return isHash(id) ? null : id;
}

export function startOfKind(kind: string): string {
  return `${kind}/`;
}

/** `0` is the character after `/`. */
export function endOfKind(kind: string): string {
  return `${kind}0`;
}
