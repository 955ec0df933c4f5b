import { dsp } from '../../actors/dsp/dsp.ts';
import { publisher } from '../../actors/publisher/publisher.ts';
import { type StatementState, statement } from '../../actors/statement/statement.ts';
import { type StatementScope, statementId } from '../../actors/statement/statement-id.ts';
import { readAtWatermark } from '../../actors/watermark/read-watermark.ts';
import { mapLimit } from '../../async/map-limit.ts';
import { readPages } from '../../runtime/ports/read-pages.ts';
import type { StateReads } from '../../runtime/ports/store.ts';
import { sourcesAdjusted } from './adjustments.ts';
import {
  type BillingDeps,
  freezeComplete,
  loadMonth,
  type StatementSource,
  whyNotComplete,
} from './freeze-statement.ts';
import { parkedMoney } from './parked-money.ts';

/** The result of closing a month. */
export interface MonthClose {
  readonly month: string;
  /** The number of statements frozen by this run, and of those frozen before. */
  readonly frozen: number;
  readonly already: number;
  /** The statements that wait, by id, with the reason. */
  readonly waiting: readonly { readonly statement: string; readonly why: string }[];
  /** The reason why no statement could be frozen; null when the month's books are complete. */
  readonly incomplete: string | null;
}

const PAGE_SIZE = 200;
/** A month of a large demand source takes more than 100 MB while it is summed. */
const FREEZES_AT_ONCE = 4;
const SCOPES = [
  ['publisher', publisher.kind],
  ['dsp', dsp.kind],
] as const;

/**
 * Freezes the statements of all sources, archived sources too, that have live books of a month that is over, or
 * adjustments. A repetition freezes what is still missing and changes nothing else. `signal` ends the work between
 * statements.
 */
export async function finaliseMonth(deps: BillingDeps, month: string, signal?: AbortSignal): Promise<MonthClose> {
  const { throughMs, store } = await readAtWatermark(deps.store);
  const incomplete = whyNotComplete(month, throughMs);
  if (incomplete !== null) return { month, frozen: 0, already: 0, waiting: [], incomplete };
  const parked = await parkedMoney(store, throughMs);
  const adjusted = await sourcesAdjusted(store, month);
  const waiting: { statement: string; why: string }[] = [];
  let frozen = 0;
  let already = 0;
  for (const [scope, kind] of SCOPES) {
    for await (const piece of sourcesIn(store, scope, kind)) {
      const ids = piece.map((source) => statementId(scope, source.id, month));
      const documents = await store.load(ids.map((id) => ({ kind: statement.kind, id })));
      const outcomes = await mapLimit(piece, FREEZES_AT_ONCE, async (source, index) => {
        if (signal?.aborted) return null;
        if (((documents[index]?.state as StatementState | undefined)?.frozen ?? null) !== null) return 'already';
        const ledgers = await loadMonth(store, source, month);
        if (ledgers.length === 0 && !adjusted.has(`${scope}:${source.id}`)) return null;
        return freezeComplete({ ...deps, store }, source, month, parked, ledgers);
      });
      for (const [index, outcome] of outcomes.entries()) {
        if (outcome === 'already') already += 1;
        else if (outcome !== null && outcome.frozen !== null) frozen += 1;
        else if (outcome !== null) waiting.push({ statement: ids[index]!, why: outcome.waitsFor });
      }
      if (signal?.aborted) return { month, frozen, already, waiting, incomplete: 'it was cut off' };
    }
  }
  return { month, frozen, already, waiting, incomplete: null };
}

async function* sourcesIn(
  store: Pick<StateReads, 'page'>,
  scope: StatementScope,
  kind: string,
): AsyncGenerator<StatementSource[]> {
  for await (const documents of readPages(store, kind, {}, PAGE_SIZE)) {
    yield documents.map(({ id, state }) => ({ scope, id, feePpm: (state as { feePpm: number }).feePpm }));
  }
}
