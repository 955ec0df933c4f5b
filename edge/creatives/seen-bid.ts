import type { AdFormat } from '../../exchange/auction/ad-format.ts';
import type { SoldCreative } from '../delegates/sold-creative.ts';
import type { BidInAuction } from './identify-creative.ts';

/** One bid whose creative was seen. */
export interface SeenBid {
  readonly dspId: string;
  readonly offered: BidInAuction;
  readonly shown: SoldCreative | null;
  readonly sandbox: boolean;
  readonly publisherId: string;
  readonly format: AdFormat | null;
  /** False where the bid lost for what people decided. */
  readonly isWin: boolean;
}
