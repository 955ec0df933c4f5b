import type { BidRequest } from '#exchange/openrtb/bid-request';
import { InvalidBidRequest, InvalidFloor } from '#exchange/openrtb/invalid-bid-request';
import { parseBidRequest } from '#exchange/openrtb/parse-bid-request';
import { ApiError } from '#gateways/errors';

/**
 * The largest request. The answer repeats the request's value with each condition, so this bound keeps the answer
 * short.
 */
export const MAX_REQUEST_BYTES = 65_536;

/**
 * Reads the bid request that a strategy is tried on, under the checks that the edge makes. VALIDATION_ERROR for an
 * invalid request.
 */
export function readTestRequest(document: unknown): BidRequest {
  if (document === undefined) throw new ApiError('VALIDATION_ERROR', 'bid_request is required.', 'bid_request');
  if (Buffer.byteLength(JSON.stringify(document)) > MAX_REQUEST_BYTES) {
    throw new ApiError('VALIDATION_ERROR', `bid_request must have at most ${MAX_REQUEST_BYTES} bytes.`, 'bid_request');
  }
  try {
    return parseBidRequest(document);
  } catch (error) {
    if (!(error instanceof InvalidBidRequest || error instanceof InvalidFloor)) throw error;
    const field = error.path === '' ? 'bid_request' : `bid_request.${error.path}`;
    throw new ApiError('VALIDATION_ERROR', `${field} ${error.message}.`, field);
  }
}
