import { namesOf, type ObjectTable } from './fields/field.ts';
import { shallowCopy } from './shallow-copy.ts';

/**
 * The fields of an object that OpenRTB 2.5 carries in its `ext` and that have their own place in 2.6 (2.6, Appendix B).
 */
export function movedFields(table: ObjectTable): string[] {
  return namesOf(table, ({ in25 }) => in25 === 'ext');
}
type Open = Readonly<Record<string, unknown>>;

/**
 * Moves fields from `ext` to their 2.6 places. The argument is not changed; a field in both places keeps its 2.6 value.
 */
export function moveFromExt<T extends object>(object: T, fields: readonly string[]): T {
  const { ext } = object as { ext?: Open };
  if (ext === undefined || !fields.some((field) => ext[field] !== undefined)) return object;
  const lifted = shallowCopy(object as Open);
  for (const field of fields) {
    if (ext[field] !== undefined) lifted[field] ??= ext[field];
  }
  const left = shallowCopy(ext, fields);
  lifted.ext = Object.keys(left).length > 0 ? left : undefined;
  return lifted as T;
}

/** Moves fields from their 2.6 places to `ext`, as 2.5 has them. The argument is not changed. */
export function moveToExt<T extends object>(object: T, fields: readonly string[]): T {
  const open = object as Open;
  if (!fields.some((field) => open[field] !== undefined)) return object;
  const lowered = shallowCopy(open, fields);
  const ext = shallowCopy((open.ext ?? {}) as Open);
  for (const field of fields) {
    if (open[field] !== undefined) ext[field] = open[field];
  }
  lowered.ext = ext;
  return lowered as T;
}
