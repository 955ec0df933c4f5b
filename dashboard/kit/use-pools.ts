import { useAnswer } from '../api/queries.ts';

/** All pools, by name: the answer has no pages. */
export function usePools() {
  return useAnswer('/api/supply/pools', { params: { query: { sort: 'name' } } });
}
