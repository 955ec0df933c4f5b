import { BLOCK_REASONS, type BlockReason } from '../../exchange/fraud/block-reason.ts';
import type { BidRequest } from '../../exchange/openrtb/bid-request.ts';
import type { InvalidFloor } from '../../exchange/openrtb/invalid-bid-request.ts';
import { publisherCandidates } from '../../exchange/openrtb/publisher-candidates.ts';
import type { EdgeParts } from '../../gateways/edge/deps.ts';
import { ApiError } from '../../gateways/errors.ts';
import type { AuctionOrder } from '../auction-context.ts';
import { publisherOf } from './publisher-of.ts';

type Parts = Pick<EdgeParts, 'screening' | 'facts' | 'explorer'>;

/** Throws FORBIDDEN for an order that must not be auctioned, counted by its reason. */
export function refuseBlocked(parts: Parts, order: AuctionOrder): void {
  const reason = parts.screening.blocks(order);
  if (reason !== null) throw blocked(parts, order, reason);
}

/** The same for an order whose id the caller chose, and of which `name` is made: a name is good for one auction. */
export function refuseReplayed(parts: Parts, order: AuctionOrder, name: number): void {
  if (parts.screening.isReplay(name)) throw blocked(parts, order, 'replayed-request');
}

/** The error for a floor that nobody can be held to, counted for the publisher where it is known. */
export function invalidFloor(
  { replica, facts, explorer }: Pick<EdgeParts, 'replica' | 'facts' | 'explorer'>,
  request: BidRequest,
  sandboxAsked: boolean,
  { message, path }: InvalidFloor,
  field = path,
): ApiError {
  const publisher = publisherOf(replica, publisherCandidates(request));
  const counts =
    publisher === undefined
      ? facts.platform(sandboxAsked)
      : facts.publisher(publisher.id, sandboxAsked || publisher.status === 'sandbox');
  const reason = 'invalid-floor' satisfies BlockReason;
  counts.blocked.add(reason);
  const detail = `Invalid floor: ${field} ${message}.`;
  const sandbox = sandboxAsked || publisher?.status === 'sandbox';
  explorer.refused({ outcome: 'blocked', reason, detail, publisher, sandbox, request });
  return new ApiError('FORBIDDEN', detail);
}

/** The error of a blocked request, counted. */
export function blocked(
  { facts, explorer }: Pick<EdgeParts, 'facts' | 'explorer'>,
  { publisher, sandbox, request }: Pick<AuctionOrder, 'publisher' | 'sandbox' | 'request'>,
  reason: BlockReason,
): ApiError {
  facts.publisher(publisher.id, sandbox).blocked.add(reason);
  explorer.refused({ outcome: 'blocked', reason, detail: BLOCK_REASONS[reason], publisher, sandbox, request });
  return new ApiError('FORBIDDEN', BLOCK_REASONS[reason]);
}
