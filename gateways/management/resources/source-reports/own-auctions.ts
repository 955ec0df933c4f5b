import type { AuctionRecord, RecordedParticipation } from '#actors/auction-record/record';
import { indexedSourceId, participationMark } from '#actors/auction-record/record-index';
import type { ManagementDeps } from '../../deps.ts';
import type { SourceCaller } from '../../identity/caller.ts';
import type { Perspective } from '../auctions/perspective.ts';
import type { Where } from '../auctions/query.ts';
import { loadOwnSource } from './own-source.ts';

/** The condition for the recorded auctions of the publisher whose key is used, in its present environment. */
export async function ownPublisherAuctionsWhere(deps: ManagementDeps, source: SourceCaller): Promise<Where> {
  const { sandbox, sandboxGeneration } = await loadOwnSource(deps, source);
  return { sandbox, publisherKey: indexedSourceId(source.id, sandbox, sandboxGeneration) };
}

/**
 * A record as a publisher's key may see it: the whole auction, but of each demand source no more than sums, without the
 * texts of its creatives or its bid.
 */
export function withoutCreativeDetails(record: AuctionRecord): AuctionRecord {
  return { ...record, parts: record.parts.map(withoutDspDetails) };
}

function withoutDspDetails(participation: RecordedParticipation): RecordedParticipation {
  return {
    ...participation,
    bids: participation.bids.map(({ detail: _, ...bid }) => bid),
    keptBack: participation.keptBack.map(({ creatives: _, ...kept }) => kept),
  };
}

/**
 * Returns the perspective of the publisher whose key is used: the whole of its own auctions; null for every other
 * auction, and for sandbox auctions flushed since.
 */
export async function publisherPerspective(deps: ManagementDeps, source: SourceCaller) {
  const { sandbox, sandboxGeneration } = await loadOwnSource(deps, source);
  return (record: AuctionRecord): Perspective | null => {
    const { publisher } = record;
    if (record.sandbox !== sandbox || publisher?.id !== source.id) return null;
    return sandbox && publisher.generation !== sandboxGeneration ? null : { sees: 'whole' };
  };
}

/**
 * One auction as a publisher's key may see it. The two sides of a trade know each other, so the buyer is named, with
 * its ad and its deal. The other demand sources are shown with their outcome and price under neutral names that do not
 * identify them, and without their deals: a private deal names its buyer.
 */
export function withoutDspNames(record: AuctionRecord): AuctionRecord {
  return { ...record, parts: record.parts.map(withoutDspName) };
}

function withoutDspName(participation: RecordedParticipation, index: number): RecordedParticipation {
  const bids = participation.bids.map(({ detail: _, ...bid }) => ({
    ...bid,
    ...(bid.reason === null ? {} : { bidId: null, crid: null, adomain: [], dealId: null }),
    ...{ seat: null, campaignActorId: null, campaignId: null, ruleId: null },
  }));
  const dspId = participation.outcome === 'won' ? participation.dspId : `bidder-${index + 1}`;
  return { ...participation, dspId, bids, keptBack: [] };
}

/** The marks and the perspective of the demand source whose key is used. */
export interface DspPerspective {
  readonly sandbox: boolean;
  /** Builds a value of `marks` in the source's auctions. */
  mark(outcomeOrReason?: string): string;
  /** The source's own participation and no other, also of a publisher of the same account; null when it has none. */
  perspectiveOn(record: AuctionRecord): Perspective | null;
}

export async function dspPerspective(deps: ManagementDeps, source: SourceCaller): Promise<DspPerspective> {
  const { sandbox, sandboxGeneration } = await loadOwnSource(deps, source);
  const key = indexedSourceId(source.id, sandbox, sandboxGeneration);
  return {
    sandbox,
    mark: (outcomeOrReason) => participationMark(key, outcomeOrReason),
    perspectiveOn: (record) => {
      if (record.sandbox !== sandbox) return null;
      const own = record.parts.filter(
        ({ dspId, generation }) => dspId === source.id && (!sandbox || generation === sandboxGeneration),
      );
      return own.length === 0 ? null : { sees: 'parts', parts: own };
    },
  };
}
