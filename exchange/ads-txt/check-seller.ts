import { type AdsTxt, type AuthorizedSeller, domainsOfVariable } from './parse-ads-txt.ts';
import { rootDomainOf } from './root-domain.ts';

/** What an ads.txt must say to verify a source. */
export interface ExpectedSeller {
  /** The exchange's domain as an advertising system. */
  readonly exchangeDomain: string;
  /** The source's id, as in sellers.json and in the supply chain. */
  readonly sellerId: string;
  /** The source's type, as in sellers.json. */
  readonly sellerType: 'PUBLISHER' | 'INTERMEDIARY' | 'BOTH';
  /** The exchange's id at a certification authority; null when it has none. */
  readonly certificationId: string | null;
  /** The domain that sellers.json lists for the source; null when there is none, as for an app's bundle. */
  readonly sellerDomain: string | null;
}

/** A difference between the file and sellers.json that a buyer may notice; the source is verified nevertheless. */
export type Warning = 'relationship_differs' | 'certification_id_differs' | 'owner_domain_differs';

export type SellerCheck =
  | { readonly kind: 'listed'; readonly seller: AuthorizedSeller; readonly warnings: readonly Warning[] }
  | { readonly kind: 'not-listed'; readonly reason: 'exchange_not_listed' | 'seller_id_not_listed' };

/**
 * Whether a file authorises the exchange to sell under the source's id. DIRECT is preferred where the file has both
 * DIRECT and RESELLER.
 */
export function checkSeller(file: AdsTxt, expected: ExpectedSeller): SellerCheck {
  const ours = file.sellers.filter(({ domain }) => domain === expected.exchangeDomain.toLowerCase());
  const listed = ours.filter(({ sellerId }) => sellerId.toLowerCase() === expected.sellerId.toLowerCase());
  const seller = listed.find(({ relationship }) => relationship === 'DIRECT') ?? listed[0];
  if (seller === undefined) {
    return { kind: 'not-listed', reason: ours.length === 0 ? 'exchange_not_listed' : 'seller_id_not_listed' };
  }
  return { kind: 'listed', seller, warnings: warningsOf(seller, file, expected) };
}

function warningsOf(seller: AuthorizedSeller, file: AdsTxt, expected: ExpectedSeller): Warning[] {
  const warnings: Warning[] = [];
  const { sellerType, certificationId, sellerDomain } = expected;
  const sellsItsOwn = seller.relationship === 'DIRECT';
  if (sellerType !== 'BOTH' && sellsItsOwn !== (sellerType === 'PUBLISHER')) warnings.push('relationship_differs');
  if (certificationId !== null && seller.certificationId !== null && seller.certificationId !== certificationId) {
    warnings.push('certification_id_differs');
  }
  const [owner] = domainsOfVariable(file, 'ownerdomain');
  if (
    sellsItsOwn &&
    owner !== undefined &&
    sellerDomain !== null &&
    rootDomainOf(owner) !== rootDomainOf(sellerDomain)
  ) {
    warnings.push('owner_domain_differs');
  }
  return warnings;
}
