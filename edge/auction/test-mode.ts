import type { AuctionContext } from '../auction-context.ts';

/**
 * Whether an auction is in test mode, "in which auctions are not billable" (OpenRTB 2.6 §3.2.1, `test`): its ads are
 * served, and nothing of it is paid or counted (docs/decisions/0096-auctions-in-test-mode.md). In the sandbox, whose
 * figures are no money, `test` changes nothing.
 */
export function isInTestMode({
  request,
  sandbox,
}: {
  readonly request: Pick<AuctionContext['request'], 'test'>;
  readonly sandbox: boolean;
}): boolean {
  return request.test === 1 && !sandbox;
}
