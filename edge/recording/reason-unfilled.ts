import type { AuctionRecord, RecordedParticipation } from '../../actors/auction-record/record.ts';

/**
 * The one reason that best explains why nothing was sold: the most frequent reason of bids, if there were any; else of
 * demand that was asked or could have been. `no-match` and `no-bid`, which are always frequent, count only where there
 * is no other reason.
 */
export function reasonUnfilled(
  poolId: string | null,
  parts: readonly RecordedParticipation[],
): AuctionRecord['reason'] {
  if (poolId === null) return 'no-pool';
  if (parts.length === 0) return 'no-demand';
  const ofBids = mostFrequent(parts.flatMap(({ bids }) => bids.flatMap(({ reason }) => reason ?? [])));
  if (ofBids !== null) return ofBids;
  const ofParts = parts.flatMap(({ reason }) => reason ?? []);
  return (
    mostFrequent(ofParts.filter((reason) => reason !== 'no-match' && reason !== 'no-bid')) ??
    mostFrequent(ofParts) ??
    'no-demand'
  );
}

/** The most frequent item; of equal ones, the first. */
function mostFrequent<T>(all: readonly T[]): T | null {
  const counts = new Map<T, number>();
  for (const one of all) counts.set(one, (counts.get(one) ?? 0) + 1);
  let found: T | null = null;
  for (const [one, count] of counts) if (found === null || count > counts.get(found)!) found = one;
  return found;
}
