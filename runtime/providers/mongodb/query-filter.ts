import type { Document, Sort } from 'mongodb';
import type { Condition, Query } from '../../ports/store.ts';
import { escapeKey } from './json-at-rest.ts';

/** Where a path below the state lies in a document. */
export function statePath(path: string): string {
  return `state.${path.split('.').map(escapeKey).join('.')}`;
}

/** The database's own meaning of equality, `$in`, ranges and `$ne` on arrays and absent fields is the port's. */
function conditionFilter(condition: Condition): Document {
  if (typeof condition !== 'object' || condition === null) return { $eq: condition };
  if ('in' in condition) return { $in: [...condition.in] };
  if ('not' in condition) return { $ne: condition.not };
  const range: Document = {};
  if (condition.gte !== undefined) range.$gte = condition.gte;
  if (condition.lt !== undefined) range.$lt = condition.lt;
  return range;
}

export function queryFilter(where: Query['where'] = {}): Document {
  const filter: Document = { deleted: false };
  for (const [path, condition] of Object.entries(where)) filter[statePath(path)] = conditionFilter(condition);
  return filter;
}

export function querySort({ orderBy = 'id', descending = false }: Query): Sort {
  const direction = descending ? -1 : 1;
  return orderBy === 'id' ? { _id: direction } : { [statePath(orderBy)]: direction, _id: 1 };
}
