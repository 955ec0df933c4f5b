import type { PublisherView } from '../../actors/publisher/view.ts';
import type { EdgeParts } from '../../gateways/edge/deps.ts';
import type { ApiError } from '../../gateways/errors.ts';

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
