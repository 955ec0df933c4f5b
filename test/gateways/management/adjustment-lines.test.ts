import { expect } from 'chai';
import { adjustment } from '#actors/adjustment/adjustment';
import { adjustmentId } from '#actors/adjustment/adjustment-id';
import type { AdjustmentState } from '#actors/adjustment/state';
import { adjustmentLinesOf } from '#gateways/management/resources/adjustments/adjustment-lines';
import { document } from '../../runtime/store-contract/documents.ts';
import { openStoreAlone } from '../../scheduler/jobs/embedded-store.ts';

const MONTH = '2026-03';
const DSP = 'dsp-a';

function adjustedTrade(publisherId: string, month: string): { readonly id: string; readonly state: AdjustmentState } {
  const trade = { publisherId, dspId: DSP, period: '2026-02' };
  const id = adjustmentId(trade);
  const sums = { impressions: 1, grossNanos: '1000', feeNanos: '150' };
  const why = { reason: 'investigation', note: '', by: 'operator', bookedAtMs: Date.UTC(2026, 2, 5) } as const;
  return { id, state: { ...trade, booked: [{ id: `${id}:1`, month, campaignId: null, ...sums, ...why }] } };
}

describe('gateways/management: the adjustment lines of an open month', () => {
  it('hold every adjustment of a source with more than 1,000 adjusted trades', async () => {
    const alone = await openStoreAlone();
    try {
      const publishers = Array.from({ length: 1_050 }, (_, index) => `publisher-${String(index).padStart(4, '0')}`);
      const trades = [
        ...publishers.map((publisherId) => adjustedTrade(publisherId, MONTH)),
        adjustedTrade('publisher-of-april', '2026-04'),
      ];
      await alone.store.save(trades.map(({ id, state }) => document(adjustment.kind, id, { state })));
      const lines = await adjustmentLinesOf(alone.store, { scope: 'dsp', id: DSP }, MONTH);
      expect(lines.map(({ publisherId }) => publisherId)).to.deep.equal(publishers);
    } finally {
      await alone.close();
    }
  });
});
