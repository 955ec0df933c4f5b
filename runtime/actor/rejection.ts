/** A reducer's refusal: the ask fails with `Rejected`, the state stays as it was. */
export class Rejection {
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: string, message: string, details: Readonly<Record<string, unknown>> = {}) {
    this.code = code;
    this.message = message;
    this.details = details;
  }
}

/** `code` is one of the catalogue of errors of whoever asks, e.g. `CONFLICT`. */
export function reject(code: string, message: string, details?: Readonly<Record<string, unknown>>): Rejection {
  return new Rejection(code, message, details);
}
