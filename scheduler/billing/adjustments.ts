import { adjustment } from '../../actors/adjustment/adjustment.ts';
import type { AdjustmentState } from '../../actors/adjustment/state.ts';
import { adjustmentLines } from '../../actors/statement/adjustment-lines.ts';
import type { AdjustmentLine } from '../../actors/statement/messages.ts';
import type { StatementScope } from '../../actors/statement/statement-id.ts';
import { readPages } from '../../runtime/ports/read-pages.ts';
import type { Query, StateStore } from '../../runtime/ports/store.ts';

const PAGE_SIZE = 200;

type QueriedStore = Pick<StateStore, 'page'>;

/**
 * The adjustments that were booked in `month` on trades of a source. An adjustment is saved before the cursor passes
 * its message, so once the watermark has passed the month's end this reads all there will ever be: later bookings
 * belong to a later month.
 */
export async function adjustmentsOf(
  store: QueriedStore,
  { scope, id }: { readonly scope: StatementScope; readonly id: string },
  month: string,
): Promise<AdjustmentLine[]> {
  const trades: AdjustmentState[] = [];
  for await (const trade of tradesIn(store, { [scope === 'publisher' ? 'publisherId' : 'dspId']: id }))
    trades.push(trade);
  return adjustmentLines(trades, month);
}

/** The sources that have an adjustment of `month`, as `<scope>:<id>`. */
export async function sourcesAdjusted(store: QueriedStore, month: string): Promise<ReadonlySet<string>> {
  const sources = new Set<string>();
  for await (const { publisherId, dspId, booked } of tradesIn(store, {})) {
    if (booked.some((one) => one.month === month)) sources.add(`publisher:${publisherId}`).add(`dsp:${dspId}`);
  }
  return sources;
}

async function* tradesIn(store: QueriedStore, where: NonNullable<Query['where']>): AsyncGenerator<AdjustmentState> {
  for await (const documents of readPages(store, adjustment.kind, where, PAGE_SIZE)) {
    for (const { state } of documents) yield state as AdjustmentState;
  }
}
