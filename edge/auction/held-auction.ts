import type { Loss } from '../../exchange/auction/auction.ts';
import type { DelegateOffers } from '../delegates/delegate-demand.ts';
import type { DemandParticipation } from '../demand-part.ts';
import type { SoldImp } from './sold-imp.ts';

export interface AuctionResult {
  readonly sold: readonly SoldImp[];
  readonly losses: readonly Loss[];
}

/** The result of an auction that was held: the demand's replies and the sold imps. */
export interface HeldAuction {
  /** Replies of bidders. */
  readonly replies: readonly DemandParticipation[];
  readonly delegates: Pick<DelegateOffers, 'participations' | 'unmatched' | 'creatives' | 'plans' | 'exhausted'>;
  readonly result: AuctionResult;
}
