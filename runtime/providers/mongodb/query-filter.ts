import type { Document, Sort } from 'mongodb';
import type { Condition, Query } from '../../ports/store.ts';
import { escapeKey } from './json-at-rest.ts';

/** The place in a stored document of a path below the state. */
export function statePath(path: string): string {
  return `state.${path.split('.').map(escapeKey).join('.')}`;
}

/**
 * The filter of one condition. For arrays and absent fields, the database gives equality, `$in` and ranges the meaning
 * of the port. `not` is expressed by `$nor`, because not every server that speaks the protocol accepts `$ne` for "no
 * element is" below the objects of an array.
 */
function conditionFilter(path: string, condition: Condition): Document {
  if (typeof condition !== 'object' || condition === null) return { [path]: { $eq: condition } };
  if ('in' in condition) return { [path]: { $in: [...condition.in] } };
  if ('not' in condition) return { $nor: [{ [path]: { $eq: condition.not } }] };
  if ('contains' in condition) return { [path]: { $regex: anyCase(condition.contains) } };
  const range: Document = {};
  if (condition.gte !== undefined) range.$gte = condition.gte;
  if (condition.lt !== undefined) range.$lt = condition.lt;
  return { [path]: range };
}

/**
 * A pattern of the text itself, with the letters a to z in either case, so that no server's own rule for case matters.
 */
function anyCase(text: string): string {
  return text.replace(special, '\\$&').replace(letters, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`);
}

const special = /[\\^$.|?*+()[\]{}]/g;
const letters = /[a-z]/gi;

export function queryFilter(where: Query['where'] = {}): Document {
  const conditions = Object.entries(where).map(([path, condition]) => conditionFilter(statePath(path), condition));
  return conditions.length === 0 ? { deleted: false } : { deleted: false, $and: conditions };
}

export function querySort({ orderBy = 'id', descending = false }: Query): Sort {
  const direction = descending ? -1 : 1;
  return orderBy === 'id' ? { _id: direction } : { [statePath(orderBy)]: direction, _id: 1 };
}
