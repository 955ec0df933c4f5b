import { type Caller, DEFAULT_RETRIES } from './caller.ts';
import { ExchangeError, errorWithoutAnswer } from './errors.ts';
import { waitBefore } from './http/retry-policy.ts';
import { wait } from './http/wait.ts';

/** What the account, or the partner, sells just now. */
export interface LiveMetrics {
  readonly type: 'metrics_update';
  /** ISO 8601. */
  readonly timestamp: string;
  /** Auctions a second. */
  readonly rps: number;
  /** The share of imps of the last minute that had an ad. */
  readonly fill_rate_1m: number;
  /** The payout of the last minute, in whole cents. */
  readonly revenue_cents_1m: number;
}

export interface LiveMetricsOptions {
  /** Closes the socket and ends the iteration. */
  readonly signal?: AbortSignal | undefined;
}

/** What is used of a WebSocket: of `ws`, and of browsers. */
interface Socket {
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number; reason: string }) => void) | null;
  onerror: ((event: unknown) => void) | null;
  close(): void;
}

interface WebSocketPackage {
  readonly WebSocket: new (url: string, options: { readonly headers: Record<string, string> }) => Socket;
}

const PATH = '/ws/metrics';
/** The key or the session has ended (specification, "WebSocket"). */
const POLICY_VIOLATION = 1008;

/**
 * Yields each update until the caller stops or the signal is aborted; a socket that breaks is opened again, after the
 * waits of a call and as often in a row.
 * @throws ExchangeError when the exchange refuses the socket (401, 403, 429), ends it because the credential has ended, or
 *   is not reached
 */
export async function* readLiveMetrics(
  caller: Caller,
  { signal }: LiveMetricsOptions,
): AsyncGenerator<LiveMetrics, void, undefined> {
  for (let failures = 0; ; failures++) {
    if (signal?.aborted) return;
    const headers = await unlessAborted(caller.credentialHeaders(), signal);
    if (headers === null) return;
    const updates = new Updates(await openSocket(caller, headers), signal);
    try {
      for (let update = await updates.next(); update !== null; update = await updates.next()) {
        failures = 0;
        yield update;
      }
    } finally {
      updates.close();
    }
    if (signal?.aborted) return;
    if (failures >= (caller.options.retries ?? DEFAULT_RETRIES)) {
      throw errorWithoutAnswer({ method: 'GET', path: PATH }, 'UNREACHABLE', 'no WebSocket could be opened');
    }
    await wait(waitBefore(failures + 1, null, Math.random)!, signal).catch(() => {});
  }
}

/** The updates of one socket, in their order; those that are not taken in time wait here. */
class Updates {
  readonly #socket: Socket;
  readonly #signal: AbortSignal | undefined;
  readonly #waiting: LiveMetrics[] = [];
  #ended: { readonly error: ExchangeError | null } | null = null;
  #wake: (() => void) | null = null;

  constructor(socket: Socket, signal: AbortSignal | undefined) {
    this.#socket = socket;
    this.#signal = signal;
    socket.onmessage = ({ data }) => {
      this.#waiting.push(JSON.parse(String(data)));
      this.#wake?.();
    };
    socket.onerror = (event) => this.#end(refusalOf(event));
    socket.onclose = ({ code }) =>
      this.#end(code === POLICY_VIOLATION ? refused(401, 'UNAUTHORIZED', 'the key or session has ended') : null);
    signal?.addEventListener('abort', this.#abort, { once: true });
    if (signal?.aborted) this.#abort();
  }

  /** Null: the socket is closed. */
  async next(): Promise<LiveMetrics | null> {
    for (;;) {
      const update = this.#waiting.shift();
      if (update !== undefined) return update;
      if (this.#ended?.error) throw this.#ended.error;
      if (this.#ended) return null;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  close(): void {
    this.#signal?.removeEventListener('abort', this.#abort);
    this.#socket.close();
    this.#end(null);
  }

  readonly #abort = (): void => {
    this.#waiting.length = 0;
    this.close();
  };

  #end(error: ExchangeError | null): void {
    this.#ended ??= { error };
    this.#wake?.();
  }
}

/** Null when the signal is aborted first; what is awaited goes on, and its failure is of no concern then. */
async function unlessAborted<T>(awaited: Promise<T>, signal: AbortSignal | undefined): Promise<T | null> {
  if (signal === undefined) return awaited;
  let end = () => {};
  const aborted = new Promise<null>((resolve) => {
    end = () => resolve(null);
    signal.addEventListener('abort', end, { once: true });
  });
  try {
    return await Promise.race([awaited, aborted]);
  } finally {
    signal.removeEventListener('abort', end);
  }
}

async function openSocket(caller: Caller, headers: Record<string, string>): Promise<Socket> {
  const page = (globalThis as { location?: { href: string } }).location?.href;
  const url = new URL(`${caller.baseUrl}${PATH}`, page).href.replace(/^http/, 'ws');
  if (caller.options.session === 'browser') return new WebSocket(url) as unknown as Socket;
  // Named so that bundlers for browsers, which have a WebSocket of their own, do not look for it.
  const name = 'ws';
  const { WebSocket: WithHeaders } = (await import(name)) as WebSocketPackage;
  return new WithHeaders(url, { headers });
}

/** `ws` tells the status of a refusal in its message alone; null for a socket that could not be opened or broke. */
function refusalOf(event: unknown): ExchangeError | null {
  const status = Number(
    /Unexpected server response: (\d{3})/.exec(String((event as { message?: unknown }).message))?.[1],
  );
  if (status === 401) return refused(status, 'UNAUTHORIZED', 'the credentials are not valid');
  if (status === 403) return refused(status, 'FORBIDDEN', 'the credentials do not reach this far');
  if (status === 429) return refused(status, 'RATE_LIMITED', 'too many WebSockets are open');
  return null;
}

function refused(status: number, code: string, why: string): ExchangeError {
  return new ExchangeError(`GET ${PATH}: ${why}`, {
    ...{ status, code, method: 'GET', path: PATH },
    ...{ fields: [], requestId: null, retryAfterMs: null },
  });
}
