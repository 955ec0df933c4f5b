import Type from 'typebox';
import { MAX_CPM } from '../../money/price.ts';

/** Fields that several parts of a strategy share. */

/** One line with at least one visible character, without control characters and without halves of surrogate pairs. */
const oneLine = '^(?=.*\\S)(?:[^\\u0000-\\u001f\\u007f\\ud800-\\udfff]|[\\ud800-\\udbff][\\udc00-\\udfff])*$';

export const Label = (description: string) =>
  Type.String({ minLength: 1, maxLength: 128, pattern: oneLine, description });

export const Cpm = (description: string) => Type.Number({ minimum: 0, maximum: MAX_CPM, description });

/** A URL on one line: text that URL parsers disagree about, or that no XML document can hold, is refused. */
export const Url = (description: string) =>
  Type.String({ minLength: 1, maxLength: 2048, pattern: oneLine, description });

export const Priority = Type.Integer({
  minimum: -1_000_000,
  maximum: 1_000_000,
  default: 0,
  description: 'The highest one goes first; 0 when absent.',
});

/**
 * When something may run. Hours and days are both those of `timezone`, each applied by itself: `22-2` on `fri` is
 * Friday from 00:00 to 02:59 and from 22:00 to 23:59.
 */
export const timeFields = {
  hours: Type.Optional(
    Type.Union(
      [
        Type.String({ maxLength: 200 }),
        Type.Array(Type.Integer({ minimum: 0, maximum: 23 }), { minItems: 1, maxItems: 24 }),
      ],
      {
        description:
          'Hours of the day, the last one included: `18-23`, `9-11,18-23`, `22-2`; or a list of numbers 0 to 23.',
      },
    ),
  ),
  days: Type.Optional(
    Type.Union(
      [Type.String({ maxLength: 200 }), Type.Array(Type.String({ maxLength: 20 }), { minItems: 1, maxItems: 7 })],
      {
        description: 'Days of the week: `mon,tue`, `mon-fri`; or a list of names.',
      },
    ),
  ),
  timezone: Type.Optional(
    Type.String({ maxLength: 64, default: 'UTC', description: 'An IANA time zone, `Asia/Dubai`; UTC when absent.' }),
  ),
};
