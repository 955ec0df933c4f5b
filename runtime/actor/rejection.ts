/** A reducer's refusal: the ask fails with `Rejected`, and the state stays unchanged. */
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

/** Creates a rejection. `code` comes from the asker's catalogue of errors, e.g. `CONFLICT`. */
export function reject(code: string, message: string, details?: Readonly<Record<string, unknown>>): Rejection {
  return new Rejection(code, message, details);
}
