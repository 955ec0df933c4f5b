import { isObject } from '#exchange/openrtb/shape';

/**
 * Applies a JSON merge patch to a document and returns the result (RFC 7396 §2): objects are merged, null removes a
 * field, and any other value, also a list, replaces the former one. Neither argument is changed. The body limits bound
 * the depth.
 */
export function mergePatch(document: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const merged = new Map<string, unknown>(isObject(document) ? Object.entries(document) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, mergePatch(merged.get(name), value));
  }
  // An assignment would fail for a field named `__proto__`.
  return Object.fromEntries(merged);
}
