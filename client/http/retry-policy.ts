/** The statuses after which the same request may succeed. A change is repeated under its `Idempotency-Key`. */
const PASSING = new Set([408, 429, 500, 502, 503, 504]);

/**
 * Changes that take no `Idempotency-Key`. They are repeated only after 429, which the exchange answers before it acts.
 */
export const CHANGES_WITHOUT_KEY: ReadonlySet<string> = new Set([
  'POST /api/auth/login',
  'POST /api/auth/logout',
  'POST /api/invitations/look-up',
  'POST /api/invitations/accept',
  'POST /api/scout/events',
]);

const FIRST_MS = 500;
const LONGEST_MS = 16_000;
/** An answer may ask to wait that long; a call that is to wait longer fails at once. */
const LONGEST_TOLD_MS = 65_000;

/** Whether a failure may pass: an answer's status, or null without an answer. */
export function mayPass(status: number | null, operation: string): boolean {
  if (CHANGES_WITHOUT_KEY.has(operation)) return status === 429;
  return status === null || PASSING.has(status);
}

/**
 * How long to wait before the next attempt: what the answer told, else 0.5, 1, 2, 4, 8 and 16 s, each give or take a
 * half. Null: too long for a call.
 */
export function waitBefore(attempt: number, toldMs: number | null, random: () => number): number | null {
  const backOff = Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempt - 1)) * (0.5 + random());
  if (toldMs === null) return backOff;
  // Callers that were told the same time do not come back at once.
  return toldMs > LONGEST_TOLD_MS ? null : toldMs + random() * FIRST_MS;
}

/**
 * How long an answer asks to wait, in ms: of a 429 until the minute of the limit is over, by the clock of the answer;
 * else `Retry-After`, in seconds or as a date. Null where it says nothing.
 */
export function toldWaitMs({ status, headers }: Response, nowMs: number): number | null {
  const dateMs = Date.parse(headers.get('Date') ?? '');
  const clockMs = Number.isNaN(dateMs) ? nowMs : dateMs;
  const reset = Number(headers.get('X-RateLimit-Reset') ?? Number.NaN);
  if (status === 429 && headers.get('X-RateLimit-Remaining') === '0' && Number.isFinite(reset)) {
    return Math.max(0, reset * 1000 - clockMs);
  }
  const told = headers.get('Retry-After');
  if (told === null) return null;
  const ms = Number.isNaN(Number(told)) ? Date.parse(told) - clockMs : Number(told) * 1000;
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}
