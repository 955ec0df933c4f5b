import type { BillingNotice } from '../../exchange/invalid-traffic/billing-notice.ts';
import { type DomainList, packDomains } from '../../exchange/packed-domains.ts';

/** What an edge knows of a supply source. */
export interface PublisherView {
  readonly id: string;
  readonly accountId: string;
  readonly partnerId: string | null;
  readonly name: string;
  /** App bundle or web domain. */
  readonly domain: string;
  readonly type: 'ctv' | 'mobile' | 'web';
  readonly status: 'active' | 'sandbox' | 'archived';
  readonly poolId: string | null;
  /** Whole micro-dollars CPM. */
  readonly floorCpmMicros: number;
  readonly contentGenre: string | null;
  /** The exchange's margin in parts per million of gross. */
  readonly feePpm: number;
  /** IAB categories and advertiser domains that join `bcat` and `badv`. */
  readonly blockedCategories: readonly string[];
  /** Packed where it is held in memory. */
  readonly blockedDomains: DomainList;
  /** As sellers.json says it; of a confidential seller, it says neither name nor domain. */
  readonly sellerType: 'PUBLISHER' | 'INTERMEDIARY' | 'BOTH';
  readonly confidential: boolean;
  /** Domains, bundles and store numbers beside `domain` that its requests may name; absent in projections of older releases. */
  readonly identities?: readonly string[];
  /** Whether its ad requests must show a key. */
  readonly requireKey?: boolean;
  /** By which channel it tells of its impressions; absent in what 0.4 published: both. */
  readonly billingNotice?: BillingNotice;
  /** SHA-256 (hex) of its source key; null while none was made. */
  readonly sourceKeyId: string | null;
  /** Of its sandbox ledgers (see sandbox-generation.ts). */
  readonly sandboxGeneration: number;
}

/** As replicas hold it: an archived source shows nothing, and blocks nothing any more. */
export function heldPublisher(view: PublisherView): PublisherView {
  const { blockedDomains } = view;
  if (view.status === 'archived') return { ...view, blockedCategories: [], blockedDomains: packDomains([]) };
  return Array.isArray(blockedDomains) ? { ...view, blockedDomains: packDomains(blockedDomains) } : view;
}
