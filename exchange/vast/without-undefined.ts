/** Makes fields that may be undefined optional. */
export type WithoutUndefined<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Removes fields that are undefined; JSON does not distinguish them from absent ones. */
export function withoutUndefined<T extends object>(fields: T): WithoutUndefined<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as WithoutUndefined<T>;
}
