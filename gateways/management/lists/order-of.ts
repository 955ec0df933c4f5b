import Type from 'typebox';
import type { Query } from '../../../runtime/ports/store.ts';

/** What lists are sorted by: the name in the API → the path in the saved state. */
const paths = { created_at: 'createdAt', updated_at: 'updatedAt', name: 'name', email: 'email' } as const;
type SortField = keyof typeof paths;

/** In the query of a list that can be sorted by these fields. */
export function sorting<const Field extends SortField>(...fields: readonly Field[]) {
  const orders = fields.flatMap((field) => [field, `-${field}`] as const);
  return {
    sort: Type.Optional(
      Type.Enum(orders, {
        default: 'created_at',
        description: 'What the list is sorted by, lowest first; with `-` highest first. Ties are sorted by id.',
      }),
    ),
  };
}

/** How the store is to sort a list; by default oldest first. */
export function orderOf(sort: string = 'created_at'): Required<Pick<Query, 'orderBy' | 'descending'>> {
  const descending = sort.startsWith('-');
  return { orderBy: paths[(descending ? sort.slice(1) : sort) as SortField], descending };
}
