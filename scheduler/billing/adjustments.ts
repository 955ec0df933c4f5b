import { type AdjustmentState, adjustment } from '../../actors/adjustment/adjustment.ts';
import { adjustmentLines } from '../../actors/statement/adjusted.ts';
import type { AdjustmentLine } from '../../actors/statement/messages.ts';
import type { StatementScope } from '../../actors/statement/statement-id.ts';
import type { Query, StateStore } from '../../runtime/ports/store.ts';

const PIECE = 200;

type QueriedStore = Pick<StateStore, 'query'>;

/**
 * What was booked in `month` on trades of a source. An adjustment is saved before the cursor passes its message, so whoever knows
 * that the watermark has passed the month's end reads all there will ever be: what is booked later is of a later month.
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

/** Each once: a trade that is adjusted for the first time meanwhile pushes others into the next piece. None is ever deleted. */
async function* tradesIn(store: QueriedStore, where: NonNullable<Query['where']>): AsyncGenerator<AdjustmentState> {
  const read = new Set<string>();
  for (let skip = 0; ; skip += PIECE) {
    const { documents } = await store.query(adjustment.kind, { where, orderBy: 'id', skip, limit: PIECE });
    for (const { id, state } of documents) {
      if (!read.has(id)) yield state as AdjustmentState;
      read.add(id);
    }
    if (documents.length < PIECE) return;
  }
}
