import { extentBound } from '#exchange/openrtb/shape';
import { ApiError } from '../../errors.ts';

/** The most objects, lists and fields of all that one request is merged of. */
const MAX_FIELDS_IN_ALL = 20_000;

/**
 * The extent of a request and of what is stored for it, as often as that is put in: all is merged and copied before the
 * shape of the request is checked.
 */
export class MergedExtent {
  readonly #faultOf = extentBound(MAX_FIELDS_IN_ALL);

  /** Throws VALIDATION_ERROR when the request is larger than one may be with this document, which is not merged yet. */
  add(document: unknown): void {
    const found = this.#faultOf(document);
    if (found !== undefined)
      throw new ApiError('VALIDATION_ERROR', `The request, with what is stored for it, ${found.message}.`);
  }
}
