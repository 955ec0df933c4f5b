import { type ExchangeError, errorOfAnswer, errorWithoutAnswer } from '../errors.ts';
import { mayPass, toldWaitMs, waitBefore } from './retry-policy.ts';
import { wait } from './wait.ts';

/** One attempt of a call that failed and is tried again. */
export interface Retry {
  readonly error: ExchangeError;
  /** Of the attempt that failed, from 1 on. */
  readonly attempt: number;
  /** Until the next one. */
  readonly waitMs: number;
}

export interface SendOptions {
  readonly operation: { readonly method: string; readonly path: string };
  readonly fetch: (request: Request) => Promise<Response>;
  readonly retries: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly onRequest: ((request: Request) => void | Promise<void>) | undefined;
  readonly onRetry: ((retry: Retry) => void) | undefined;
}

/** Statuses that have no body. */
const BODILESS = new Set([204, 205, 304]);

/**
 * Sends a request until it is answered with something that does not pass, or there were enough attempts. The answer is
 * whole: an attempt that is cut while its body is read has failed, too.
 */
export async function send(request: Request, options: SendOptions): Promise<Response> {
  const { operation, retries, signal, onRetry } = options;
  const name = `${operation.method} ${operation.path}`;
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    const outcome = await tryOnce(request.clone(), options);
    const answered = outcome instanceof Response;
    if (answered && !mayPass(outcome.status, name)) return outcome;
    const toldMs = answered ? toldWaitMs(outcome, Date.now()) : null;
    const waitMs =
      attempt <= retries && mayPass(answered ? outcome.status : null, name)
        ? waitBefore(attempt, toldMs, Math.random)
        : null;
    if (waitMs === null) {
      if (answered) return outcome;
      throw outcome;
    }
    if (onRetry) onRetry({ error: answered ? await readError(outcome, operation) : outcome, attempt, waitMs });
    await wait(waitMs, signal);
  }
}

/** The whole answer, or why there was none. Rejects only for the caller's own signal. */
async function tryOnce(request: Request, options: SendOptions): Promise<Response | ExchangeError> {
  const { operation, fetch, timeoutMs, signal, onRequest } = options;
  await onRequest?.(request);
  signal?.throwIfAborted();
  const attempt = new AbortController();
  const end = () => attempt.abort(signal?.reason);
  signal?.addEventListener('abort', end, { once: true });
  const timer = setTimeout(() => attempt.abort(), timeoutMs);
  try {
    const response = await fetch(new Request(request, { signal: attempt.signal }));
    const bytes = await response.arrayBuffer();
    const { status, statusText, headers } = response;
    return new Response(BODILESS.has(status) ? null : bytes, { status, statusText, headers });
  } catch (cause) {
    signal?.throwIfAborted();
    if (attempt.signal.aborted) {
      return errorWithoutAnswer(operation, 'TIMEOUT', `no answer within ${timeoutMs} ms`, cause);
    }
    return errorWithoutAnswer(operation, 'UNREACHABLE', `the exchange could not be reached${reasonOf(cause)}`, cause);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
}

/** `fetch` hides the failure of the connection in its cause. */
function reasonOf(failure: unknown): string {
  const cause = failure instanceof Error && failure.cause instanceof Error ? failure.cause : failure;
  const { code, message } = cause as { code?: unknown; message?: unknown };
  const reason = message || code;
  return typeof reason === 'string' ? ` (${reason})` : '';
}

async function readError(response: Response, operation: SendOptions['operation']): Promise<ExchangeError> {
  const text = await response.clone().text();
  let body: unknown = text;
  try {
    body = JSON.parse(text);
  } catch {
    // An answer of something in between is its text.
  }
  return errorOfAnswer(operation, response, body, toldWaitMs(response, Date.now()));
}
