import * as shape from '../shape.ts';

/**
 * The words in which the objects of a bid request declare their fields. Whatever the exchange does with a field because of
 * what the field is follows from its declaration: its TypeScript type (`Known`), its check (`bid-request-shape.ts`), its
 * place in OpenRTB 2.5 (`downgrade.ts`, `upgrade.ts`), what privacy withholds and records leave out (`exchange/consent`),
 * and how a strategy's condition compares it (`exchange/strategy/openrtb-fields.ts`).
 */

/** What a sender adds beyond the standard; never interpreted, except where `signals.ts` says so. */
export type Ext = Readonly<Record<string, unknown>>;

/** 0 or 1. */
export type Flag = 0 | 1;

/**
 * What a field says of the viewer. `exchange/consent/withhold.ts` says what each treatment withholds for it, and
 * `exchange/consent/without-personal-data.ts` what a record leaves out. A field without any goes out and is recorded always.
 *
 * - `id`: an id of the viewer or the device. Withheld where ids are, and erased wherever else its value stands.
 * - `identity`: lists of ids, and segments that somebody keeps under an id. Withheld where ids are.
 * - `address`: an IP address. Truncated where ids are withheld, and the whole of it erased wherever else it stands.
 * - `profile`: what describes the person. Withheld of a child.
 * - `coordinate`: degrees. Rounded without consent to the exact place, withheld of a child.
 * - `exact-place`: what narrows a place down. Withheld without consent to the exact place.
 * - `country`: of an object that has such fields, they are all that is told of a child.
 * - `city`: withheld of a child, and recorded of others alone.
 * - `trait`: what tells one person or device from others. Told to bidders, never recorded.
 * - `url`: recorded without query and fragment, in which pages hand on whatever they know.
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

/** How a strategy's condition compares a value, or each element of a list; `hidden` where it cannot address the field. */
export type Comparison = 'text' | 'number' | 'version' | 'country' | 'hidden' | Comparisons;

/** The fields of an object that no table declares, because nothing else is done with them. */
export interface Comparisons {
  readonly [name: string]: Comparison;
}

interface FieldTerms {
  /** Where OpenRTB 2.5 has the field, if not in its place of 2.6: in the `ext` of the same object, or nowhere. */
  readonly in25?: 'ext' | 'absent';
  readonly viewer?: ViewerData;
  readonly comparison?: Comparison;
}

/** A field of an object; `T` is the type of its value. */
export interface Field<T = unknown> extends FieldTerms {
  /** Only the compiler sees it. */
  readonly type?: T;
  /** The check of the value, or of each element of a list. Null where a table declares it, and where nothing is checked. */
  readonly check: shape.Check | null;
  /** The fields of the value, or of each element of a list. */
  readonly table: ObjectTable | null;
  readonly list: { readonly filled: boolean; readonly most?: number } | null;
  readonly required: boolean;
  readonly comparison: Comparison;
}

export interface Fields {
  readonly [name: string]: Field;
}

/** The fields that one object of a bid request may have, and what holds for it as a whole. `T` is its type. */
export interface ObjectTable<T extends object = object> {
  /** Only the compiler sees it. */
  readonly type?: T;
  readonly fields: Fields;
  /** A rule between fields, asked when each field by itself is well. */
  readonly also?: (object: shape.JsonObject) => shape.Fault | undefined;
  readonly ext: ExtTerms;
}

/** What holds for the `ext` of an object. It is anybody's, and no value in it is checked but what 2.5 has there. */
interface ExtTerms {
  /** Whether it must be an object even where 2.5 has nothing in it. */
  readonly checked?: boolean;
  readonly viewer?: 'exact-place';
  /**
   * Whether it may name the viewer: where ids are withheld, only these fields of it are told on, if their checks pass, besides
   * what 2.5 has there and privacy does not withhold.
   */
  readonly toldWithoutIds?: Readonly<Record<string, shape.Check>>;
}

type PassedOn = Field<never>;
type RequiredField = Field & { readonly required: true };

/** The type of an object whose fields these are, as far as they are checked. Any object may have `ext`. */
export type Known<F extends Fields> = {
  readonly [K in keyof F as F[K] extends RequiredField ? K : never]: F[K] extends Field<infer T> ? T : never;
} & {
  readonly [K in keyof F as F[K] extends RequiredField | PassedOn ? never : K]?: F[K] extends Field<infer T>
    ? T
    : never;
} & { readonly ext?: Ext };

export function tableOf<T extends object>(
  fields: Fields,
  { also, ext = {} }: { readonly also?: ObjectTable['also']; readonly ext?: ExtTerms } = {},
): ObjectTable<T> {
  return { fields, also, ext };
}

function checked<T>(check: shape.Check, comparison: Comparison): Field<T> {
  return { check, table: null, list: null, required: false, comparison };
}

export const text = checked<string>(shape.text, 'text');
/** What names something: not empty, and short. */
export const filledId = checked<string>(shape.nonEmptyId, 'text');
export const integer = checked<number>(shape.integer, 'number');
/** An integer of 0 or more. */
export const count = checked<number>(shape.count, 'number');
export const finite = checked<number>(shape.finite, 'number');
/** Any number: `parse-bid-request.ts` judges prices. */
export const price = checked<number>(shape.numeric, 'number');
export const flag = checked<Flag>(shape.flag, 'number');

/** A text with a check of its own. */
export function textOf(check: shape.Check): Field<string> {
  return checked(check, 'text');
}

/** An object that no table declares. */
export function anyObject(fields: Comparisons): Field<Ext> {
  return objectOf(
    tableOf<Ext>(Object.fromEntries(Object.entries(fields).map(([name, each]) => [name, passedOn(each)]))),
  );
}

export function objectOf<T extends object>(table: ObjectTable<T>): Field<T> {
  return { check: null, table, list: null, required: false, comparison: 'hidden' };
}

/** Zero or more of these. */
export function listOf<T>(element: Field<T>, most?: number): Field<readonly T[]> {
  const { type: _, ...each } = element;
  return { ...each, list: { filled: false, most } };
}

/** One or more of these. */
export function filledListOf<T>(element: Field<T>, most?: number): Field<readonly T[]> {
  const { type: _, ...each } = element;
  return { ...each, list: { filled: true, most } };
}

/**
 * A field that goes out as it came in, and that no type names: free text that only buyers read, an enumeration that grows, an
 * object of those.
 */
export function passedOn(comparison: Comparison, terms: FieldTerms = {}): PassedOn {
  return { check: null, table: null, list: null, required: false, comparison, ...terms };
}

/** The field with what sets it apart from others of its type. */
export function field<F extends Field>(of: F, terms: FieldTerms): F {
  return { ...of, ...terms };
}

export function required<T>(of: Field<T>): Field<T> & { readonly required: true } {
  return { ...of, required: true };
}

/** The names of an object's fields of some kind, in the order of their declaration. */
export function namesOf(table: ObjectTable, wanted: (field: Field) => boolean): string[] {
  return Object.keys(table.fields).filter((name) => wanted(table.fields[name]!));
}
