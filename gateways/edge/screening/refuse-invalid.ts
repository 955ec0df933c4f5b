import type { PublisherView } from '../../../actors/publisher/fields.ts';
import type { ApiError } from '../../errors.ts';
import type { EdgeParts } from '../parts.ts';

/** The error for what is no ad request that could be auctioned, recorded for the publisher that it names. */
export function invalidRequest(
  { explorer }: Pick<EdgeParts, 'explorer'>,
  publisher: PublisherView,
  sandboxAsked: boolean,
  error: ApiError,
  auctionId = '',
): ApiError {
  const sandbox = sandboxAsked || publisher.status === 'sandbox';
  const reason = 'invalid-request';
  explorer.refused({ outcome: 'invalid', reason, detail: error.message, publisher, sandbox, auctionId });
  return error;
}
