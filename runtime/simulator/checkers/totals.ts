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

/** Law 8: the sums that do not yet have the total of their counter. */
export function staleSums(store: StoreServer): string[] {
  const stale: string[] = [];
  for (const { id, state } of store.all(counter.kind)) {
    const { count } = state as { count: number };
    const sumState = store.load({ kind: sum.kind, id: sumOf(id) })?.state as
      | { totals: Record<string, Total> }
      | undefined;
    const summed = sumState?.totals[id]?.count;
    if (summed !== count) stale.push(`counter/${id} counts ${count}; its sum has ${summed}`);
  }
  return stale;
}
