import type { TObject } from 'typebox';
import { IsDateTime, Set as setFormat } from 'typebox/format';
import type { StrategyFault } from '#exchange/strategy/validate/fault';
import { MISSING, schemaFaults, UNKNOWN } from '#exchange/strategy/validate/schema-faults';
import { SchemaValidator } from '#runtime/schema-validator';
import { ApiError, type FieldError } from '../../errors.ts';

// Of the texts that the library takes for date-times (RFC 3339), `Date` reads no leap second (`23:59:60Z`) and no
// suffix (RFC 9557: `[Europe/Paris]`). Such a text names no instant to a handler, so it is refused with all other wrong
// texts.
setFormat('date-time', (text) => IsDateTime(text) && !Number.isNaN(Date.parse(text)));

/** The largest number of faults that the error of one request lists. */
const MAX_FAULTS_TOLD = 50;

/**
 * A check of one part of a request. It throws an `ApiError` that names the first field at fault and lists all faults.
 */
export type InputCheck = (value: unknown) => void;

/**
 * Checks a body: INVALID_PARAMS for a missing field; VALIDATION_ERROR for a wrong type, range or value, or an unknown
 * field.
 */
export const bodyCheck = (schema: TObject): InputCheck => fieldCheck(schema, 'VALIDATION_ERROR');

/** Checks query parameters: any fault is INVALID_PARAMS. */
export const queryCheck = (schema: TObject): InputCheck => fieldCheck(schema, 'INVALID_PARAMS');

function fieldCheck(schema: TObject, wrong: 'VALIDATION_ERROR' | 'INVALID_PARAMS'): InputCheck {
  const validator = new SchemaValidator(schema);
  const faultsOf = schemaFaults(schema);
  return (value) => {
    if (validator.check(value)) return;
    const errors = faultsOf(value).sort(byKind).slice(0, MAX_FAULTS_TOLD).map(toFieldError);
    const [first = { field: '', message: 'The request is not valid.' }] = errors;
    const code = first.message === `${first.field} ${MISSING}.` ? 'INVALID_PARAMS' : wrong;
    throw new ApiError(code, first.message, first.field || undefined, { errors });
  };
}

/** Sorts missing fields first and unknown fields second; all other faults keep the document's order. */
function byKind(a: StrategyFault, b: StrategyFault): number {
  const place = ({ message }: StrategyFault) => (message === MISSING ? 0 : message === UNKNOWN ? 1 : 2);
  return place(a) - place(b);
}

function toFieldError({ path, message }: StrategyFault): FieldError {
  return { field: path, message: `${path === '' ? 'The body' : path} ${message}.` };
}

/** Checks the ids of a path: an id that cannot exist is NOT_FOUND. */
export function paramsCheck(schema: TObject): InputCheck {
  const validator = new SchemaValidator(schema);
  return (params) => {
    if (!validator.check(params)) throw new ApiError('NOT_FOUND');
  };
}

/**
 * Converts query parameters, which are text, into numbers where the schema has numbers and the text is a plain decimal.
 */
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
