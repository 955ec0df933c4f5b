import Type, { type TSchema } from 'typebox';

/** Schemas of fields that several resources have in the API. */

/**
 * One line of text that is not empty and has no control characters. The pattern matches in one pass, however long the
 * text. The description of a schema with a pattern is a noun phrase, because errors quote it.
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
/** USD CPM. A floor above 1,000 dollars is a mistake in the unit. */
export const FloorCpm = Type.Number({ minimum: 0, maximum: 1000, description: 'USD CPM.' });
