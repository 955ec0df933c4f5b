import { nanosPerImpression } from '../../exchange/money/nanos.ts';
import type { CappedImpression, SoldImpression } from './sale.ts';

/** An impression of a delegate's campaign, as its pace and its frequency cap count it beside the ledgers. */
export interface CampaignImpression {
  readonly trackingId: string;
  readonly campaignId: string;
  readonly dspId: string;
  readonly priceNanos: number;
  /** ms since the epoch. */
  readonly soldAtMs: number;
  /** Null for a campaign without a frequency cap. */
  readonly capped: CappedImpression | null;
  /** The environment of the sale; absent in spooled impressions of releases before 0.5.0. */
  readonly sandbox?: boolean;
}

/** Null for a sale that no delegate's campaign bought. */
export function campaignImpressionOf(sale: SoldImpression, trackingId: string): CampaignImpression | null {
  const { campaignId, dspId, priceCpmMicros, issuedAtMs: soldAtMs, capped, sandbox } = sale;
  if (campaignId === null) return null;
  return { trackingId, campaignId, dspId, priceNanos: nanosPerImpression(priceCpmMicros), soldAtMs, capped, sandbox };
}
