export type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * Copies an object one level deep; the copy can be changed and written out. Fields are assigned one by one and never
 * deleted: V8 takes several times as long to extend and to stringify the result of a spread of a parsed object, or of a
 * delete.
 */
export function shallowCopy<T extends object>(object: T, without?: readonly string[]): Mutable<T> {
  const copy: Record<string, unknown> = {};
  for (const field in object) {
    // An assignment to this name would set the prototype; it is sent only to try that.
    if (field === '__proto__' || without?.includes(field)) continue;
    copy[field] = object[field];
  }
  return copy as Mutable<T>;
}

/** Returns the object itself where it has none of these fields, else a copy without them. */
export function omit<T extends object>(object: T, fields: readonly string[]): T {
  for (const field of fields) {
    if ((object as Record<string, unknown>)[field] !== undefined) return shallowCopy(object, fields) as T;
  }
  return object;
}
