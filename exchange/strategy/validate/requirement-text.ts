import type { TSchema } from 'typebox';
import type { Compile } from 'typebox/compile';

export type SchemaError = ReturnType<ReturnType<typeof Compile>['Errors']>[number];

/** Describes what a schema demands of a value, in words for people: `must be at most 200`. */
export function requirementText(error: SchemaError, schema: TSchema): string {
  switch (error.keyword) {
    case 'enum':
      return `must be one of ${error.params.allowedValues.join(', ')}`;
    case 'pattern':
      return formOf(error, schema) ?? 'has a form that is not allowed';
    case 'const':
      return `must be ${error.params.allowedValue}`;
    case 'format':
      return `must be a ${error.params.format}`;
    case 'type':
      return `must be ${withArticle(String(error.params.type))}`;
    case 'minimum':
      return `must be at least ${error.params.limit}`;
    case 'maximum':
      return `must be at most ${error.params.limit}`;
    case 'exclusiveMinimum':
      return `must be more than ${error.params.limit}`;
    case 'exclusiveMaximum':
      return `must be less than ${error.params.limit}`;
    case 'multipleOf':
      return `must be a multiple of ${error.params.multipleOf}`;
    case 'minLength':
      return error.params.limit === 1 ? 'must not be empty' : `must have at least ${error.params.limit} characters`;
    case 'maxLength':
      return `must have at most ${error.params.limit} characters`;
    case 'minItems':
      return error.params.limit === 1 ? 'must not be empty' : `must have at least ${error.params.limit} entries`;
    case 'maxItems':
      return `must have at most ${error.params.limit} entries`;
    case 'minProperties':
      return `must have at least ${count(error.params.limit, 'field')}`;
    case 'maxProperties':
      return `must have at most ${count(error.params.limit, 'field')}`;
    case 'uniqueItems':
      return 'must not hold the same entry twice';
    default:
      return error.message;
  }
}

/** The name of a schema's type with its article: `an integer`. */
export function withArticle(type: string): string {
  if (type === 'null') return type;
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function count(limit: number | bigint, of: string): string {
  return `${limit} ${of}${limit === 1 ? '' : 's'}`;
}

/** Describes a pattern by its schema's description, which is a noun phrase. */
function formOf({ schemaPath }: SchemaError, schema: TSchema): string | null {
  let at: unknown = schema;
  for (const step of schemaPath.split('/').slice(1)) at = (at as Record<string, unknown> | undefined)?.[step];
  const { description } = (at ?? {}) as { description?: unknown };
  if (typeof description !== 'string') return null;
  return `must be ${description.charAt(0).toLowerCase()}${description.slice(1).replace(/\.$/, '')}`;
}
