import { BID_REQUEST } from './bid-request.ts';
import type { Field, ObjectTable } from './fields/field.ts';
import { type Check, listOf, nonEmptyListOf, object } from './shape.ts';

/**
 * Checks what OpenRTB 2.5 and 2.6 demand of a bid request, and nothing more: structure, required fields, ids, numbers,
 * flags and lists. Free text that only buyers read (names, titles, keywords) and enumerations that grow are passed on
 * unchecked. Of `bidfloor` only the type is checked here; `parse-bid-request.ts` judges the price.
 */
export const bidRequestShape: Check = objectCheck(BID_REQUEST, 0);

/**
 * The check of an object at this level of nesting. The fields that 2.5 has in the object's `ext` are checked there,
 * too.
 */
function objectCheck(table: ObjectTable, level: number): Check {
  const checks: Record<string, Check> = {};
  const extChecks: Record<string, Check> = {};
  const required: string[] = [];
  for (const [name, field] of Object.entries(table.fields)) {
    if (field.check === null && field.table === null) continue;
    checks[name] = fieldCheck(field, level + 1);
    if (field.in25 === 'ext') extChecks[name] = fieldCheck(field, level + 2);
    if (field.required) required.push(name);
  }
  if (table.ext.checked || Object.keys(extChecks).length > 0) checks.ext = object(extChecks, { level: level + 1 });
  return object(checks, { level, required, also: table.also });
}

function fieldCheck({ check, table, list }: Field, level: number): Check {
  const each = table === null ? check! : objectCheck(table, list === null ? level : level + 1);
  if (list === null) return each;
  return list.filled ? nonEmptyListOf(each, list.most) : listOf(each, list.most);
}
