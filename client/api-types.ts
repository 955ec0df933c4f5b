import type {
  FilterKeys,
  IsOperationRequestBodyOptional,
  OperationRequestBodyContent,
  RequiredKeysOf,
} from 'openapi-typescript-helpers';
// In a clone it is missing until `dashboard/api/write-types.mjs` has written it: every answer is `any` then.
// biome-ignore lint/suspicious/noTsIgnore: nothing is wrong once the file is there
// @ts-ignore
import type * as generated from './generated.d.ts';

/** `Described`, or where the description is not there, `Loose`. */
type Known<Described, Loose> = 0 extends 1 & Described ? Loose : Described;

// biome-ignore lint/suspicious/noExplicitAny: the type of all that is not described
type Unknown = any;

/** The paths of the API with their operations, as its OpenAPI document declares them. */
export type paths = Known<generated.paths, Record<string, Unknown>>;
/** The named schemas of the OpenAPI document: `Schemas['SupplySource']`. */
export type Schemas = Known<generated.components, { schemas: Record<string, Unknown> }>['schemas'];
/** The webhook events of the OpenAPI document. */
export type webhooks = Known<generated.webhooks, Record<string, Unknown>>;

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** The paths that have an operation of this method. */
export type PathOf<M extends Method> = {
  [P in keyof paths & string]: paths[P] extends Record<M, Unknown> ? P : never;
}[keyof paths & string];

type Operation<M extends Method, P extends keyof paths> = paths[P] extends Record<M, infer O> ? O : never;

/** The body of a successful answer: JSON, or `undefined` of a 204. */
export type AnswerBody<M extends Method, P extends keyof paths> = SuccessBody<Operation<M, P>>;
type SuccessBody<O> = 0 extends 1 & O
  ? Unknown
  : O extends { responses: infer R }
    ? JsonOf<R extends { 200: infer A } ? A : R extends { 201: infer A } ? A : undefined>
    : never;
type JsonOf<A> = A extends { content: { 'application/json': infer Body } } ? Body : undefined;

/** How one call differs from the others of its client. */
export interface CallOptions {
  /** Ends the call: it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** In ms, of each attempt. */
  readonly timeoutMs?: number | undefined;
  /** How often it is tried again. */
  readonly retries?: number | undefined;
  /** Repeats an earlier change under its key; each change has a key of its own by default. */
  readonly idempotencyKey?: string | undefined;
  /** The `etag` of an answer: the change is refused with 412 when somebody else was first. */
  readonly ifMatch?: string | undefined;
  /** More headers, sent as they are. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

type Parameters<O> = O extends { parameters: infer All } ? Omit<All, 'header' | 'cookie'> : never;
type ParamsOption<O> =
  RequiredKeysOf<Parameters<O>> extends never
    ? { readonly params?: Parameters<O> }
    : { readonly params: Parameters<O> };
type BodyOption<O> = [OperationRequestBodyContent<O>] extends [never]
  ? { readonly body?: never }
  : IsOperationRequestBodyOptional<O> extends true
    ? { readonly body?: OperationRequestBodyContent<O> }
    : { readonly body: OperationRequestBodyContent<O> };

/** What an operation is given: its parameters, its body and the options of the call. */
export type InitOf<M extends Method, P extends keyof paths> =
  Known<Operation<M, P>, null> extends null
    ? LooseInit
    : CallOptions & ParamsOption<Operation<M, P>> & BodyOption<Operation<M, P>>;
interface LooseInit extends CallOptions {
  readonly params?: Unknown;
  readonly body?: Unknown;
}

/**
 * What a call takes after the path: it may be left out where nothing is required. For each path by itself, so that of a
 * path that is wrong the path is reported.
 */
export type InitArgument<M extends Method, P extends keyof paths, More = unknown> = P extends unknown
  ? RequiredKeysOf<InitOf<M, P>> extends never
    ? [init?: InitOf<M, P> & More]
    : [init: InitOf<M, P> & More]
  : never;

type QueryOf<O> = O extends { parameters: { query?: infer Q } } ? NonNullable<Q> : never;

/** The lists that are read page by page. */
export type ListPath = {
  [P in PathOf<'get'>]: 0 extends 1 & Operation<'get', P>
    ? P
    : keyof QueryOf<Operation<'get', P>> & ('cursor' | 'per_page') extends never
      ? never
      : P;
}[PathOf<'get'>];

/** An entry of a list: of the one array that each of its pages has. */
export type ItemOf<P extends keyof paths> = 0 extends 1 & AnswerBody<'get', P>
  ? Unknown
  : EntryOf<AnswerBody<'get', P>[keyof AnswerBody<'get', P>]>;
type EntryOf<V> = V extends readonly (infer Entry)[] ? Entry : never;

/** The paths that are read by GET and changed in part by PATCH. */
export type UpdatePath = PathOf<'get'> & PathOf<'patch'>;

/** The paths whose answer may be of this media type. */
type PathWith<MediaType extends string> = {
  [P in PathOf<'get'>]: 0 extends 1 & Operation<'get', P>
    ? P
    : FilterKeys<NonNullable<Operation<'get', P>>, 'responses'> extends {
          200: { content: { [M in MediaType]: unknown } };
        }
      ? P
      : never;
}[PathOf<'get'>];

/** The paths whose answer is a table too. */
export type CsvPath = PathWith<'text/csv'>;

/** The paths whose answer is a file. */
export type FilePath = PathWith<'application/gzip'>;

/** The body of a change. */
export type ChangeBody<M extends Method, P extends keyof paths> = 0 extends 1 & Operation<M, P>
  ? Unknown
  : OperationRequestBodyContent<Operation<M, P>>;
