/**
 * Copies a JSON value, with all that is in it; texts are shared. Several times faster than `structuredClone`. Recursion
 * is bounded by the depth of the value, which must be known to be bounded.
 */
export function deepCopy<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(deepCopy) as T;
  const copy: Record<string, unknown> = {};
  for (const field in value) {
    // An assignment to this name would set the prototype; it is sent only to try that.
    if (field !== '__proto__') copy[field] = deepCopy(value[field]);
  }
  return copy as T;
}
