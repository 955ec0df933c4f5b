/** The errors with which an ad request can be refused; each is in the catalogue of errors (specification, "Errors"). */
export type RefusalCode = 'INVALID_PARAMS' | 'UNAUTHORIZED' | 'FORBIDDEN' | 'SERVICE_UNAVAILABLE' | 'AUCTION_TIMEOUT';

/** Thrown where an ad request is refused. The endpoint of the request answers with the error of the catalogue. */
export class RefusedRequest extends Error {
  override readonly name = 'RefusedRequest';
  readonly code: RefusalCode;
  /** The field at fault; set for `INVALID_PARAMS` only. */
  readonly field: string | undefined;

  constructor(code: RefusalCode, message: string, field?: string) {
    super(message);
    this.code = code;
    this.field = field;
  }
}
