/** One field that is at fault, and why. */
export interface FieldFault {
  /** A path into the request, such as `rules[2].conditions[0].value`. */
  readonly field: string;
  readonly message: string;
}

/** The error body of the API (specification, "Errors"). */
interface ErrorBody {
  readonly error?: {
    readonly code?: string;
    readonly message?: string;
    readonly field?: string;
    readonly errors?: readonly FieldFault[];
    readonly request_id?: string;
  };
}

interface ExchangeErrorFields {
  readonly status: number;
  readonly code: string;
  readonly fields: readonly FieldFault[];
  readonly requestId: string | null;
  readonly retryAfterMs: number | null;
  readonly method: string;
  readonly path: string;
}

/**
 * The one error of a call that failed: what the exchange answered, or why there was no answer. Only a call that its own
 * `signal` ended rejects with something else, the signal's reason.
 */
export class ExchangeError extends Error {
  override readonly name = 'ExchangeError';
  /** The HTTP status; 0 without an answer. */
  readonly status: number;
  /**
   * A code of the API, `NOT_FOUND`; or `UNREACHABLE` or `TIMEOUT` without an answer, and `UNKNOWN` for an answer that
   * is not the exchange's, such as a proxy's.
   */
  readonly code: string;
  /** All that is wrong with the request, at most 50; empty where no field is at fault. */
  readonly fields: readonly FieldFault[];
  /** The id of the request, for support. */
  readonly requestId: string | null;
  /** In ms; null where the answer does not say. */
  readonly retryAfterMs: number | null;
  /** The operation: `POST`, and `/api/keys/{id}/rotate`. */
  readonly method: string;
  readonly path: string;

  constructor(message: string, fields: ExchangeErrorFields, options?: ErrorOptions) {
    super(message, options);
    this.status = fields.status;
    this.code = fields.code;
    this.fields = fields.fields;
    this.requestId = fields.requestId;
    this.retryAfterMs = fields.retryAfterMs;
    this.method = fields.method;
    this.path = fields.path;
  }

  /** The first field at fault; null where there is none. */
  get field(): string | null {
    return this.fields[0]?.field ?? null;
  }
}

/** The operation that a call names. */
export interface Operation {
  readonly method: string;
  readonly path: string;
}

/** The error of an answer that is not 2xx, or not the exchange's; `body` is its JSON or its text. */
export function errorOfAnswer(
  operation: Operation,
  response: Response,
  body: unknown,
  retryAfterMs: number | null,
): ExchangeError {
  const said = (typeof body === 'object' && body !== null ? (body as ErrorBody).error : undefined) ?? {};
  const { code = 'UNKNOWN', field } = said;
  const message = said.message ?? `The answer is ${response.status} and not the exchange's.`;
  const fields = said.errors ?? (field === undefined ? [] : [{ field, message }]);
  const requestId = said.request_id ?? response.headers.get('X-Request-Id');
  return new ExchangeError(`${operation.method} ${operation.path}: ${message}`, {
    ...operation,
    status: response.status,
    code,
    fields,
    requestId,
    retryAfterMs,
  });
}

/** The error of a call without an answer. */
export function errorWithoutAnswer(
  { method, path }: Operation,
  code: 'UNREACHABLE' | 'TIMEOUT',
  why: string,
  cause?: unknown,
): ExchangeError {
  return new ExchangeError(
    `${method} ${path}: ${why}`,
    { method, path, status: 0, code, fields: [], requestId: null, retryAfterMs: null },
    { cause },
  );
}
