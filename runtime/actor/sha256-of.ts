import { createHash } from 'node:crypto';

/**
 * The SHA-256 (hex) of a value's JSON with the keys of each object sorted, so that it does not depend on the order in
 * which a store returns them.
 */
export function sha256Of(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(value, (_name, inner) => inOrder(inner)))
    .digest('hex');
}

function inOrder(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
