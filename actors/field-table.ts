import Type, { type Static, type TObject, type TOptional, type TSchema } from 'typebox';

/**
 * One field of a resource, declared once: where it is stored, who may write it, and its name in the API. The order of a
 * table is the order in which the API shows the fields.
 */
export interface Field {
  /**
   * The schema in the actor's state. Without it the field is no part of the state, and the code that shows the resource
   * supplies its value.
   */
  readonly state?: TSchema;
  /** The value in a state before creation, and at creation where the caller gives none. */
  readonly initial?: unknown;
  /** The value for states of older releases that lack the field. */
  readonly absent?: unknown;
  /** The schema in messages, where it differs from the state's. */
  readonly message?: TSchema;
  /** True when messages of older releases lack the field. */
  readonly newInMessages?: true;
  /** True when the projection contains the field; `newer`: projections of older releases lack it. */
  readonly projected?: true | 'newer';
  readonly api?: ApiField;
}

/** A field in the API. Values of the state are unchanged where neither `fromApi` nor `toApi` converts them. */
export interface ApiField {
  readonly name: string;
  /** The schema of what callers see; without it, the API does not show the field. */
  readonly shown?: TSchema;
  /** The value in the example of the resource, where the resource has one. */
  readonly example?: unknown;
  /** The schema for callers; without it, callers cannot write the field. */
  readonly written?: TSchema;
  /** True when creation needs the field. */
  readonly required?: true;
  // biome-ignore lint/suspicious/noExplicitAny: each field converts between its own two types
  readonly fromApi?: (written: any) => unknown;
  // biome-ignore lint/suspicious/noExplicitAny: each field converts between its own two types
  readonly toApi?: (kept: any) => unknown;
}

export type FieldTable = Readonly<Record<string, Field>>;

type Kept<T> = { [K in keyof T]: T[K] extends { readonly state: TSchema } ? K : never }[keyof T];
type Initial<T> = { [K in keyof T]: T[K] extends { readonly initial: unknown } ? K : never }[keyof T];
type Shown<T> = { [K in keyof T]: T[K] extends { readonly api: { readonly shown: TSchema } } ? K : never }[keyof T];
type Written<T> = { [K in keyof T]: T[K] extends { readonly api: { readonly written: TSchema } } ? K : never }[keyof T];
type Projected<T, How> = { [K in keyof T]: T[K] extends { readonly projected: How } ? K : never }[keyof T];

type StateOf<F> = F extends { readonly state: infer S extends TSchema } ? S : never;
type ToldOf<F> = F extends { readonly message: infer S extends TSchema } ? S : StateOf<F>;
type MessageOf<F> = F extends { readonly newInMessages: true } ? TOptional<ToldOf<F>> : ToldOf<F>;
type NameOf<F> = F extends { readonly api: { readonly name: infer N extends string } } ? N : never;
type ShownOf<F> = F extends { readonly api: { readonly shown: infer S extends TSchema } } ? S : never;
type WrittenOf<F> = F extends { readonly api: { readonly required: true; readonly written: infer S extends TSchema } }
  ? S
  : F extends { readonly api: { readonly written: infer S extends TSchema } }
    ? TOptional<S>
    : never;

/** The value of a field; an absent value has the value that its absence means. */
type ValueOf<F> = Static<StateOf<F>>;
type Frozen<V> = V extends readonly (infer E)[] ? readonly E[] : V;

export type StateProperties<T> = { [K in Kept<T>]: StateOf<T[K]> };
export type InitialState<T> = { [K in Initial<T>]: ValueOf<T[K]> };
export type MessageProperties<T> = { [K in Written<T>]: MessageOf<T[K]> };
export type ShownProperties<T> = { [K in Shown<T> as NameOf<T[K]>]: ShownOf<T[K]> };
export type WrittenProperties<T> = { [K in Written<T> as NameOf<T[K]>]: WrittenOf<T[K]> };
/** The projection: the fields that replicas hold. */
export type Projection<T> = { readonly [K in Projected<T, true>]: Frozen<ValueOf<T[K]>> } & {
  readonly [K in Projected<T, 'newer'>]?: Frozen<ValueOf<T[K]>>;
};
/** The resource in the API. */
export type ApiView<T> = { [K in Shown<T> as NameOf<T[K]>]: Static<ShownOf<T[K]>> };
/** The values that the API shows and the state does not contain. */
export type Derived<T> = { readonly [K in Exclude<Shown<T>, Kept<T>>]: Static<ShownOf<T[K]>> };

type State<T> = Readonly<Static<TObject<StateProperties<T>>>>;
/** A body of the API, whole or in part. */
type Body<T> = {
  readonly [K in Written<T> as NameOf<T[K]>]?:
    | (T[K] extends { readonly api: { readonly written: infer S extends TSchema } } ? Static<S> : never)
    | undefined;
};
type Created<T> = { [K in Written<T>]: Static<MessageOf<T[K]>> };

/** Checks a table, and keeps the exact types that all other types are derived from. */
export function defineFields<const T extends FieldTable>(table: T & Consistent<T>): T {
  return table;
}

/** `initial` and `absent` must be values of the state's schema. */
type Consistent<T> = {
  readonly [K in keyof T]: T[K] extends { readonly state: infer S extends TSchema }
    ? { readonly initial?: Frozen<Static<S>>; readonly absent?: Frozen<Static<S>> }
    : { readonly initial?: never; readonly absent?: never };
};

function collected(
  table: FieldTable,
  of: (field: Field, key: string) => readonly [string, unknown] | null | undefined,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(table).flatMap(([key, field]) => {
      const entry = of(field, key);
      return entry ? [entry] : [];
    }),
  );
}

/** The fields of the state's schema. */
export function stateProperties<T extends FieldTable>(table: T): StateProperties<T> {
  return collected(table, ({ state }, key) => (state === undefined ? null : [key, state])) as StateProperties<T>;
}

/** The fields of the state before anything was created. */
export function initialState<T extends FieldTable>(table: T): InitialState<T> {
  return collected(table, (field, key) => ('initial' in field ? [key, field.initial] : null)) as InitialState<T>;
}

/** The fields of the messages that create and change the resource: those that callers may write. */
export function messageProperties<T extends FieldTable>(table: T): MessageProperties<T> {
  return collected(table, ({ api, state, message = state, newInMessages }, key) => {
    if (api?.written === undefined || message === undefined) return null;
    return [key, newInMessages ? Type.Optional(message) : message];
  }) as MessageProperties<T>;
}

/** The fields of the resource's schema in the API. */
export function shownProperties<T extends FieldTable>(table: T): ShownProperties<T> {
  return collected(table, ({ api }) => api?.shown && [api.name, api.shown]) as ShownProperties<T>;
}

/** The fields that callers may write, by their names in the API. */
export function writtenProperties<T extends FieldTable>(table: T): WrittenProperties<T> {
  return collected(table, ({ api }) => {
    if (api?.written === undefined) return null;
    return [api.name, api.required ? api.written : Type.Optional(api.written)];
  }) as WrittenProperties<T>;
}

/** The resource's example in the API. */
export function exampleOf<T extends FieldTable>(table: T): ApiView<T> {
  return collected(table, ({ api }) => api?.shown && [api.name, api.example]) as ApiView<T>;
}

/** The projected fields by table: a replica that starts makes a projection of every resource. */
const projectedFields = new WeakMap<FieldTable, readonly (readonly [key: string, field: Field])[]>();

/** The projection of a state. */
export function projectionOf<T extends FieldTable>(table: T, state: State<T>): Projection<T> {
  let fields = projectedFields.get(table);
  if (fields === undefined) {
    fields = Object.entries(table).filter(([, { projected }]) => projected);
    projectedFields.set(table, fields);
  }
  const projection: Record<string, unknown> = {};
  for (const [key, field] of fields) projection[key] = valueIn(state, field, key);
  return projection as Projection<T>;
}

/** A state as the API shows it. */
export function toApi<T extends FieldTable>(table: T, state: State<T>, derived: Derived<T>): ApiView<T> {
  return collected(table, (field, key) => {
    const { api } = field;
    if (api?.shown === undefined) return null;
    if (field.state === undefined) return [api.name, (derived as Record<string, unknown>)[key]];
    const value = valueIn(state, field, key);
    return [api.name, api.toApi ? api.toApi(value) : value];
  }) as ApiView<T>;
}

/** The fields of a body that creates the resource, with defaults for the absent ones. */
export function createdFrom<T extends FieldTable>(table: T, body: Body<T>): Created<T> {
  return collected(table, (field, key) => {
    if (field.api?.written === undefined) return null;
    const written = writtenIn(body, field.api);
    return [key, written === undefined ? (field.initial ?? field.absent ?? null) : written];
  }) as Created<T>;
}

/** The fields of a body that changes the resource, without any others. */
export function changesFrom<T extends FieldTable>(table: T, body: Body<T>): Partial<Created<T>> {
  return collected(table, (field, key) => {
    const written = field.api?.written === undefined ? undefined : writtenIn(body, field.api);
    return written === undefined ? null : [key, written];
  }) as Partial<Created<T>>;
}

function writtenIn(body: object, { name, fromApi }: ApiField): unknown {
  const written = (body as Record<string, unknown>)[name];
  return written === undefined || fromApi === undefined ? written : fromApi(written);
}

function valueIn(state: object, { absent }: Field, key: string): unknown {
  const value = (state as Record<string, unknown>)[key];
  return value === undefined ? absent : value;
}
