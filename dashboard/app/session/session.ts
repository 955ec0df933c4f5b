import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { ApiFault } from '../../api/fault.ts';
import type { components } from '../../api/generated.d.ts';

export type Session = components['schemas']['Session'];

const queryKey = ['session'];

/**
 * The user who is logged in; null for none. A session that ends while its page is open stays known: the page keeps what
 * was typed into it, below the dialog that asks for the password (`SessionGuard`).
 */
export const sessionQuery = queryOptions({
  queryKey,
  queryFn: async ({ client }): Promise<Session | null> => {
    try {
      const { data } = await api.GET('/api/auth/session');
      return data ?? null;
    } catch (fault) {
      if (fault instanceof ApiFault && fault.status === 401)
        return client.getQueryData<Session | null>(queryKey) ?? null;
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
