import { adjustment } from '#actors/adjustment/adjustment';
import type { Adjustment, AdjustmentState } from '#actors/adjustment/state';
import { readPages } from '#runtime/ports/read-pages';
import type { StateReads } from '#runtime/ports/store';
import type { Hour } from './hour.ts';

const PAGE_SIZE = 200;

/** The adjustments that were booked in an hour, by the id of the trade and in the order of their booking. */
export async function* adjustmentsIn(
  store: Pick<StateReads, 'page'>,
  hour: Hour,
): AsyncGenerator<{ readonly trade: AdjustmentState; readonly booked: Adjustment }> {
  for await (const documents of readPages(store, adjustment.kind, {}, PAGE_SIZE)) {
    for (const { state } of documents) {
      const trade = state as AdjustmentState;
      for (const booked of trade.booked) {
        if (booked.bookedAtMs >= hour.startMs && booked.bookedAtMs < hour.endMs) yield { trade, booked };
      }
    }
  }
}
