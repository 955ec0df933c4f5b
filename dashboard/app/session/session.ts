import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { ApiFault } from '../../api/fault.ts';
import type { components } from '../../api/generated.d.ts';

export type Session = components['schemas']['Session'];

/** The user who is logged in; null for none. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<Session | null> => {
    try {
      const { data } = await api.GET('/api/auth/session');
      return data ?? null;
    } catch (fault) {
      if (fault instanceof ApiFault && fault.status === 401) return null;
      throw fault;
    }
  },
  staleTime: 60_000,
});

/** Of a page that only those see who are logged in. */
export function useSession(): Session {
  const { data } = useQuery(sessionQuery);
  if (!data) throw new Error('This page is shown to nobody who is not logged in.');
  return data;
}

export function useIsOperator(): boolean {
  return useQuery(sessionQuery).data?.user.role === 'operator';
}
