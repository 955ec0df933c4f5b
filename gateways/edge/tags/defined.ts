/** Without the fields that are undefined: an absent field and an undefined one are not the same to a validator. */
export function withoutUndefined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
