import type { AuctionRecord, RecordedParticipation } from './record.ts';

/** The fields by which queries find a record. */
export interface AuctionRecordIndex {
  readonly auctionId: string;
  readonly sandbox: boolean;
  readonly region: string;
  /** The publisher's account; '' for an unknown publisher. */
  readonly accountId: string;
  /** {@link indexedSourceId} of the publisher; '' for an unknown publisher. */
  readonly publisherKey: string;
  readonly poolId: string;
  readonly outcome: string;
  /** Every reason in the record: the auction's own, and those of its demand. */
  readonly reasons: readonly string[];
  /** The marks of each demand source, see {@link participationMark}. */
  readonly marks: readonly string[];
  /** Whether the auction is replayed for backtests: not in test mode, in which nothing is bought. */
  readonly replayable: boolean;
}

/**
 * The key of a source under which its records are found. In the sandbox it contains the sandbox generation, which a
 * flush raises: records from before the flush, and late ones, are not found any more (decision 0014).
 */
export function indexedSourceId(id: string, sandbox: boolean, generation: number): string {
  return sandbox ? `${id}#${generation}` : id;
}

/** The mark that finds the auctions in which a demand source took part, optionally with this outcome or reason. */
export function participationMark(key: string, detail?: string): string {
  return detail === undefined ? key : `${key} ${detail}`;
}

export function auctionRecordIndex(record: AuctionRecord): AuctionRecordIndex {
  const { publisher, sandbox, parts, reason } = record;
  const reasons = new Set<string>(reason === null ? [] : [reason]);
  const marks = new Set<string>();
  for (const part of parts) {
    const key = indexedSourceId(part.dspId, sandbox, part.generation);
    marks.add(participationMark(key)).add(participationMark(key, part.outcome));
    for (const detail of reasonsOf(part)) {
      reasons.add(detail);
      marks.add(participationMark(key, detail));
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
    replayable: record.replayable !== null && !record.test,
  };
}

/** The reasons why a participation has no bid, why its bids lost, and why its campaigns were kept back. */
function reasonsOf({ reason, bids, keptBack }: RecordedParticipation): ReadonlySet<string> {
  const reasons = new Set<string>(reason === null ? [] : [reason]);
  for (const bid of bids) if (bid.reason !== null) reasons.add(bid.reason);
  for (const kept of keptBack) reasons.add(kept.reason);
  return reasons;
}
