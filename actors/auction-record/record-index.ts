import type { AuctionRecord, RecordedParticipation } from './record.ts';

/** What queries find a record by. */
export interface AuctionRecordIndex {
  readonly auctionId: string;
  readonly sandbox: boolean;
  readonly region: string;
  /** Of the publisher; '' for one that is not known. */
  readonly accountId: string;
  /** {@link indexedSourceId}; '' for a publisher that is not known. */
  readonly publisherKey: string;
  readonly poolId: string;
  readonly outcome: string;
  /** Every reason that is found in it: the auction's own, and those of its demand. */
  readonly reasons: readonly string[];
  /** By demand source, see {@link participationMark}. */
  readonly marks: readonly string[];
  /** Whether it can be held again. */
  readonly replayable: boolean;
}

/**
 * A source under which its records are found. In the sandbox with its generation: a flush of the sandbox raises it, and what was
 * recorded before, or arrives late, is found no more (decision 0014).
 */
export function indexedSourceId(id: string, sandbox: boolean, generation: number): string {
  return sandbox ? `${id}#${generation}` : id;
}

/** What finds the auctions that a demand source had a part in, with this outcome or reason of its part. */
export function participationMark(key: string, said?: string): string {
  return said === undefined ? key : `${key} ${said}`;
}

export function auctionRecordIndex(record: AuctionRecord): AuctionRecordIndex {
  const { publisher, sandbox, parts, reason } = record;
  const reasons = new Set<string>(reason === null ? [] : [reason]);
  const marks = new Set<string>();
  for (const part of parts) {
    const key = indexedSourceId(part.dspId, sandbox, part.generation);
    marks.add(participationMark(key)).add(participationMark(key, part.outcome));
    for (const said of reasonsOf(part)) {
      reasons.add(said);
      marks.add(participationMark(key, said));
    }
  }
  return {
    auctionId: record.auctionId,
    sandbox,
    region: record.region,
    accountId: publisher?.accountId ?? '',
    publisherKey: publisher === null ? '' : indexedSourceId(publisher.id, sandbox, publisher.generation),
    poolId: record.poolId ?? '',
    outcome: record.outcome,
    reasons: [...reasons],
    marks: [...marks],
    replayable: record.replayable !== null,
  };
}

/** Why a part has no bid, why its bids lost, why its campaigns were kept back. */
function reasonsOf({ reason, bids, keptBack }: RecordedParticipation): ReadonlySet<string> {
  const reasons = new Set<string>(reason === null ? [] : [reason]);
  for (const bid of bids) if (bid.reason !== null) reasons.add(bid.reason);
  for (const kept of keptBack) reasons.add(kept.reason);
  return reasons;
}
