/**
 * The outcome of an ask is **unknown**: its effect may have happened, or may happen later. Asking again with the same
 * request id is safe.
 */
export class ActorTimeout extends Error {
  override readonly name = 'ActorTimeout';
}

/** The actor rejected the message; nothing changed. */
export class Rejected extends Error {
  override readonly name = 'Rejected';
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: string, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/** The reducer failed on the message, which was parked as a dead letter; nothing changed. */
export class Parked extends Error {
  override readonly name = 'Parked';
}

export { LogUnavailable, Overloaded, StoreUnavailable } from '../ports/errors.ts';
