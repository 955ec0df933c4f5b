import Type from 'typebox';
import type { Query } from '#runtime/ports/store';

/** The sort fields of lists: the name in the API → the path in the saved state. */
const paths = { created_at: 'createdAt', updated_at: 'updatedAt', name: 'name', email: 'email' } as const;
type SortField = keyof typeof paths;

/** The query parameters of a list that can be sorted by these fields. */
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

/** The order in which the store returns a list; the default is the oldest first. */
export function orderOf(sort: string = 'created_at'): Required<Pick<Query, 'orderBy' | 'descending'>> {
  const descending = sort.startsWith('-');
  return { orderBy: paths[(descending ? sort.slice(1) : sort) as SortField], descending };
}
