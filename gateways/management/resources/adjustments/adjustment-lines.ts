import { adjustment } from '#actors/adjustment/adjustment';
import type { AdjustmentState } from '#actors/adjustment/state';
import { adjustmentLines } from '#actors/statement/adjustment-lines';
import type { AdjustmentLine } from '#actors/statement/messages';
import type { StatementScope } from '#actors/statement/statement-id';
import type { StateStore } from '#runtime/ports/store';

/**
 * The largest number of adjusted trades that are read. A source trades with some hundreds of others, and few of these
 * trades are ever adjusted.
 */
const MOST_TRADES = 1_000;

/** Loads the adjustments booked so far on trades of a source, as lines of the statement of `month`. */
export async function adjustmentLinesOf(
  store: Pick<StateStore, 'query'>,
  { scope, id }: { readonly scope: StatementScope; readonly id: string },
  month: string,
): Promise<AdjustmentLine[]> {
  const { documents } = await store.query(adjustment.kind, {
    where: { [scope === 'publisher' ? 'publisherId' : 'dspId']: id, 'booked.month': month },
    orderBy: 'id',
    limit: MOST_TRADES,
  });
  return adjustmentLines(
    documents.map(({ state }) => state as AdjustmentState),
    month,
  );
}
