import { QueryClient } from '@tanstack/react-query';
import { ApiFault, isPassing } from '../api/fault.ts';

const MOST_RETRIES = 3;
const LONGEST_WAIT_MS = 30_000;

/** Without a network a call fails and says so; by default it would wait for one, and say nothing. */
const ALWAYS = { networkMode: 'always' } as const;

/**
 * What answers are kept in. Reads that fail for a moment (429, 503, no connection) are asked again; changes never are
 * by themselves.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      ...ALWAYS,
      refetchOnReconnect: true,
      staleTime: 5_000,
      retry: (failures, fault) => isPassing(fault) && failures < MOST_RETRIES,
      retryDelay: (failures, fault) => {
        const said = fault instanceof ApiFault ? fault.retryAfterMs : null;
        return Math.min(said ?? 500 * 2 ** failures, LONGEST_WAIT_MS);
      },
    },
    mutations: { ...ALWAYS, retry: false },
  },
});
