import Type, { type TSchema } from 'typebox';

/** Schemas of fields that several resources have, and how they are written inside and outside. */

/**
 * One line of text with something in it: no control characters. It matches in one pass, however long the text. The
 * description of a schema with a pattern is a noun phrase: errors quote it.
 */
const oneLine = {
  pattern: '^[^\\S\\u0000-\\u001f]*[^\\s\\u0000-\\u001f\\u007f][^\\u0000-\\u001f\\u007f]*$',
  description: 'One line of text, not blank.',
};

export const Uuid = Type.String({ format: 'uuid' });
export const Timestamp = Type.String({ format: 'date-time' });
export const Name = Type.String({ minLength: 1, maxLength: 120, ...oneLine });
export const Genre = Type.String({ minLength: 1, maxLength: 100, ...oneLine });
export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

export const Domain = Type.String({
  minLength: 1,
  maxLength: 253,
  pattern: '^[^\\s/:?#@,]+$',
  description: 'An app bundle or a web domain, such as com.example.app or news.example: no scheme, path or port.',
});
export const Category = Type.String({
  pattern: '^[A-Za-z0-9-]{1,32}$',
  description: 'A content category of any taxonomy, such as IAB25-3 or 150.',
});

export const Status = Type.Enum(['active', 'sandbox', 'archived']);
/** In the query of a list of sources. */
export const StatusFilter = Type.Optional(
  Type.Enum(['active', 'sandbox', 'archived'], {
    description:
      'Sources of this status alone; without it, all of the context, live or sandbox. `sandbox` shows sandbox sources in the live context too.',
  }),
);

/** In the query of a list that comes in pages. */
export const paging = {
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1, description: 'From 1 on.' })),
  per_page: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'How many a page has at most.' }),
  ),
};

/** USD CPM. A floor above 1,000 dollars is a mistake in the unit. */
export const FloorCpm = Type.Number({ minimum: 0, maximum: 1000, description: 'USD CPM.' });

/** `changes` without what was not given, so that a partial update touches nothing else. */
export function given<T extends object>(changes: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as never;
}
