import Type from 'typebox';
import type { Condition } from '#runtime/ports/store';

const LONGEST = 100;

/** The query parameter of a list that can be searched by name. */
export const searching = {
  q: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: LONGEST,
      description: 'Those alone whose name has this part, whatever the case of its letters from a to z.',
    }),
  ),
};

/** The store's condition for a search; `path` is the place of the name in the saved state. */
export function namedLike(q: string | undefined, path = 'name'): Readonly<Record<string, Condition>> {
  return q === undefined ? {} : { [path]: { contains: q } };
}
