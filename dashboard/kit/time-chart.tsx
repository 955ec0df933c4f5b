import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';

const Drawn = lazy(() => import('./time-chart-drawn.tsx'));

export interface Line {
  readonly label: string;
  /** One for each instant; null where there is none. */
  readonly values: readonly (number | null)[];
  /** 1..4, of the chart's colours. */
  readonly colour?: 1 | 2 | 3 | 4;
  readonly format: (value: number) => string;
  /** Drawn as a dashed line: a plan, a limit. */
  readonly dashed?: boolean;
  /** Of the right-hand axis. */
  readonly right?: boolean;
  readonly filled?: boolean;
}

export interface TimeChartProps {
  /** What is drawn, in a sentence, for those who do not see it. */
  readonly label: string;
  /** ISO 8601 or ms since the epoch, ascending. */
  readonly at: readonly (string | number)[];
  readonly lines: readonly Line[];
  readonly height?: number;
}

/** Lines over time, in UTC. The drawing's code is loaded when the first chart is shown; its figures are in a table beside it. */
export function TimeChart(props: TimeChartProps) {
  return (
    <Suspense fallback={<Skeleton height={props.height ?? 220} />}>
      <Drawn {...props} />
    </Suspense>
  );
}
