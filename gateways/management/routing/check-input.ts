import type { TObject } from 'typebox';
import { type SchemaError, SchemaValidator } from '../../../runtime/schema/validator.ts';
import { ApiError } from '../../errors.ts';

/** A check of one part of a request; throws the `ApiError` that names the first field at fault. */
export type InputCheck = (value: unknown) => void;

/** Missing: INVALID_PARAMS. Wrong type, range or value, or a field that does not exist: VALIDATION_ERROR. */
export const bodyCheck = (schema: TObject): InputCheck => fieldCheck(schema, 'VALIDATION_ERROR');

/** Whatever is wrong with a query parameter: INVALID_PARAMS. */
export const queryCheck = (schema: TObject): InputCheck => fieldCheck(schema, 'INVALID_PARAMS');

function fieldCheck(schema: TObject, wrong: 'VALIDATION_ERROR' | 'INVALID_PARAMS'): InputCheck {
  const validator = new SchemaValidator(schema);
  return (value) => {
    if (validator.check(value)) return;
    const errors = validator.errors(value);
    const missing = errors.find((error) => error.keyword === 'required');
    if (missing?.keyword === 'required') {
      const field = fieldOf(missing, missing.params.requiredProperties[0]);
      throw new ApiError('INVALID_PARAMS', `${field} is required.`, field);
    }
    const { field, message } = describe(errors, schema);
    throw new ApiError(wrong, message, field);
  };
}

/** An id that cannot exist does not exist: NOT_FOUND. */
export function paramsCheck(schema: TObject): InputCheck {
  const validator = new SchemaValidator(schema);
  return (params) => {
    if (!validator.check(params)) throw new ApiError('NOT_FOUND');
  };
}

/** Query parameters are text; those that the schema has as numbers become numbers, when they are plain decimals. */
export function readQuery(schema: TObject, query: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const read: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    const value = query[name];
    if (value === undefined) continue;
    const numeric = (property as { type?: unknown }).type === 'integer';
    read[name] = numeric && typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value;
  }
  return read;
}

/** `a.b[0].c`, from a JSON pointer and, for what is missing, the property's name. */
function fieldOf(error: SchemaError, property?: string): string {
  const steps = error.instancePath.split('/').slice(1);
  if (property !== undefined) steps.push(property);
  return steps.reduce((path, step) => (/^\d+$/.test(step) ? `${path}[${step}]` : path ? `${path}.${step}` : step), '');
}

function describe(errors: readonly SchemaError[], schema: TObject): { field: string | undefined; message: string } {
  const unknown = errors.find((error) => error.keyword === 'additionalProperties');
  if (unknown?.keyword === 'additionalProperties') {
    const field = fieldOf(unknown, unknown.params.additionalProperties[0]);
    return { field, message: `${field} is not a field of this resource.` };
  }
  const nullable = errors.some((error) => error.keyword === 'anyOf');
  const telling = errors.find((error) => !(nullable && error.keyword === 'type' && error.params.type === 'null'));
  const error = telling ?? errors[0]!;
  const field = fieldOf(error);
  const subject = field === '' ? 'The body' : field;
  return {
    field: field === '' ? undefined : field,
    message: `${subject} ${demandOf(error, schema)}${nullable ? ', or null' : ''}.`,
  };
}

function demandOf(error: SchemaError, schema: TObject): string {
  switch (error.keyword) {
    case 'enum':
      return `must be one of ${error.params.allowedValues.join(', ')}`;
    case 'pattern':
      return formOf(error, schema) ?? 'has a form that is not allowed';
    case 'const':
      return `must be ${error.params.allowedValue}`;
    case 'format':
      return `must be a ${error.params.format}`;
    default:
      return error.message;
  }
}

/** In the words of the schema that has the pattern, which are a noun phrase. */
function formOf({ schemaPath }: SchemaError, schema: TObject): string | null {
  let at: unknown = schema;
  for (const step of schemaPath.split('/').slice(1)) at = (at as Record<string, unknown> | undefined)?.[step];
  const { description } = (at ?? {}) as { description?: unknown };
  if (typeof description !== 'string') return null;
  return `must be ${description.charAt(0).toLowerCase()}${description.slice(1).replace(/\.$/, '')}`;
}
