interface FieldFault {
  readonly field: string;
  readonly message: string;
}

interface ErrorBody {
  readonly error?: {
    readonly code?: string;
    readonly message?: string;
    readonly field?: string;
    readonly errors?: readonly FieldFault[];
    readonly request_id?: string;
  };
}

/**
 * What the API refused or failed at, as its error body says it (specification, "Errors"). Status 0: it could not be
 * reached.
 */
export class ApiFault extends Error {
  readonly status: number;
  readonly code: string;
  /** One for each field that is at fault; none where the fault is of no field. */
  readonly fields: readonly FieldFault[];
  readonly requestId: string | null;
  /** How long to wait before asking again, where the answer says so. */
  readonly retryAfterMs: number | null;

  constructor(said: Pick<ApiFault, 'message' | 'status' | 'code' | 'fields' | 'requestId' | 'retryAfterMs'>) {
    super(said.message);
    this.name = 'ApiFault';
    this.status = said.status;
    this.code = said.code;
    this.fields = said.fields;
    this.requestId = said.requestId;
    this.retryAfterMs = said.retryAfterMs;
  }

  static async of(response: Response): Promise<ApiFault> {
    const body = (await response.json().catch(() => ({}))) as ErrorBody;
    const { code = 'UNKNOWN', message = `The exchange answered ${response.status}.`, field, errors } = body.error ?? {};
    const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN);
    const wait = Number.isFinite(retryAfter)
      ? ` Try again in ${retryAfter} ${retryAfter === 1 ? 'second' : 'seconds'}.`
      : '';
    return new ApiFault({
      status: response.status,
      code,
      message: message + wait,
      fields: errors ?? (field === undefined ? [] : [{ field, message }]),
      requestId: body.error?.request_id ?? response.headers.get('X-Request-Id'),
      retryAfterMs: Number.isFinite(retryAfter) ? retryAfter * 1000 : null,
    });
  }

  static unreachable(cause: unknown): ApiFault {
    return new ApiFault({
      status: 0,
      code: 'UNREACHABLE',
      message: `The exchange could not be reached${cause instanceof Error && cause.message !== '' ? ` (${cause.message})` : ''}.`,
      fields: [],
      requestId: null,
      retryAfterMs: null,
    });
  }
}

/** Whether asking again in a moment may help. */
export function isPassing(fault: unknown): boolean {
  return fault instanceof ApiFault && (fault.status === 0 || fault.status === 429 || fault.status >= 500);
}
