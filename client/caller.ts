import createFetchClient from 'openapi-fetch';
import type { CallOptions } from './api-types.ts';
import { ExchangeError, errorOfAnswer, type Operation } from './errors.ts';
import { toldWaitMs } from './http/retry-policy.ts';
import { type Retry, send } from './http/send.ts';
import { type Login, Session } from './http/session.ts';
import { VERSION } from './version.ts';

/** How a client reaches the exchange, and as whom. */
export interface ClientOptions {
  /** Of the management API, `https://api.exchange.example`; in a page of its own origin `/` will do. */
  readonly baseUrl: string;
  /** A key of the account (`pk_live_…`, `pk_sandbox_…`) or of one source (`pub_…`, `dsp_…`). */
  readonly apiKey?: string | undefined;
  /**
   * A user instead of a key. Outside of browsers the first call logs in, and a session that has ended is replaced,
   * unless its login had a code, which is good once. `'browser'`: the session that the page's browser holds.
   */
  readonly session?: Login | 'browser' | undefined;
  /** All calls in the sandbox. A `pk_sandbox_…` key is in it anyway. */
  readonly sandbox?: boolean | undefined;
  /** All calls for one partner of the account. */
  readonly partner?: string | undefined;
  /** Before the client's own; not sent by browsers. */
  readonly userAgent?: string | undefined;
  /** Instead of the global `fetch`: with a proxy's agent, or of a test. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
  /** How often a call is tried again after a failure that may pass; 4 by default, 0 for never. */
  readonly retries?: number | undefined;
  /** For each attempt, its body included, in ms; 30,000 by default. */
  readonly timeoutMs?: number | undefined;
  /** Is given each attempt before it is sent, and may set headers of it. */
  readonly onRequest?: ((request: Request) => void | Promise<void>) | undefined;
  /** Is told of each attempt that failed and is followed by another one. */
  readonly onRetry?: ((retry: Retry) => void) | undefined;
}

/** A successful answer, with what its headers say of it. */
export interface Answer<Body> {
  readonly data: Body;
  readonly status: number;
  /** The version of the resource, for `ifMatch` of a change to it. */
  readonly etag: string | null;
  /** How many there are on all pages of a list. */
  readonly total: number | null;
  readonly requestId: string | null;
  readonly headers: Headers;
}

/** What a call has beside its options: parameters of the path and of the query, and a body. */
interface CallInit extends CallOptions {
  readonly params?: unknown;
  readonly body?: unknown;
}

type UntypedClient = {
  request(method: string, path: string, init: object): Promise<{ data?: unknown; error?: unknown; response: Response }>;
};

/** What an answer is read as, and the media type that is asked for. */
const FORMS = {
  json: 'application/json',
  text: 'text/csv',
  arrayBuffer: '*/*',
} as const;

export const DEFAULT_RETRIES = 4;
const DEFAULT_TIMEOUT_MS = 30_000;

/** Calls operations, without their types. */
export class Caller {
  readonly options: ClientOptions;
  readonly baseUrl: string;
  readonly #client: UntypedClient;
  readonly #session: Session | null;

  constructor(options: ClientOptions) {
    this.options = options;
    this.baseUrl = options.baseUrl.replace(/\/$/, '');
    const { session } = options;
    this.#client = createFetchClient<Record<string, Record<string, never>>>({
      baseUrl: this.baseUrl,
      ...(session === 'browser' && { credentials: 'include' }),
    }) as unknown as UntypedClient;
    this.#session = session === undefined || session === 'browser' ? null : new Session(() => this.#logIn(session));
  }

  async call(
    method: string,
    path: string,
    init: CallInit = {},
    form: keyof typeof FORMS = 'json',
  ): Promise<Answer<unknown>> {
    const key = method === 'GET' ? undefined : (init.idempotencyKey ?? crypto.randomUUID());
    const change = { ...init, idempotencyKey: key };
    try {
      return await this.#call(method, path, change, form);
    } catch (error) {
      if (!this.#sessionHasEnded(error)) throw error;
      this.#session?.forget();
      return this.#call(method, path, change, form);
    }
  }

  /** The headers that say on whose behalf is asked. */
  async credentialHeaders(): Promise<Record<string, string>> {
    const { apiKey, sandbox, partner, userAgent } = this.options;
    const cookie = await this.#session?.cookie();
    return {
      ...(apiKey !== undefined && { 'X-API-Key': apiKey }),
      ...(cookie !== undefined && { Cookie: cookie }),
      ...(sandbox && { 'X-Sandbox': 'true' }),
      ...(partner !== undefined && { 'X-User-Partner-ID': partner }),
      ...userAgentHeader(userAgent),
    };
  }

  async #call(method: string, path: string, init: CallInit, form: keyof typeof FORMS): Promise<Answer<unknown>> {
    const { params, body, idempotencyKey, ifMatch, headers: more } = init;
    const headers = {
      Accept: FORMS[form],
      ...(await this.credentialHeaders()),
      ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
      ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
      ...more,
    };
    const operation = { method, path };
    const { data, error, response } = await this.#request(operation, { params, body, headers, parseAs: form }, init);
    this.#session?.note(response);
    if (!response.ok) throw errorOfAnswer(operation, response, error, toldWaitMs(response, Date.now()));
    // Only a 204 has no body: something in between has answered.
    if (data === undefined && response.status !== 204) throw errorOfAnswer(operation, response, null, null);
    const total = response.headers.get('X-Total-Count');
    return {
      data,
      status: response.status,
      etag: response.headers.get('ETag'),
      total: total === null ? null : Number(total),
      requestId: response.headers.get('X-Request-Id'),
      headers: response.headers,
    };
  }

  /** @throws ExchangeError of the code UNKNOWN for a success whose body is not what was asked for */
  async #request(operation: Operation, init: object, options: CallOptions) {
    let answered: Response | undefined;
    try {
      return await this.#client.request(operation.method.toLowerCase(), operation.path, {
        ...init,
        fetch: async (request: Request) => {
          answered = await this.#send(request, operation, options);
          return answered;
        },
      });
    } catch (error) {
      // The client below parses JSON without a word on whose answer it was.
      if (answered === undefined || !(error instanceof SyntaxError)) throw error;
      throw errorOfAnswer(operation, answered, null, null);
    }
  }

  #send(request: Request, operation: Operation, init: CallOptions): Promise<Response> {
    const { options } = this;
    return send(request, {
      operation,
      fetch: options.fetch ?? ((attempt) => fetch(attempt)),
      retries: init.retries ?? options.retries ?? DEFAULT_RETRIES,
      timeoutMs: init.timeoutMs ?? options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
      signal: init.signal,
      onRequest: options.onRequest,
      onRetry: options.onRetry,
    });
  }

  async #logIn(login: Login): Promise<Response> {
    const operation = { method: 'POST', path: '/api/auth/login' };
    const headers = userAgentHeader(this.options.userAgent);
    const { error, response } = await this.#request(operation, { body: login, headers }, {});
    if (!response.ok) throw errorOfAnswer(operation, response, error, toldWaitMs(response, Date.now()));
    return response;
  }

  #sessionHasEnded(error: unknown): boolean {
    const { session } = this.options;
    return (
      error instanceof ExchangeError &&
      error.status === 401 &&
      error.path !== '/api/auth/login' &&
      typeof session === 'object' &&
      session.code === undefined
    );
  }
}

/** Of programs alone: browsers send their own, and for this header ask the exchange first. */
function userAgentHeader(userAgent: string | undefined): Record<string, string> {
  if (!('process' in globalThis)) return {};
  const own = `ad-exchange-client/${VERSION}`;
  return { 'User-Agent': userAgent === undefined ? own : `${userAgent} ${own}` };
}
