import type { BidRequest } from './bid-request.ts';

/**
 * The ids that may name the publisher, in the order in which they are tried: the first known one counts. Empty when the
 * request names none.
 */
export function publisherCandidates(request: BidRequest): readonly string[] {
  const candidates: string[] = [];
  for (const inventory of [request.site, request.app, request.dooh]) {
    if (inventory?.id) candidates.push(inventory.id);
    if (inventory?.publisher?.id) candidates.push(inventory.publisher.id);
  }
  return candidates;
}
