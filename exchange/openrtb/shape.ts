/**
 * Checks of JSON documents that take a few nanoseconds per field.
 *
 * A check returns undefined, or the first fault that it finds; nothing is thrown or allocated for a valid document. An
 * object's shape names the fields that it knows; of any other field only the depth, the number of fields and the length
 * of texts are checked.
 */

export interface Fault {
  /** The place relative to the checked value, as in `banner.w`; empty for the value itself. */
  readonly path: string;
  readonly message: string;
}

export type Check = (value: unknown) => Fault | undefined;

export type JsonObject = Record<string, unknown>;

/** The deepest nesting of objects and arrays; the document itself is the first level. */
export const MAX_DEPTH = 64;

/**
 * The most characters of a text, known or not, unless it has its own check: a page's URL, a string of consent, a token.
 */
const MAX_TEXT = 16_384;
/** The most characters of an id, which is repeated in URLs, ledgers and markup. */
export const MAX_ID = 256;
/** The most elements of a list, unless it has its own check. */
const MAX_ELEMENTS = 1_000;
/** The most fields of an object, known or not. */
const MAX_FIELDS = 1_000;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function fault(message: string, path = ''): Fault {
  return { path, message };
}

/** Turns a fault of a part into one of the whole: `at` is a field name or `[index]`. */
function within(at: string, inner: Fault): Fault {
  const path = inner.path === '' || inner.path.startsWith('[') ? at + inner.path : `${at}.${inner.path}`;
  return { path, message: inner.message };
}

const NOT_TEXT = fault('must be a string');
const EMPTY_TEXT = fault('must be a string that is not empty');
const NOT_WHOLE = fault('must be an integer');
const NEGATIVE = fault('must be an integer of 0 or more');
const NOT_POSITIVE = fault('must be an integer of 1 or more');
const NOT_NUMBER = fault('must be a number');
const NOT_FINITE = fault('must be a finite number');
const NOT_FLAG = fault('must be 0 or 1');
const NOT_ARRAY = fault('must be an array');
const NOT_OBJECT = fault('must be an object');
const EMPTY_ARRAY = fault('must hold at least one element');
const MISSING = fault('is required');
const TOO_DEEP = fault(`nests deeper than ${MAX_DEPTH} levels`);
const TOO_WIDE = fault(`must have at most ${MAX_FIELDS} fields`);
const TOO_LONG = tooLong(MAX_TEXT);
const ID_TOO_LONG = tooLong(MAX_ID);

function tooLong(most: number): Fault {
  return fault(`must have at most ${most} characters`);
}

export const text: Check = (value) => {
  if (typeof value !== 'string') return NOT_TEXT;
  return value.length <= MAX_TEXT ? undefined : TOO_LONG;
};
/** The check of a text of at most `most` characters. */
export function textUpTo(most: number): Check {
  const problem = tooLong(most);
  return (value) => {
    if (typeof value !== 'string') return NOT_TEXT;
    return value.length <= most ? undefined : problem;
  };
}
export const idText: Check = textUpTo(MAX_ID);
export const nonEmptyId: Check = (value) => {
  if (typeof value !== 'string' || value === '') return EMPTY_TEXT;
  return value.length <= MAX_ID ? undefined : ID_TOO_LONG;
};
export const integer: Check = (value) => (Number.isSafeInteger(value) ? undefined : NOT_WHOLE);
export const count: Check = (value) => (Number.isSafeInteger(value) && (value as number) >= 0 ? undefined : NEGATIVE);
export const positive: Check = (value) =>
  Number.isSafeInteger(value) && (value as number) > 0 ? undefined : NOT_POSITIVE;
export const finite: Check = (value) => (Number.isFinite(value) ? undefined : NOT_FINITE);
/** The check of any number, NaN and infinities included: for prices, whose range is judged elsewhere. */
export const numeric: Check = (value) => (typeof value === 'number' ? undefined : NOT_NUMBER);
export const flag: Check = (value) => (value === 0 || value === 1 ? undefined : NOT_FLAG);

/** The check of a list of zero to `most` elements. */
export function listOf(element: Check, most = MAX_ELEMENTS): Check {
  const tooMany = fault(`must hold at most ${most} elements`);
  return (value) => {
    if (!Array.isArray(value)) return NOT_ARRAY;
    if (value.length > most) return tooMany;
    for (let index = 0; index < value.length; index++) {
      const found = element(value[index]);
      if (found !== undefined) return within(`[${index}]`, found);
    }
    return undefined;
  };
}

/** The check of a list of one to `most` elements. */
export function nonEmptyListOf(element: Check, most = MAX_ELEMENTS): Check {
  const list = listOf(element, most);
  return (value) => list(value) ?? ((value as unknown[]).length === 0 ? EMPTY_ARRAY : undefined);
}

export interface ObjectRules {
  /** The fields that must be present. */
  readonly required?: readonly string[];
  /** The optional fields in which an empty text and 0 say nothing: they count as absent, as null does. */
  readonly blank?: ReadonlySet<string>;
  /** A rule between fields, checked when each single field is valid. */
  readonly also?: (object: JsonObject) => Fault | undefined;
  /** The number of levels that enclose this object in its document; it bounds the depth of unknown fields. */
  readonly level: number;
}

/**
 * The check of an object with these fields and any others. A known field that is null or blank counts as absent and is
 * set to undefined, so that the types hold and it is not written out again; no other change is ever made to a document.
 */
export function object(fields: Readonly<Record<string, Check>>, rules: ObjectRules): Check {
  const checks = new Map(Object.entries(fields));
  const { required = [], blank, also } = rules;
  const levelsLeft = MAX_DEPTH - rules.level - 1;
  return (value) => {
    if (!isObject(value)) return NOT_OBJECT;
    let fieldsLeft = MAX_FIELDS;
    for (const key in value) {
      if (fieldsLeft-- === 0) return TOO_WIDE;
      const field = value[key];
      const check = checks.get(key);
      if (check === undefined) {
        const found = unknownFault(field, levelsLeft);
        if (found !== undefined) return within(key, found);
      } else if (field === null || (blank !== undefined && (field === '' || field === 0) && blank.has(key))) {
        value[key] = undefined;
      } else if (field !== undefined) {
        const found = check(field);
        if (found !== undefined) return within(key, found);
      }
    }
    for (const key of required) {
      if (value[key] === undefined) return within(key, MISSING);
    }
    return also?.(value);
  };
}

/**
 * The fault of an unknown field: its nesting is too deep, an object in it has too many fields, or a text is too long.
 */
function unknownFault(value: unknown, levels: number): Fault | undefined {
  if (typeof value === 'string') return value.length <= MAX_TEXT ? undefined : TOO_LONG;
  if (typeof value !== 'object' || value === null) return undefined;
  if (levels <= 0) return TOO_DEEP;
  if (Array.isArray(value)) {
    for (const element of value) {
      const found = unknownFault(element, levels - 1);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  let fieldsLeft = MAX_FIELDS;
  for (const key in value) {
    if (fieldsLeft-- === 0) return TOO_WIDE;
    const found = unknownFault((value as JsonObject)[key], levels - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether a value nests no deeper than `levels`; recursion is bounded by the same number. */
export function isWithinDepth(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (levels <= 0) return false;
  if (Array.isArray(value)) {
    for (const element of value) {
      if (!isWithinDepth(element, levels - 1)) return false;
    }
    return true;
  }
  for (const key in value) {
    const field = (value as JsonObject)[key];
    if (typeof field === 'object' && field !== null && !isWithinDepth(field, levels - 1)) return false;
  }
  return true;
}

/**
 * Finds the fault of documents that are not to be worked with before their shape is known, one after another: one nests
 * deeper than {@link MAX_DEPTH} levels, an object has more than {@link MAX_FIELDS} fields, or the objects, lists and
 * fields of all documents so far together are more than `most`.
 */
export function extentBound(most: number): (document: unknown) => Fault | undefined {
  const all = { left: most, tooMany: fault(`must have at most ${most} fields in all`) };
  return (document) => partFault(document, MAX_DEPTH, all);
}

function partFault(part: unknown, levels: number, all: { left: number; readonly tooMany: Fault }): Fault | undefined {
  if (typeof part !== 'object' || part === null) return undefined;
  if (levels <= 0) return TOO_DEEP;
  if (--all.left < 0) return all.tooMany;
  if (Array.isArray(part)) {
    for (const element of part) {
      const found = partFault(element, levels - 1, all);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  let fieldsLeft = MAX_FIELDS;
  for (const key in part) {
    if (fieldsLeft-- === 0) return TOO_WIDE;
    if (--all.left < 0) return all.tooMany;
    const found = partFault((part as JsonObject)[key], levels - 1, all);
    if (found !== undefined) return found;
  }
  return undefined;
}
