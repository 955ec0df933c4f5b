import type { AuctionRecord } from '../../../actors/auction-record/record.ts';
import type { PublisherView } from '../../../actors/publisher/fields.ts';
import type { BlockReason } from '../../../exchange/fraud/block-reason.ts';
import type { BidRequest } from '../../../exchange/openrtb/bid-request.ts';
import { askedOf, type Recording, recorded } from './describe-auction.ts';
import { describeImps } from './describe-imps.ts';
import { shortened } from './shortened.ts';

const LONGEST_DETAIL = 300;

interface Refused {
  /** Undefined for a publisher that is not known here. */
  readonly publisher: PublisherView | undefined;
  readonly sandbox: boolean;
  /** What its caller was told. */
  readonly detail: string;
}

/** A request that was blocked (403), well formed unless its floor is what is wrong. */
interface Blocked extends Refused {
  readonly outcome: 'blocked';
  readonly reason: BlockReason;
  /** Null where all that is known of the request is whose it was. */
  readonly request: BidRequest | null;
}

/** What was no bid request (400). */
interface Invalid extends Refused {
  readonly outcome: 'invalid';
  readonly reason: 'invalid-request';
  /** `id` of the request, as far as it has one. */
  readonly auctionId: string;
}

export type Refusal = Blocked | Invalid;

/** Pure. */
export function describeRefusal(refusal: Refusal, recording: Recording): AuctionRecord {
  const { publisher, sandbox, outcome, reason, detail } = refusal;
  const request = outcome === 'blocked' ? refusal.request : null;
  const floors = { publisherFloorCpmMicros: publisher?.floorCpmMicros ?? 0, poolFloorCpmMicros: 0 };
  const auctionId = outcome === 'blocked' ? (request?.id ?? '') : refusal.auctionId;
  return {
    ...recorded(recording),
    auctionId: shortened(auctionId),
    sandbox,
    publisher:
      publisher === undefined
        ? null
        : { id: publisher.id, accountId: publisher.accountId, generation: publisher.sandboxGeneration },
    poolId: publisher?.poolId ?? null,
    outcome,
    reason,
    detail: shortened(detail, LONGEST_DETAIL),
    tookMs: 0,
    // A floor that nobody can be held to is no number to tell.
    imps: request === null || reason === 'invalid-floor' ? [] : describeImps(request, floors),
    asked: askedOf(request ?? {}, publisher?.contentGenre ?? null),
    privacy: [],
    parts: [],
    partsLeftOut: 0,
    sold: [],
    replayable: null,
  };
}
