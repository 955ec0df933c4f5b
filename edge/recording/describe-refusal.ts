import type { AuctionRecord } from '../../actors/auction-record/record.ts';
import type { Refusal } from '../screening/refuse-request.ts';
import { type RecordingContext, recordingFields, requestSummary } from './describe-auction.ts';
import { describeImps } from './describe-imps.ts';
import { truncate } from './shortened.ts';

const LONGEST_DETAIL = 300;

/** Describes a refusal. Pure. */
export function describeRefusal(refusal: Refusal, recording: RecordingContext): AuctionRecord {
  const { publisher, sandbox, outcome, reason, detail } = refusal;
  const request = outcome === 'blocked' ? refusal.request : null;
  const floors = { publisherFloorCpmMicros: publisher?.floorCpmMicros ?? 0, poolFloorCpmMicros: 0 };
  const auctionId = outcome === 'blocked' ? (request?.id ?? '') : refusal.auctionId;
  return {
    ...recordingFields(recording),
    auctionId: truncate(auctionId),
    sandbox,
    publisher:
      publisher === undefined
        ? null
        : { id: publisher.id, accountId: publisher.accountId, generation: publisher.sandboxGeneration },
    poolId: publisher?.poolId ?? null,
    outcome,
    reason,
    detail: truncate(detail, LONGEST_DETAIL),
    tookMs: 0,
    // An invalid floor is no number to show.
    imps: request === null || reason === 'invalid-floor' ? [] : describeImps(request, floors),
    asked: requestSummary(request ?? {}, publisher?.contentGenre ?? null),
    privacy: [],
    parts: [],
    partsLeftOut: 0,
    sold: [],
    replayable: null,
  };
}
