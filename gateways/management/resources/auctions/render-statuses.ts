import type { AuctionRecord } from '#actors/auction-record/record';
import type { RenderStatus } from '#actors/auction-record/render-status';
import type { AuctionRecordState } from '#actors/auction-record/state';
import type { ManagementDeps } from '../../deps.ts';

/**
 * The render status of each sale of an auction, by tracking id. A settled record holds the statuses; before that, the
 * log does.
 */
export async function renderStatusesOf(
  { sold, test }: AuctionRecord,
  { settled, shown }: Pick<AuctionRecordState, 'settled' | 'shown'>,
  { renderings }: Pick<ManagementDeps, 'renderings'>,
): Promise<ReadonlyMap<string, RenderStatus>> {
  if (test) return new Map(sold.map(({ trackingId }) => [trackingId, 'test']));
  if (settled) {
    return new Map(sold.map(({ trackingId }) => [trackingId, shown.includes(trackingId) ? 'billed' : 'none']));
  }
  const sales = sold.flatMap(({ trackingId, soldAtMs }) => (soldAtMs === undefined ? [] : [{ trackingId, soldAtMs }]));
  if (sales.length === 0) return new Map();
  const found = await renderings(sales);
  return new Map(sales.map(({ trackingId }, index) => [trackingId, found[index]!]));
}
