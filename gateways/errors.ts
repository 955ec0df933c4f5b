/**
 * All errors that the API can answer (specification, "Errors"), each with its HTTP status and its default message.
 * `retryAfterS` becomes the `Retry-After` header.
 */
export const errorCatalogue = {
  INVALID_PARAMS: { status: 400, message: 'A parameter is missing or malformed.' },
  INVALID_JSON: { status: 400, message: 'The body is not valid JSON.' },
  VALIDATION_ERROR: { status: 400, message: 'A field is not valid.' },
  UNAUTHORIZED: { status: 401, message: 'The API key is missing or invalid.' },
  FORBIDDEN: { status: 403, message: 'The API key does not reach this far.' },
  NOT_FOUND: { status: 404, message: 'There is no such resource.' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'The resource does not know this method.' },
  REQUEST_TIMEOUT: { status: 408, message: 'The request did not arrive in time.' },
  CONFLICT: { status: 409, message: 'The resource is in the way of the change, or exists already.' },
  PRECONDITION_FAILED: { status: 412, message: 'The resource has changed since it was read.' },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The body is too large.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'The body must be application/json.' },
  STRATEGY_INVALID: { status: 422, message: 'The strategy is not valid.' },
  QUOTA_EXCEEDED: { status: 422, message: 'The account has no room for so many bytes.' },
  RATE_LIMITED: { status: 429, message: 'Too many requests.', retryAfterS: 60 },
  INTERNAL_ERROR: { status: 500, message: 'An unexpected error occurred.' },
  BAD_GATEWAY: { status: 502, message: 'An upstream server failed.', retryAfterS: 5 },
  SERVICE_UNAVAILABLE: { status: 503, message: 'The service is overloaded or under maintenance.', retryAfterS: 30 },
  AUCTION_TIMEOUT: { status: 503, message: 'The auction took too long.', retryAfterS: 1 },
} as const satisfies Record<string, { status: number; message: string; retryAfterS?: number }>;

export type ErrorCode = keyof typeof errorCatalogue;

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(errorCatalogue, code);
}

/** Whether an error of this code may name a field; other errors explain themselves by their message alone. */
function isValidationError(code: ErrorCode): boolean {
  const { status } = errorCatalogue[code];
  return status === 400 || status === 422;
}

/** One of several errors of a document; `field` is a path such as `rules[2].conditions[0].value`. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** Details that some errors have beside code, message and field. */
export interface ErrorDetails {
  /** All errors of the document, when the check did not stop at the first one. */
  readonly errors?: readonly FieldError[] | undefined;
  /** The time from which a retry may succeed, in ms since the Unix epoch. */
  readonly resetAtMs?: number | undefined;
}

/** An error of the catalogue, as it is answered. */
export interface AnsweredError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly field: string | undefined;
  readonly details?: ErrorDetails;
}

/** The exception by which a handler answers with an error of the catalogue. */
export class ApiError extends Error implements AnsweredError {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  /**
   * The invalid field or parameter, as the caller wrote it; for validation errors (400, 422) only (specification,
   * "Errors").
   */
  readonly field: string | undefined;
  readonly details: ErrorDetails;

  constructor(
    code: ErrorCode,
    message: string = errorCatalogue[code].message,
    field?: string,
    details: ErrorDetails = {},
  ) {
    super(message);
    this.code = code;
    this.field = isValidationError(code) ? field : undefined;
    this.details = details;
  }
}
