/**
 * Any JSON as BSON fields that stay queryable by path.
 *
 * Field names that a document database gives a meaning of its own are escaped as in a URL: `.` and NUL anywhere, a
 * leading `$`, `%` itself, and `_bsontype`, by which the client library would take the object for one of its own. What
 * cannot be a field value everywhere — an array directly in an array, or what lies deeper than the server's 100 levels
 * allow — is kept as its JSON text under the one name that escaping never makes, `%json`.
 */

const TEXT = '%json';
const RESERVED = /[%.\0]|^\$|^_bsontype$/;
const MAX_DEPTH = 80;

export function escapeKey(key: string): string {
  if (!RESERVED.test(key)) return key;
  if (key === '_bsontype') return '%5Fbsontype';
  return key.replaceAll('%', '%25').replaceAll('.', '%2E').replaceAll('\0', '%00').replace(/^\$/, '%24');
}

function unescapeKey(key: string): string {
  return key.includes('%')
    ? key.replace(/%([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    : key;
}

/** The approximate size of an encoding: each character counts as one byte, everything else as its minimum. */
export interface EncodedSize {
  bytes: number;
}

/** The bytes of a field's type, the end of its name, and a number. */
const FIELD_BYTES = 10;

/**
 * A copy of `value` as `JSON.stringify` would produce it, so that later changes of `value` do not affect it. Adds its
 * approximate size to `size`.
 */
export function toRest(value: unknown, depth = 0, size: EncodedSize = { bytes: 0 }): unknown {
  if (typeof value === 'string') {
    size.bytes += value.length;
    return value;
  }
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : null;
  if (typeof value !== 'object' || value === null) return value ?? null;
  if ('toJSON' in value && typeof value.toJSON === 'function') return toRest(value.toJSON(), depth, size);
  if (depth >= MAX_DEPTH) return asText(value, size);
  if (Array.isArray(value)) {
    size.bytes += value.length * FIELD_BYTES;
    return value.map((element) => (Array.isArray(element) ? asText(element, size) : toRest(element, depth + 1, size)));
  }
  const fields: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(value)) {
    if (field === undefined) continue;
    size.bytes += key.length + FIELD_BYTES;
    define(fields, escapeKey(key), toRest(field, depth + 1, size));
  }
  return fields;
}

function asText(value: object, size: EncodedSize): Record<string, string> {
  const text = JSON.stringify(value);
  size.bytes += text.length;
  return { [TEXT]: text };
}

/** The inverse of `toRest`. May reuse `value`. */
export function fromRest(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) value[index] = fromRest(value[index]);
    return value;
  }
  const stored = value as Record<string, unknown>;
  if (typeof stored[TEXT] === 'string') return JSON.parse(stored[TEXT]);
  const fields: Record<string, unknown> = {};
  for (const key of Object.keys(stored)) define(fields, unescapeKey(key), fromRest(stored[key]));
  return fields;
}

function define(fields: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(fields, key, { value, enumerable: true, configurable: true, writable: true });
  } else fields[key] = value;
}
