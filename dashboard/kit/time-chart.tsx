import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { TimeChartProps } from './time-chart-drawn.tsx';

const Drawn = lazy(() => import('./time-chart-drawn.tsx'));

/**
 * Lines over time, in UTC. The drawing's code is loaded when the first chart is shown; its figures are in a table
 * beside it.
 */
export function TimeChart(props: TimeChartProps) {
  return (
    <Suspense fallback={<Skeleton height={props.height ?? 220} />}>
      <Drawn {...props} />
    </Suspense>
  );
}
