import type { Bid } from '../../exchange/openrtb/bid-response.ts';

/** Whether a bid brought its markup; another may bring it with the answer to its win notice. */
export function hasMarkup({ adm }: Bid): boolean {
  return adm !== undefined && adm.trim() !== '';
}
