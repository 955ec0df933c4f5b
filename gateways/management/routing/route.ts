import type { Static, TObject, TSchema } from 'typebox';
import type { Caller } from '../identity/caller.ts';
import type { RequestIdentity } from '../identity/request-identity.ts';
import type { ManagementParts } from '../parts.ts';

/** `public` needs no key and knows no caller. */
export type Access = 'public' | 'key';

/** One request, read and checked, as its handler sees it. */
export interface Call<P extends TObject, Q extends TObject, B extends TObject, A extends Access> {
  readonly params: Static<P>;
  readonly query: Static<Q>;
  readonly body: Static<B>;
  readonly caller: A extends 'public' ? null : Caller;
  readonly identity: RequestIdentity;
  readonly parts: ManagementParts;
}

/** What a schema describes, from a handler that need not own it. */
export type Answer<T> = T extends readonly (infer Element)[]
  ? readonly Answer<Element>[]
  : T extends object
    ? { readonly [Field in keyof T]: Answer<T[Field]> }
    : T;

/**
 * An endpoint, declared once: what serves it is also what describes it.
 *
 * Before `handle` runs, the caller is known (401), the path's ids are well formed (404), and query and body satisfy
 * their schemas (400, 413, 415). `handle` throws `ApiError`, or lets errors of the messenger and the store through.
 */
export interface Route<
  P extends TObject = TObject,
  Q extends TObject = TObject,
  B extends TObject = TObject,
  R extends TSchema = TSchema,
  A extends Access = Access,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With `:name` for each of `params`. */
  readonly path: string;
  /** One line, imperative. */
  readonly summary: string;
  readonly access: A;
  readonly params?: P;
  /** Parameters it does not name are ignored. */
  readonly query?: Q;
  /** Without one, a body is ignored. */
  readonly body?: B;
  readonly answer: {
    readonly status: 200 | 201;
    readonly schema: R;
    /** Headers beside those that every answer has. */
    readonly headers?: Readonly<Record<string, string>>;
  };
  handle(call: Call<P, Q, B, A>): Promise<Answer<Static<R>>>;
}

// biome-ignore lint/suspicious/noExplicitAny: routes of different shapes have nothing in common
export type AnyRoute = Route<any, any, any, any, any>;

export function defineRoute<
  P extends TObject,
  Q extends TObject,
  B extends TObject,
  R extends TSchema,
  A extends Access,
>(route: Route<P, Q, B, R, A>): Route<P, Q, B, R, A> {
  return route;
}
