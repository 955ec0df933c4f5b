import { lazy, Suspense } from 'react';
import { Placeholder } from '../../kit/answered.tsx';
import { useOwnSource } from './own-source.ts';

const Publisher = lazy(() => import('./publisher-overview.tsx'));
const Demand = lazy(() => import('./demand-overview.tsx'));

/** The source itself: figures, what it is built in with, its key. */
export function OwnOverviewPage() {
  const { type } = useOwnSource();
  return <Suspense fallback={<Placeholder lines={8} />}>{type === 'publisher' ? <Publisher /> : <Demand />}</Suspense>;
}
