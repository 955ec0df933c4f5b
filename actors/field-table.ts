import Type, { type Static, type TOptional, type TSchema } from 'typebox';

/**
 * One field of a resource, declared once: where it is kept, who may write it, and how the API calls it. The order of a table is
 * the order in which the API shows the fields.
 */
export interface Field {
  /** In the actor's state; without it the field is no part of the state, and whoever shows the resource says its value. */
  readonly state?: TSchema;
  /** Of a state that nothing was created in, and at creation where the caller gives none. */
  readonly initial?: unknown;
  /** In the place of `initial`, for a field that states of older releases lack: what its absence means. */
  readonly absent?: unknown;
  /** In messages, where they say other than the state does. */
  readonly message?: TSchema;
  /** Whether messages of older releases lack it. */
  readonly newInMessages?: true;
  /** Whether replicas hold it; `newer`: projections of older releases lack it. */
  readonly projected?: true | 'newer';
  readonly api?: ApiField;
}

/** A field as the API has it; values of the state pass as they are where neither `fromApi` nor `toApi` converts them. */
export interface ApiField {
  readonly name: string;
  readonly shown: TSchema;
  /** In the example of the resource, for a resource that has one. */
  readonly example?: unknown;
  /** As callers write it; without it they cannot. */
  readonly written?: TSchema;
  /** Whether creation needs it. */
  readonly required?: true;
  // biome-ignore lint/suspicious/noExplicitAny: each field converts between its own two types
  readonly fromApi?: (written: any) => unknown;
  // biome-ignore lint/suspicious/noExplicitAny: each field converts between its own two types
  readonly toApi?: (kept: any) => unknown;
}

export type FieldTable = Readonly<Record<string, Field>>;

type Kept<T> = { [K in keyof T]: T[K] extends { readonly state: TSchema } ? K : never }[keyof T];
type Initial<T> = { [K in keyof T]: T[K] extends { readonly initial: unknown } ? K : never }[keyof T];
type Shown<T> = { [K in keyof T]: T[K] extends { readonly api: ApiField } ? K : never }[keyof T];
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

/** What a field holds: a value that may be absent is what its absence means. */
type ValueOf<F> = Static<StateOf<F>>;
type Frozen<V> = V extends readonly (infer E)[] ? readonly E[] : V;

export type StateProperties<T> = { [K in Kept<T>]: StateOf<T[K]> };
export type InitialState<T> = { [K in Initial<T>]: ValueOf<T[K]> };
export type MessageProperties<T> = { [K in Written<T>]: MessageOf<T[K]> };
export type ShownProperties<T> = { [K in Shown<T> as NameOf<T[K]>]: ShownOf<T[K]> };
export type WrittenProperties<T> = { [K in Written<T> as NameOf<T[K]>]: WrittenOf<T[K]> };
/** What replicas hold of the fields. */
export type Projection<T> = { readonly [K in Projected<T, true>]: Frozen<ValueOf<T[K]>> } & {
  readonly [K in Projected<T, 'newer'>]?: Frozen<ValueOf<T[K]>>;
};
/** The resource in the API. */
export type ApiView<T> = { [K in Shown<T> as NameOf<T[K]>]: Static<ShownOf<T[K]>> };
/** Values of what the API shows and the state has not. */
export type Derived<T> = { readonly [K in Exclude<Shown<T>, Kept<T>>]: Static<ShownOf<T[K]>> };

type State<T> = { readonly [K in Initial<T>]: ValueOf<T[K]> };
/** A body of the API, whole or in part. */
type Body<T> = {
  readonly [K in Written<T> as NameOf<T[K]>]?:
    | (T[K] extends { readonly api: { readonly written: infer S extends TSchema } } ? Static<S> : never)
    | undefined;
};
type Created<T> = { [K in Written<T>]: Static<MessageOf<T[K]>> };

/** Checks a table, and keeps the exact types that everything else follows from. */
export function defineFields<const T extends FieldTable>(table: T & Consistent<T>): T {
  return table;
}

/** `initial` and `absent` are values of the state's schema. */
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
  return collected(table, ({ api }) => api && [api.name, api.shown]) as ShownProperties<T>;
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
  return collected(table, ({ api }) => api && [api.name, api.example]) as ApiView<T>;
}

/** What replicas hold of a state. */
export function projectionOf<T extends FieldTable>(table: T, state: State<T>): Projection<T> {
  return collected(table, (field, key) =>
    field.projected ? [key, valueIn(state, field, key)] : null,
  ) as Projection<T>;
}

/** A state as the API shows it. */
export function toApi<T extends FieldTable>(table: T, state: State<T>, derived: Derived<T>): ApiView<T> {
  return collected(table, (field, key) => {
    const { api } = field;
    if (api === undefined) return null;
    if (field.state === undefined) return [api.name, (derived as Record<string, unknown>)[key]];
    const value = valueIn(state, field, key);
    return [api.name, api.toApi ? api.toApi(value) : value];
  }) as ApiView<T>;
}

/** What a body that creates the resource says, with what holds where it says nothing. */
export function createdFrom<T extends FieldTable>(table: T, body: Body<T>): Created<T> {
  return collected(table, (field, key) => {
    if (field.api?.written === undefined) return null;
    const written = writtenIn(body, field.api);
    return [key, written === undefined ? (field.initial ?? field.absent ?? null) : written];
  }) as Created<T>;
}

/** What a body that changes the resource says, and nothing else. */
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
