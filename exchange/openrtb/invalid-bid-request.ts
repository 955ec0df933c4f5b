/**
 * Thrown for a document that is not an OpenRTB bid request; the edge answers 400. `path` is empty for the document
 * itself.
 */
export class InvalidBidRequest extends Error {
  override readonly name = 'InvalidBidRequest';
  /** The place, as in `imp[0].banner.w`. */
  readonly path: string;

  constructor(path: string, message: string) {
    super(message);
    this.path = path;
  }
}

/**
 * Thrown for a floor that no honest caller sends: negative, not finite, absurdly high or in another currency; answered
 * 403.
 */
export class InvalidFloor extends Error {
  override readonly name = 'InvalidFloor';
  /** The place, as in `imp[0].bidfloor`. */
  readonly path: string;

  constructor(path: string, message: string) {
    super(message);
    this.path = path;
  }
}
