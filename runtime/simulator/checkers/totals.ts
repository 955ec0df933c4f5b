import { sumOf } from '../workload/counter.ts';
import type { Checker } from './checker.ts';

interface Total {
  readonly count: number;
  readonly version: string;
}

/** What a sum holds of a counter is what the counter holds, and that is what it was told. */
export const totals: Checker = ({ operations, final, violations }) => {
  const sums = new Map<string, Readonly<Record<string, Total>>>();
  for (const { kind, id, state } of final.documents) {
    if (kind === 'sum') sums.set(id, (state as { totals: Record<string, Total> }).totals);
  }
  for (const { kind, id, state } of final.documents) {
    if (kind !== 'counter') continue;
    const { count, history } = state as { count: number; history: readonly string[] };
    const told = history.reduce((total, tag) => total + (operations.all.get(tag)?.amount ?? 0), 0);
    if (count !== told) violations.add('totals', `counter/${id} counts ${count}; its history makes ${told}`);
    const summed = sums.get(sumOf(id))?.[id]?.count;
    if (summed !== count) violations.add('totals', `counter/${id} counts ${count}; its sum has ${summed}`);
  }
};
