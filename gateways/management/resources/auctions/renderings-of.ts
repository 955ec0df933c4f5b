import type { AuctionRecord } from '../../../../actors/auction-record/record.ts';
import type { Rendering } from '../../../../actors/auction-record/rendering.ts';
import type { AuctionRecordState } from '../../../../actors/auction-record/state.ts';
import type { ManagementParts } from '../../parts.ts';

/** By tracking id, what has become of what an auction has sold: of the record once it is settled, of the log before. */
export async function renderingsOf(
  { sold }: AuctionRecord,
  { settled, shown }: Pick<AuctionRecordState, 'settled' | 'shown'>,
  { renderings }: Pick<ManagementParts, 'renderings'>,
): Promise<ReadonlyMap<string, Rendering>> {
  if (settled) {
    return new Map(sold.map(({ trackingId }) => [trackingId, shown.includes(trackingId) ? 'billed' : 'none']));
  }
  const sales = sold.flatMap(({ trackingId, soldAtMs }) => (soldAtMs === undefined ? [] : [{ trackingId, soldAtMs }]));
  if (sales.length === 0) return new Map();
  const found = await renderings(sales);
  return new Map(sales.map(({ trackingId }, index) => [trackingId, found[index]!]));
}
