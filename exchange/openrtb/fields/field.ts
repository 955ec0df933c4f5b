import * as shape from '../shape.ts';

/**
 * The vocabulary in which the objects of a bid request declare their fields. A declaration decides everything that the
 * exchange does with a field because of its meaning: its TypeScript type (`Known`), its check (`bid-request-shape.ts`),
 * its place in OpenRTB 2.5 (`downgrade.ts`, `upgrade.ts`), what privacy withholds and records leave out
 * (`exchange/consent`), and how a strategy's condition compares it (`exchange/strategy/openrtb-fields.ts`).
 */

/** The additions of a sender to the standard. They are never interpreted, except where `signals.ts` does so. */
export type Ext = Readonly<Record<string, unknown>>;

/** 0 or 1. */
export type Flag = 0 | 1;

/**
 * What a field says about the viewer. `exchange/consent/withhold.ts` defines what each treatment withholds, and
 * `exchange/consent/without-personal-data.ts` what a record leaves out. A field without a kind is always sent and
 * recorded.
 *
 * - `id`: an id of the viewer or the device. It is withheld where ids are, and erased in all other places where its
 *   value occurs.
 * - `identity`: lists of ids, and segments that a party stores under an id. They are withheld where ids are.
 * - `address`: an IP address. It is truncated where ids are withheld, and its full text is erased in all other places.
 * - `profile`: a description of the person. It is withheld for a child.
 * - `coordinate`: degrees. They are rounded without consent to the exact place, and withheld for a child.
 * - `exact-place`: a detail that narrows a place down. It is withheld without consent to the exact place.
 * - `country`: of an object with such fields, only these are sent for a child.
 * - `city`: it is withheld for a child, and recorded only for others.
 * - `trait`: a property that tells one person or device from others. It is sent to bidders and never recorded.
 * - `url`: it is recorded without query and fragment, where pages pass on what they know about the viewer.
 */
export type ViewerData =
  | 'id'
  | 'identity'
  | 'address'
  | 'profile'
  | 'coordinate'
  | 'exact-place'
  | 'country'
  | 'city'
  | 'trait'
  | 'url';

/**
 * How a strategy's condition compares a value, or each element of a list; `hidden` where a condition cannot use the
 * field.
 */
export type Comparison = 'text' | 'number' | 'version' | 'country' | 'hidden' | Comparisons;

/** The fields of an object without a table of its own; they are only compared. */
export interface Comparisons {
  readonly [name: string]: Comparison;
}

interface FieldOptions {
  /** The place of the field in OpenRTB 2.5 where it differs from 2.6: in the `ext` of the same object, or nowhere. */
  readonly in25?: 'ext' | 'absent';
  readonly viewer?: ViewerData;
  readonly comparison?: Comparison;
}

/** The declaration of a field; `T` is the type of its value. */
export interface Field<T = unknown> extends FieldOptions {
  /** Exists only for the compiler. */
  readonly type?: T;
  /**
   * The check of the value, or of each element of a list. Null for objects with a table, and where nothing is checked.
   */
  readonly check: shape.Check | null;
  /** The declaration of the value, or of each element of a list, where that is an object. */
  readonly table: ObjectTable | null;
  readonly list: { readonly filled: boolean; readonly most?: number } | null;
  readonly required: boolean;
  readonly comparison: Comparison;
}

export interface Fields {
  readonly [name: string]: Field;
}

/** The declaration of one object of a bid request: its fields, and rules for the object as a whole. `T` is its type. */
export interface ObjectTable<T extends object = object> {
  /** Exists only for the compiler. */
  readonly type?: T;
  readonly fields: Fields;
  /** A rule between fields, checked when each single field is valid. */
  readonly also?: (object: shape.JsonObject) => shape.Fault | undefined;
  readonly ext: ExtRules;
}

/**
 * The rules for the `ext` of an object. Its content is the sender's own, and only values that 2.5 has there are
 * checked.
 */
interface ExtRules {
  /** Whether it must be an object even where 2.5 has nothing in it. */
  readonly checked?: boolean;
  readonly viewer?: 'exact-place';
  /**
   * Set where the `ext` may identify the viewer: where ids are withheld, only these fields of it are sent, if their
   * checks pass, besides the fields that 2.5 has there and privacy does not withhold.
   */
  readonly toldWithoutIds?: Readonly<Record<string, shape.Check>>;
}

type PassedOn = Field<never>;
type RequiredField = Field & { readonly required: true };

/** The type of an object with these fields, as far as they are checked. Any object may have `ext`. */
export type Known<F extends Fields> = {
  readonly [K in keyof F as F[K] extends RequiredField ? K : never]: F[K] extends Field<infer T> ? T : never;
} & {
  readonly [K in keyof F as F[K] extends RequiredField | PassedOn ? never : K]?: F[K] extends Field<infer T>
    ? T
    : never;
} & { readonly ext?: Ext };

export function tableOf<T extends object>(
  fields: Fields,
  { also, ext = {} }: { readonly also?: ObjectTable['also']; readonly ext?: ExtRules } = {},
): ObjectTable<T> {
  return { fields, also, ext };
}

function checked<T>(check: shape.Check, comparison: Comparison): Field<T> {
  return { check, table: null, list: null, required: false, comparison };
}

export const text = checked<string>(shape.text, 'text');
/** An id: not empty, and short. */
export const filledId = checked<string>(shape.nonEmptyId, 'text');
export const integer = checked<number>(shape.integer, 'number');
/** An integer of 0 or more. */
export const count = checked<number>(shape.count, 'number');
export const finite = checked<number>(shape.finite, 'number');
/** Any number; `parse-bid-request.ts` judges prices. */
export const price = checked<number>(shape.numeric, 'number');
export const flag = checked<Flag>(shape.flag, 'number');

/** A text with its own check. */
export function textOf(check: shape.Check): Field<string> {
  return checked(check, 'text');
}

/** An object without a table. */
export function anyObject(fields: Comparisons): Field<Ext> {
  return objectOf(
    tableOf<Ext>(Object.fromEntries(Object.entries(fields).map(([name, each]) => [name, passedOn(each)]))),
  );
}

export function objectOf<T extends object>(table: ObjectTable<T>): Field<T> {
  return { check: null, table, list: null, required: false, comparison: 'hidden' };
}

/** A list of zero or more elements. */
export function listOf<T>(element: Field<T>, most?: number): Field<readonly T[]> {
  const { type: _, ...each } = element;
  return { ...each, list: { filled: false, most } };
}

/** A list of one or more elements. */
export function filledListOf<T>(element: Field<T>, most?: number): Field<readonly T[]> {
  const { type: _, ...each } = element;
  return { ...each, list: { filled: true, most } };
}

/**
 * A field that is sent as it was received and that no type names: free text that only buyers read, an enumeration that
 * grows, or an object of those.
 */
export function passedOn(comparison: Comparison, options: FieldOptions = {}): PassedOn {
  return { check: null, table: null, list: null, required: false, comparison, ...options };
}

/** A field with properties beyond those of its type. */
export function field<F extends Field>(of: F, options: FieldOptions): F {
  return { ...of, ...options };
}

export function required<T>(of: Field<T>): Field<T> & { readonly required: true } {
  return { ...of, required: true };
}

/** The names of an object's fields that satisfy `wanted`, in the order of their declaration. */
export function namesOf(table: ObjectTable, wanted: (field: Field) => boolean): string[] {
  return Object.keys(table.fields).filter((name) => wanted(table.fields[name]!));
}
