import Type from 'typebox';
import type { Condition } from '../../../runtime/ports/store.ts';

const LONGEST = 100;

/** In the query of a list that can be searched by name. */
export const searching = {
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: LONGEST,
      description: 'Those alone whose name has this part, whatever the case of its letters from a to z.',
    }),
  ),
};

/** What the store is asked for by it; `path` is where the name stands in the saved state. */
export function namedLike(q: string | undefined, path = 'name'): Readonly<Record<string, Condition>> {
  return q === undefined ? {} : { [path]: { contains: q } };
}
