import { createHash } from 'node:crypto';

/** SHA-256 (hex) of a value's JSON with the names of each object in order: whatever order a store gives them back in. */
export function sha256Of(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(value, (_name, inner) => inOrder(inner)))
    .digest('hex');
}

function inOrder(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
