import type { Static, TObject, TSchema } from 'typebox';
import type { Requester } from '#actors/audit-entry/audit-entry';
import type { ErrorCode } from '../../errors.ts';
import type { RateLimitAddress } from '../../http/caller-address.ts';
import type { ManagementDeps } from '../deps.ts';
import type { Caller, Login, SessionCaller, SourceCaller } from '../identity/caller.ts';
import type { RequestIds } from '../identity/request-ids.ts';
import type { Reach } from './reach.ts';
import type { Table } from './table.ts';

/**
 * The callers that a route admits:
 * - `public`: every caller.
 * - `account`: an account's API key, or the session of an account's user.
 * - `login`: the session of any user, of an account or of a source, for what concerns the login alone.
 * - `session`: the session of an account's user alone.
 * - `operator`: the session of a user who runs the exchange.
 * - `publisher-key`, `dsp-key`: the key of one source of that kind, or the session of one of its own people.
 * - `publisher-session`, `dsp-session`: the session of one of the people of a source of that kind alone.
 */
export type Access = 'public' | 'account' | 'login' | 'session' | 'operator' | SourceAccess;

/** The headings of the API's description, in their order. */
export type Tag =
  | 'Service'
  | 'Metrics'
  | 'Auctions'
  | 'Supply'
  | 'Demand'
  | 'Campaigns'
  | 'Creatives'
  | 'Source reports'
  | 'Partners'
  | 'Sandbox'
  | 'Webhooks'
  | 'Account'
  | 'Operators';

type SourceAccess = 'publisher-key' | 'dsp-key' | 'publisher-session' | 'dsp-session';

/** One request, read and checked, as its handler receives it. */
export interface Call<P extends TObject, Q extends TObject, B extends TObject, A extends Access> {
  readonly params: Static<P>;
  readonly query: Static<Q>;
  readonly body: Static<B>;
  readonly caller: A extends 'public' | SourceAccess
    ? null
    : A extends 'login'
      ? Login
      : A extends 'session' | 'operator'
        ? SessionCaller
        : Caller;
  readonly source: A extends SourceAccess ? SourceCaller : null;
  readonly identity: RequestIds;
  /** The revisions of `If-Match`: the change must meet one of them. Undefined: any revision will do. */
  readonly expecting: number[] | undefined;
  /** Sets the `ETag` of the answer: the resource's revision, followed by the shown values that no revision counts. */
  revision(revision: number, ...uncounted: (number | string)[]): void;
  /** States the number of entries on all pages, for a list whose answer has no `total`. */
  listed(total: number): void;
  /** Adds a header to the answer. */
  header(name: string, value: string): void;
  /** Names the requester of a route that needs no login, once the handler knows the user. */
  byUser(userId: string, accountId: string): Requester;
  /** Writes an entry into the audit trail about a change that the handler is about to make (`trail: 'by-handler'`). */
  record(entry: { readonly action: string; readonly resource: string; readonly after: object }): Promise<void>;
  /** The raw request, for credentials, which no schema describes. */
  readonly request: {
    readonly method: string;
    /** The value of a header, '' when absent. */
    header(name: string): string;
    /** Sets the session cookie in the browser; null removes it. */
    giveSession(token: string | null): void;
    /** Sets the cookie by which the browser is known (`identity/passwords/device-cookie.ts`). */
    giveDevice(cookie: string): void;
    /** The value of a cookie. */
    cookie(name: string): string | undefined;
    /** The caller's address, as the trusted proxies report it. */
    readonly address: string;
    /** The address that calls of this caller are counted under. */
    readonly countedAddress: RateLimitAddress;
  };
  readonly parts: ManagementDeps;
}

/** The readonly form of what a schema describes, so that a handler need not own the values that it answers. */
export type Answer<T> = T extends readonly (infer Element)[]
  ? readonly Answer<Element>[]
  : T extends object
    ? { readonly [Field in keyof T]: Answer<T[Field]> }
    : T;

/**
 * An endpoint, declared once: the server and the OpenAPI document both follow from the declaration.
 *
 * Before `handle` runs, the caller is known and admitted (401, 403, 429), the path's ids are well formed (404), and
 * query and body satisfy their schemas (400, 413, 415). `handle` throws `ApiError`, or lets errors of the messenger and
 * the store through.
 */
export interface Route<
  P extends TObject = TObject,
  Q extends TObject = TObject,
  B extends TObject = TObject,
  R extends TSchema = TSchema,
  A extends Access = Access,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Marks a PUT that changes only the fields given: PATCH of the same path does the same (see `with-patches.ts`). */
  readonly partial?: true;
  /** The path, with `:name` for each of `params`. */
  readonly path: string;
  readonly tag: Tag;
  /**
   * The name of the method in generated clients, such as `createSupplySource` or `listPools`. It is unique and never
   * changes.
   */
  readonly operationId: string;
  /** One imperative line. */
  readonly summary: string;
  /** The details that the summary leaves open: readings, limits, what does not happen. Markdown. */
  readonly description?: string;
  readonly access: A;
  /** What its callers reach, where the rule of `access` does not say it. */
  readonly reach?: Reach;
  readonly params?: P;
  /** The schema of the query. Parameters that it does not name are ignored. */
  readonly query?: Q;
  /** The schema of the body. Without one, a body is ignored. */
  readonly body?: B;
  /**
   * `by-handler`: the schema only describes the body. The handler checks it, so that the answer lists all faults at
   * once.
   */
  readonly bodyCheck?: 'by-handler';
  /** The largest body, in bytes after decompression; the default is the setting. */
  readonly bodyLimitBytes?: number;
  /** The route refuses callers without `X-User-Partner-ID` (FORBIDDEN). */
  readonly partner?: 'required';
  /** The route runs in the sandbox context, whatever the caller asks for. */
  readonly sandbox?: 'always';
  /** The answer holds a credential and is never compressed, since its length would reveal the credential (BREACH). */
  readonly secret?: true;
  /** The route takes `If-Match` and answers an `ETag`. */
  readonly revised?: true;
  /**
   * The audit entries of a route that is not a GET. By default each actor that it changes leaves an entry.
   * `by-handler`: the handler calls `record` right before it makes a change that no single actor makes. `none`: the
   * route changes nothing.
   */
  readonly trail?: 'by-handler' | 'none';
  /** The errors that the route may answer in addition to those that follow from its shape. */
  readonly errors?: readonly ErrorCode[];
  readonly examples?: { readonly body?: unknown; readonly answer?: unknown };
  readonly answer: {
    /** The status of a success. 204 has no body: `handle` resolves with null. */
    readonly status: 200 | 201 | 204;
    readonly schema: R;
    /** Headers in addition to those that every answer has. */
    readonly headers?: Readonly<Record<string, string>>;
    /** Writes the answer as a table, for callers that accept `text/csv`. */
    readonly csv?: (answer: Answer<Static<R>>) => Table;
    /**
     * Writes the answer as a document, for callers that accept `text/html`, with the headers that isolate its contents.
     */
    readonly html?: {
      readonly write: (answer: Answer<Static<R>>) => string;
      readonly headers: Readonly<Record<string, string>>;
    };
    /** The answer is a file of this media type (`FileAnswer`), never JSON. */
    readonly file?: string;
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
