import { nanosPerImpression } from '../../exchange/money/nanos.ts';
import type { CappedImpression, SoldImpression } from './sale.ts';

/** What an impression of a delegate's campaign counts for besides the books: its pace and its frequency cap. */
export interface CampaignImpression {
  readonly trackingId: string;
  readonly campaignId: string;
  readonly dspId: string;
  readonly priceNanos: number;
  /** ms since the epoch. */
  readonly soldAtMs: number;
  /** Null for a campaign without a frequency cap. */
  readonly capped: CappedImpression | null;
}

/** Null for what no campaign of ours has bought. */
export function campaignImpressionOf(sale: SoldImpression, trackingId: string): CampaignImpression | null {
  const { campaignId, dspId, priceCpmMicros, issuedAtMs: soldAtMs, capped } = sale;
  if (campaignId === null) return null;
  return { trackingId, campaignId, dspId, priceNanos: nanosPerImpression(priceCpmMicros), soldAtMs, capped };
}
