/** Removes the fields that are undefined: to a validator, an absent field and an undefined one differ. */
export function withoutUndefined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
