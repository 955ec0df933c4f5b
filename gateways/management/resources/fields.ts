import Type, { type TSchema } from 'typebox';

/** Schemas of fields that several resources have, and how they are written inside and outside. */

/** One line of text with something in it: no control characters. It matches in one pass, however long the text. */
const oneLine = '^[^\\S\\u0000-\\u001f]*[^\\s\\u0000-\\u001f\\u007f][^\\u0000-\\u001f\\u007f]*$';

export const Uuid = Type.String({ format: 'uuid' });
export const Timestamp = Type.String({ format: 'date-time' });
export const Name = Type.String({ minLength: 1, maxLength: 120, pattern: oneLine });
export const Genre = Type.String({ minLength: 1, maxLength: 100, pattern: oneLine });
export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** An app bundle or a web domain: no scheme, path or port. */
export const Domain = Type.String({ minLength: 1, maxLength: 253, pattern: '^[^\\s/:?#@,]+$' });
/** A content category of any taxonomy, `IAB25-3` or `150`. */
export const Category = Type.String({ pattern: '^[A-Za-z0-9-]{1,32}$' });

export const Status = Type.Enum(['active', 'sandbox', 'archived']);

/** USD CPM. A floor above 1,000 dollars is a mistake in the unit. */
export const FloorCpm = Type.Number({ minimum: 0, maximum: 1000 });

/** `changes` without what was not given, so that a partial update touches nothing else. */
export function given<T extends object>(changes: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as never;
}
