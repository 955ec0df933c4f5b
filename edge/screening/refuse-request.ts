import type { PublisherProjection } from '../../actors/publisher/fields.ts';
import { BLOCK_REASONS, type BlockReason } from '../../exchange/fraud/block-reason.ts';
import type { BidRequest } from '../../exchange/openrtb/bid-request.ts';
import type { InvalidFloor } from '../../exchange/openrtb/invalid-bid-request.ts';
import { publisherCandidates } from '../../exchange/openrtb/publisher-candidates.ts';
import type { Replica } from '../../runtime/actor/replica.ts';
import type { AuctionContext } from '../auction-context.ts';
import type { Facts } from '../facts/facts.ts';
import { RefusedRequest } from '../refused-request.ts';

interface Refused {
  /** Undefined for a publisher that this edge does not know. */
  readonly publisher: PublisherProjection | undefined;
  readonly sandbox: boolean;
  /** The message that the caller got. */
  readonly detail: string;
}

/** A request that was blocked (403). It is well formed unless its floor is at fault. */
interface BlockedRequest extends Refused {
  readonly outcome: 'blocked';
  readonly reason: BlockReason;
  /** Null where only the request's publisher is known. */
  readonly request: BidRequest | null;
}

/** A call that was no valid bid request (400). */
interface Invalid extends Refused {
  readonly outcome: 'invalid';
  readonly reason: 'invalid-request';
  /** `id` of the request, if it has one. */
  readonly auctionId: string;
}

export type Refusal = BlockedRequest | Invalid;

/** Writes refusals down for the explorer. */
export interface RefusalRecorder {
  /** Records a request that was refused. */
  recordRefusal(refusal: Refusal): void;
}

export interface RefusalDeps {
  readonly facts: Facts;
  readonly recorder: RefusalRecorder;
}

/** The publisher of a request that names these ids: the first publisher among them, archived ones included. */
export function findPublisherByIds(replica: Replica, ids: readonly string[]): PublisherProjection | undefined {
  for (const id of ids) {
    const found = replica.get<PublisherProjection>('publisher', id);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Counts and records a blocked request and returns its error. */
export function blocked(
  { facts, recorder }: RefusalDeps,
  { publisher, sandbox, request }: Pick<AuctionContext, 'publisher' | 'sandbox' | 'request'>,
  reason: BlockReason,
): RefusedRequest {
  facts.publisher(publisher.id, sandbox).blocked.add(reason);
  recorder.recordRefusal({ outcome: 'blocked', reason, detail: BLOCK_REASONS[reason], publisher, sandbox, request });
  return new RefusedRequest('FORBIDDEN', BLOCK_REASONS[reason]);
}

/** The error for a floor that cannot be applied; it is counted for the publisher, if known. */
export function invalidFloor(
  { replica, facts, recorder }: RefusalDeps & { readonly replica: Replica },
  request: BidRequest,
  sandboxAsked: boolean,
  { message, path }: InvalidFloor,
  field = path,
): RefusedRequest {
  const publisher = findPublisherByIds(replica, publisherCandidates(request));
  const counts =
    publisher === undefined
      ? facts.platform(sandboxAsked)
      : facts.publisher(publisher.id, sandboxAsked || publisher.status === 'sandbox');
  const reason = 'invalid-floor' satisfies BlockReason;
  counts.blocked.add(reason);
  const detail = `Invalid floor: ${field} ${message}.`;
  const sandbox = sandboxAsked || publisher?.status === 'sandbox';
  recorder.recordRefusal({ outcome: 'blocked', reason, detail, publisher, sandbox, request });
  return new RefusedRequest('FORBIDDEN', detail);
}

/** The error for a request that cannot be auctioned; it is recorded for the publisher that the request names. */
export function invalidRequest<Failure extends Error>(
  { recorder }: Pick<RefusalDeps, 'recorder'>,
  publisher: PublisherProjection,
  sandboxAsked: boolean,
  error: Failure,
  auctionId = '',
): Failure {
  const sandbox = sandboxAsked || publisher.status === 'sandbox';
  const reason = 'invalid-request';
  recorder.recordRefusal({ outcome: 'invalid', reason, detail: error.message, publisher, sandbox, auctionId });
  return error;
}
