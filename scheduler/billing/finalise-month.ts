import { dsp } from '../../actors/dsp/dsp.ts';
import { publisher } from '../../actors/publisher/publisher.ts';
import { type StatementState, statement } from '../../actors/statement/statement.ts';
import { type StatementScope, statementId } from '../../actors/statement/statement-id.ts';
import { readAtWatermark } from '../../actors/watermark/read-watermark.ts';
import { mapLimit } from '../../async/map-limit.ts';
import { Semaphore } from '../../async/semaphore.ts';
import { ActorTimeout } from '../../runtime/actor/errors.ts';
import { readPages } from '../../runtime/ports/read-pages.ts';
import type { StateReads } from '../../runtime/ports/store.ts';
import { sourcesAdjusted } from './adjustments.ts';
import {
  type BillingDeps,
  freezeFigures,
  readFigures,
  type StatementSource,
  whyNotComplete,
} from './freeze-statement.ts';
import { parkedMoney, statementBlocker } from './parked-money.ts';

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
const SUMMED_AT_ONCE = 4;
/** An ask waits for what its partition has before it: the more asks at once, the less all of them wait together. */
const ASKS_AT_ONCE = 64;
const SCOPES = [
  ['publisher', publisher.kind],
  ['dsp', dsp.kind],
] as const;

/**
 * Freezes the statements of all sources, archived sources too, that have live books of a month that is over, or
 * adjustments. A repetition freezes what is still missing and changes nothing else. `signal` ends the work between
 * statements. A statement whose actor does not answer in time holds up no other; the call then rejects at its end.
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
  let unanswered: ActorTimeout | null = null;
  const summing = new Semaphore(SUMMED_AT_ONCE);
  for (const [scope, kind] of SCOPES) {
    for await (const piece of sourcesIn(store, scope, kind)) {
      const ids = piece.map((source) => statementId(scope, source.id, month));
      const documents = await store.load(ids.map((id) => ({ kind: statement.kind, id })));
      const held = await mapLimit(piece, ASKS_AT_ONCE, async (source, index) => {
        if (((documents[index]?.state as StatementState | undefined)?.frozen ?? null) !== null) {
          already += 1;
          return null;
        }
        const figures = await summing.run(async () => (signal?.aborted ? null : readFigures(store, source, month)));
        if (figures === null || (figures.ledgers === 0 && !adjusted.has(`${scope}:${source.id}`))) return null;
        const why = statementBlocker(parked, source, month);
        if (why !== null) return why;
        try {
          await freezeFigures(deps, source, figures);
          frozen += 1;
        } catch (error) {
          if (!(error instanceof ActorTimeout)) throw error;
          unanswered = error;
        }
        return null;
      });
      for (const [index, why] of held.entries()) if (why !== null) waiting.push({ statement: ids[index]!, why });
      if (signal?.aborted) return { month, frozen, already, waiting, incomplete: 'it was cut off' };
    }
  }
  if (unanswered !== null) throw unanswered;
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
