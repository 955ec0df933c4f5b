import type { RouteComponent } from '@tanstack/react-router';
import { Suspense } from 'react';
import { Placeholder } from '../kit/answered.tsx';
import { useSession } from './session/session.ts';

/** One address with two pages: the account's, and that of a source's own people. */
export function byRole(Account: RouteComponent, Own: RouteComponent): RouteComponent {
  return function ByRole() {
    const { user } = useSession();
    return <Suspense fallback={<Placeholder lines={8} />}>{user.role === 'source' ? <Own /> : <Account />}</Suspense>;
  };
}
