import type { Static, TObject, TSchema } from 'typebox';
import type { Requester } from '../../../actors/audit-entry/audit-entry.ts';
import type { ErrorCode } from '../../errors.ts';
import type { RateLimitAddress } from '../../http/caller-address.ts';
import type { ManagementDeps } from '../deps.ts';
import type { Caller, Login, SessionCaller, SourceCaller } from '../identity/caller.ts';
import type { RequestIds } from '../identity/request-ids.ts';
import type { Table } from './table.ts';

/**
 * Who may call:
 * - `public`: everybody.
 * - `account`: an account's API key, or a user's session.
 * - `login`: any user's session, of an account or of a source, for what concerns the login alone.
 * - `session`: the session of an account's user alone.
 * - `operator`: the session of a user who runs the exchange.
 * - `publisher-key`, `dsp-key`: the key of one source of that kind, or the session of one of its own people.
 * - `publisher-session`, `dsp-session`: the session of one of the people of a source of that kind alone.
 */
export type Access = 'public' | 'account' | 'login' | 'session' | 'operator' | SourceAccess;

/** The headings under which the API is described, in their order. */
export type Tag =
  | 'Service'
  | 'Metrics'
  | 'Auctions'
  | 'Supply'
  | 'Demand'
  | 'Campaigns'
  | 'Source reports'
  | 'Partners'
  | 'Sandbox'
  | 'Webhooks'
  | 'Account'
  | 'Operators';

type SourceAccess = 'publisher-key' | 'dsp-key' | 'publisher-session' | 'dsp-session';

/** One request, read and checked, as its handler sees it. */
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
  /** Of `If-Match`: the change must meet one of these revisions. Undefined: any. */
  readonly expecting: number[] | undefined;
  /** Answers the resource's revision as its `ETag`; with what else the answer shows that no revision counts. */
  revision(revision: number, ...uncounted: (number | string)[]): void;
  /** Of a list whose answer has no `total`: how many there are on all pages. */
  listed(total: number): void;
  /** Adds a header to the answer. */
  header(name: string, value: string): void;
  /** For routes that nobody is logged in for: who asked, once it is known. */
  byUser(userId: string, accountId: string): Requester;
  /** Writes an entry into the audit trail, of what is about to be done (`trail: 'by-handler'`). */
  record(entry: { readonly action: string; readonly resource: string; readonly after: object }): Promise<void>;
  /** The request as it came: for credentials, which no schema describes. */
  readonly request: {
    readonly method: string;
    /** A header's value, '' when absent. */
    header(name: string): string;
    /** Gives the browser the cookie of a session; null takes it away. */
    giveSession(token: string | null): void;
    /** Gives the browser the cookie by which it is known (known-device.ts). */
    giveDevice(cookie: string): void;
    /** A cookie's value. */
    cookie(name: string): string | undefined;
    /** The caller's address, as the trusted proxies tell it. */
    readonly address: string;
    /** What calls of this caller are counted under. */
    readonly countedAddress: RateLimitAddress;
  };
  readonly parts: ManagementDeps;
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
  /** A PUT that changes the fields given and no others: PATCH of the same path does the same (see with-patches.ts). */
  readonly partial?: true;
  /** With `:name` for each of `params`. */
  readonly path: string;
  readonly tag: Tag;
  /** The method of generated clients, such as `createSupplySource` or `listPools`: unique, and never changed. */
  readonly operationId: string;
  /** One line, imperative. */
  readonly summary: string;
  /** What the summary leaves open: readings, limits, what does not happen. Markdown. */
  readonly description?: string;
  readonly access: A;
  readonly params?: P;
  /** Parameters it does not name are ignored. */
  readonly query?: Q;
  /** Without one, a body is ignored. */
  readonly body?: B;
  /** `by-handler`: the schema only describes the body; the handler checks it, to say all that is wrong with it at once. */
  readonly bodyCheck?: 'by-handler';
  /** The largest body, after decompression; by default the setting. */
  readonly bodyLimitBytes?: number;
  /** Without `X-User-Partner-ID` the caller is refused (FORBIDDEN). */
  readonly partner?: 'required';
  /** The sandbox context, whatever the caller says. */
  readonly sandbox?: 'always';
  /** Its answer holds a credential: it is never compressed, since its length would tell of it (BREACH). */
  readonly secret?: true;
  /** Takes `If-Match`, answers `ETag`. */
  readonly revised?: true;
  /**
   * What a route that is no GET leaves in the audit trail. By default each actor that it changes leaves an entry; `by-handler`: the
   * handler calls `record` right before it does what no single actor does; `none`: it changes nothing.
   */
  readonly trail?: 'by-handler' | 'none';
  /** What it may answer beside the errors that follow from its shape. */
  readonly errors?: readonly ErrorCode[];
  readonly examples?: { readonly body?: unknown; readonly answer?: unknown };
  readonly answer: {
    /** 204 has no body: `handle` resolves with null. */
    readonly status: 200 | 201 | 204;
    readonly schema: R;
    /** Headers beside those that every answer has. */
    readonly headers?: Readonly<Record<string, string>>;
    /** The same as a table, for callers that accept `text/csv`. */
    readonly csv?: (answer: Answer<Static<R>>) => Table;
    /** The same as a document, for callers that accept `text/html`; with the headers that keep what is in it apart. */
    readonly html?: {
      readonly write: (answer: Answer<Static<R>>) => string;
      readonly headers: Readonly<Record<string, string>>;
    };
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
