import { decodeEnvelope } from '../../node/envelope.ts';
import { isOfSuspect } from '../auditor/history-observer.ts';
import type { StoreServer } from '../store-server.ts';
import { counter, sumOf } from '../workload/counter.ts';
import { sum } from '../workload/sum.ts';
import type { Checker } from './checker.ts';

interface Total {
  readonly count: number;
  readonly version: string;
}

/** A counter has the sum of the messages that it received. */
export const counts: Checker = ({ operations, final, violations }) => {
  for (const { kind, id, state } of final.documents) {
    if (kind !== counter.kind) continue;
    const { count, history } = state as { count: number; history: readonly string[] };
    const told = history.reduce((total, tag) => total + (operations.all.get(tag)?.amount ?? 0), 0);
    if (count !== told) violations.add('totals', `counter/${id} counts ${count}; its history makes ${told}`);
  }
};

/**
 * Law 8: the sums that do not yet have the total of their counter. A total that was parked as a suspect is missing
 * until an operator replays it or a newer total follows, and is left out.
 */
export function staleSums(store: StoreServer): string[] {
  const parked = parkedTotals(store);
  const stale: string[] = [];
  for (const { id, state } of store.all(counter.kind)) {
    const { count, changedAt } = state as { count: number; changedAt: string };
    if (parked.has(totalName(id, changedAt))) continue;
    const sumState = store.load({ kind: sum.kind, id: sumOf(id) })?.state as
      | { totals: Record<string, Total> }
      | undefined;
    const summed = sumState?.totals[id]?.count;
    if (summed !== count) stale.push(`counter/${id} counts ${count}; its sum has ${summed}`);
  }
  return stale;
}

/** The names of the totals that were parked as suspects and not replayed. */
function parkedTotals(store: StoreServer): ReadonlySet<string> {
  const letters = store.deadLetters(Number.POSITIVE_INFINITY, '');
  const waiting = letters.filter((letter) => letter.type === 'total' && letter.replayedAtMs === null);
  return new Set(
    waiting.filter(isOfSuspect).map(({ payload }) => {
      const { counter: id, version } = decodeEnvelope(payload).body as { counter: string; version: string };
      return totalName(id, version);
    }),
  );
}

function totalName(counterId: string, version: string): string {
  return `${counterId} at ${version}`;
}
