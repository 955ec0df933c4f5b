import { isObject } from '../../../exchange/openrtb/shape.ts';

/**
 * What a JSON merge patch makes of a document (RFC 7396 §2): objects are merged, null takes a field away, and anything else, a
 * list too, takes the place of what was there. Neither is changed. Depth is bounded by that of a body.
 */
export function mergePatch(document: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged = new Map<string, unknown>(isObject(document) ? Object.entries(document) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), value));
  }
  // Not by assignment: a field may be named `__proto__`.
  return Object.fromEntries(merged);
}
