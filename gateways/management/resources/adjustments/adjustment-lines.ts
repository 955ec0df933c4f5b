import { adjustment } from '#actors/adjustment/adjustment';
import type { AdjustmentState } from '#actors/adjustment/state';
import { adjustmentLines } from '#actors/statement/adjustment-lines';
import type { AdjustmentLine } from '#actors/statement/messages';
import type { StatementScope } from '#actors/statement/statement-id';
import { readPages } from '#runtime/ports/read-pages';
import type { StateStore } from '#runtime/ports/store';

/** The number of adjusted trades that one read of the store loads. */
const PAGE_SIZE = 200;

/** Loads the adjustments booked so far on trades of a source, as lines of the statement of `month`. */
export async function adjustmentLinesOf(
  store: Pick<StateStore, 'page'>,
  { scope, id }: { readonly scope: StatementScope; readonly id: string },
  month: string,
): Promise<AdjustmentLine[]> {
  const where = { [scope === 'publisher' ? 'publisherId' : 'dspId']: id, 'booked.month': month };
  const trades: AdjustmentState[] = [];
  for await (const documents of readPages(store, adjustment.kind, where, PAGE_SIZE)) {
    for (const { state } of documents) trades.push(state as AdjustmentState);
  }
  return adjustmentLines(trades, month);
}
