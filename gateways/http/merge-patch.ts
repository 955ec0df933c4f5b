import { isObject, type JsonObject } from '#exchange/openrtb/shape';

/**
 * Applies a JSON merge patch to a document and returns the result (RFC 7396 §2): objects are merged, null removes a
 * field, and any other value, also a list, replaces the former one. Neither argument is changed. The body limits bound
 * the depth.
 */
export function mergePatch(document: unknown, patch: unknown): unknown {
  return mergePatches(document, [patch]);
}

/** Applies merge patches in their order. Each part of the document is copied once, however many patches change it. */
export function mergePatches(document: unknown, patches: readonly unknown[]): unknown {
  // Nothing is left of what stood before the last patch that is no object.
  const replacing = patches.findLastIndex((patch) => !isObject(patch));
  const merging = patches.slice(replacing + 1) as JsonObject[];
  const base = replacing === -1 ? document : patches[replacing];
  if (merging.length === 0) return base;
  const changes = new Map<string, unknown[]>();
  for (const patch of merging) {
    for (const [name, value] of Object.entries(patch)) {
      const values = changes.get(name);
      if (values === undefined) changes.set(name, [value]);
      else values.push(value);
    }
  }
  const merged = new Map<string, unknown>(isObject(base) ? Object.entries(base) : []);
  for (const [name, values] of changes) {
    const value = mergePatches(merged.get(name), values);
    if (value === null) merged.delete(name);
    else merged.set(name, value);
  }
  // An assignment would fail for a field named `__proto__`.
  return Object.fromEntries(merged);
}
