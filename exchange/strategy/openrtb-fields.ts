import { BID_REQUEST } from '../openrtb/bid-request.ts';
import type { Comparison, ObjectTable } from '../openrtb/fields/field.ts';
import { GEO } from '../openrtb/fields/geo.ts';
import { CONTENT } from '../openrtb/fields/inventory.ts';

/**
 * The kind of a field that a condition can address: the fields of an OpenRTB 2.5 or 2.6 bid request (2.6 §3.2), with
 * `imp` for the imp that is bid on. A path through a list addresses its elements. Below any `ext` every path is
 * allowed, since extensions are the sender's own.
 */
export type FieldKind = 'text' | 'number' | 'version' | 'country' | 'object' | 'ext';

interface Fields {
  readonly [name: string]: FieldKind | Fields;
}

/** The first steps that a path may have: the names of the request itself, and two short cuts. */
const roots: Fields = { ...fieldsOf(BID_REQUEST), geo: fieldsOf(GEO), content: fieldsOf(CONTENT) };

function fieldsOf(table: ObjectTable): Fields {
  const fields: Record<string, FieldKind | Fields> = {};
  for (const [name, { table: below, comparison }] of Object.entries(table.fields)) {
    const kind = below === null ? kindOf(comparison) : fieldsOf(below);
    if (kind !== null) fields[name] = kind;
  }
  return { ...fields, ext: 'ext' };
}

function kindOf(comparison: Comparison): FieldKind | Fields | null {
  if (comparison === 'hidden') return null;
  if (typeof comparison === 'string') return comparison;
  const fields: Record<string, FieldKind | Fields> = {};
  for (const [name, each] of Object.entries(comparison)) {
    const kind = kindOf(each);
    if (kind !== null) fields[name] = kind;
  }
  return { ...fields, ext: 'ext' };
}

const name = /^[A-Za-z_][\w-]*$/;

/** The kind of the field at a path; null when the path is none of a bid request. */
export function fieldKind(path: string): FieldKind | null {
  const steps = path.split('.');
  let at: FieldKind | Fields = roots;
  for (const [index, step] of steps.entries()) {
    if (!name.test(step)) return null;
    if (at === 'ext') return steps.slice(index).every((rest) => name.test(rest)) ? 'ext' : null;
    if (typeof at === 'string' || !Object.hasOwn(at, step)) return null;
    at = at[step]!;
  }
  return typeof at === 'string' ? at : 'object';
}
