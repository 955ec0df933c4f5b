import { lazy, Suspense } from 'react';
import { useOwnSource } from './own-source.ts';

const Publisher = lazy(() => import('./publisher-overview.tsx'));
const Demand = lazy(() => import('./demand-overview.tsx'));

/** The source itself: figures, what it is built in with, its key. */
export function OwnOverviewPage() {
  const { type } = useOwnSource();
  return <Suspense>{type === 'publisher' ? <Publisher /> : <Demand />}</Suspense>;
}
