import type { AuctionRecord, RecordedParticipation } from '../../../../actors/auction-record/record.ts';
import { indexedSourceId, participationMark } from '../../../../actors/auction-record/record-index.ts';
import type { ManagementDeps } from '../../deps.ts';
import type { SourceCaller } from '../../identity/caller.ts';
import type { Perspective } from '../auctions/perspective.ts';
import type { Where } from '../auctions/query.ts';
import { loadOwnSource } from './own-source.ts';

/** What finds the recorded auctions of the publisher whose key asks, in the environment that it is in. */
export async function ownPublisherAuctionsWhere(parts: ManagementDeps, source: SourceCaller): Promise<Where> {
  const { sandbox, sandboxGeneration } = await loadOwnSource(parts, source);
  return { sandbox, publisherKey: indexedSourceId(source.id, sandbox, sandboxGeneration) };
}

/**
 * A record as a publisher's key may see it: all of its auction, and of each demand source no more than sums tell: no words about
 * its creatives or its bid.
 */
export function withoutCreativeDetails(record: AuctionRecord): AuctionRecord {
  return { ...record, parts: record.parts.map(withoutDspDetails) };
}

function withoutDspDetails(part: RecordedParticipation): RecordedParticipation {
  return {
    ...part,
    bids: part.bids.map(({ detail: _, ...bid }) => bid),
    keptBack: part.keptBack.map(({ creatives: _, ...kept }) => kept),
  };
}

/** The auction of the publisher whose key asks, whole; null for every other, and for one of the sandbox that was flushed since. */
export async function publisherPerspective(parts: ManagementDeps, source: SourceCaller) {
  const { sandbox, sandboxGeneration } = await loadOwnSource(parts, source);
  return (record: AuctionRecord): Perspective | null => {
    const { publisher } = record;
    if (record.sandbox !== sandbox || publisher?.id !== source.id) return null;
    return sandbox && publisher.generation !== sandboxGeneration ? null : { sees: 'whole' };
  };
}

/**
 * One auction as a publisher's key may see it: both sides of a trade know each other, and so whoever bought is named, with the ad;
 * of all others how they fared and how high they bid, under names that say nothing: never who.
 */
export function withoutDspNames(record: AuctionRecord): AuctionRecord {
  return { ...record, parts: record.parts.map(withoutDspName) };
}

function withoutDspName(part: RecordedParticipation, index: number): RecordedParticipation {
  const bids = part.bids.map(({ detail: _, ...bid }) => ({
    ...bid,
    ...(bid.reason === null ? {} : { bidId: null, crid: null, adomain: [] }),
    ...{ seat: null, campaignActorId: null, campaignId: null, ruleId: null },
  }));
  const dspId = part.outcome === 'won' ? part.dspId : `bidder-${index + 1}`;
  return { ...part, dspId, bids, keptBack: [] };
}

/** The marks and the part of the demand source whose key asks. */
export interface DspPerspective {
  readonly sandbox: boolean;
  /** What `marks` of its auctions hold. */
  mark(said?: string): string;
  /** Its own part and nobody else's, of a publisher of the same account too; null where it has none. */
  perspectiveOn(record: AuctionRecord): Perspective | null;
}

export async function dspPerspective(parts: ManagementDeps, source: SourceCaller): Promise<DspPerspective> {
  const { sandbox, sandboxGeneration } = await loadOwnSource(parts, source);
  const key = indexedSourceId(source.id, sandbox, sandboxGeneration);
  return {
    sandbox,
    mark: (said) => participationMark(key, said),
    perspectiveOn: (record) => {
      if (record.sandbox !== sandbox) return null;
      const own = record.parts.filter(
        ({ dspId, generation }) => dspId === source.id && (!sandbox || generation === sandboxGeneration),
      );
      return own.length === 0 ? null : { sees: 'parts', parts: own };
    },
  };
}
