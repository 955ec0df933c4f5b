import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { whenLoggedOut } from '../../api/client.ts';
import { type Session, sessionQuery } from './session.ts';

const EndedSession = lazy(() => import('./ended-session.tsx'));

/**
 * When a session ends in the middle of something, asks for the password over the page: what was typed stays where it
 * is. Whoever logs in as somebody else starts from the first page.
 */
export function SessionGuard() {
  const client = useQueryClient();
  const [ended, setEnded] = useState<Session | null>(null);
  const { data } = useQuery({ ...sessionQuery, enabled: false });

  useEffect(() => {
    whenLoggedOut(() => {
      const known = client.getQueryData(sessionQuery.queryKey);
      if (known) setEnded((before) => before ?? known);
    });
  }, [client]);

  if (ended === null) return null;
  return (
    <Suspense>
      <EndedSession
        email={(data ?? ended).user.email}
        onLoggedIn={async ({ user }) => {
          if (user.id !== ended.user.id) return window.location.assign('/');
          setEnded(null);
          await client.invalidateQueries();
        }}
      />
    </Suspense>
  );
}
