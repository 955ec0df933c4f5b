import { namesOf, type ObjectTable } from './fields/field.ts';
import { shallowCopy } from './shallow-copy.ts';

/** Fields of an object that OpenRTB 2.5 carried in its `ext` and 2.6 gave a place of their own (2.6, Appendix B). */
export function movedFields(table: ObjectTable): string[] {
  return namesOf(table, ({ in25 }) => in25 === 'ext');
}
type Open = Readonly<Record<string, unknown>>;

/** An object as 2.6 has it; the argument is left as it is. Where a field is in both places, its own place counts. */
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

/** An object as 2.5 has it; the argument is left as it is. */
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
