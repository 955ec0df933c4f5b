import { Stack } from '@mantine/core';
import { useMemo } from 'react';
import type { AnswerBody } from '../../../api/queries.ts';
import { useAnswer } from '../../../api/queries.ts';
import { Answered } from '../../../kit/answered.tsx';
import { Figure, Figures, Section } from '../../../kit/figure.tsx';
import { CENTS_IN_CHART, formatCompact, formatCount, formatMs, formatRatio } from '../../../kit/format.ts';
import { Money } from '../../../kit/money.tsx';
import { PeriodPicker } from '../../../kit/period-picker.tsx';
import { TimeChart } from '../../../kit/time-chart.tsx';
import { HealthSection } from './health-section.tsx';
import type { TabProps } from './tab-props.ts';
import { usePeriod } from './use-period.ts';

type Stats = AnswerBody<'get', '/api/demand/sources/{id}/stats'>;
export type Summary = Extract<Stats, { readonly bid_requests: number }>;
export type Series = Extract<Stats, { readonly buckets: unknown }>;

const EVERY_MS = 30_000;

/** How the source does: its health, what it bid and bought, and both over time. */
export function OverviewTab({ source }: TabProps) {
  const { query, picked } = usePeriod();
  const path = { id: source.id };
  const stats = useAnswer(
    '/api/demand/sources/{id}/stats',
    { params: { path, query } },
    { everyMs: EVERY_MS, keep: true },
  );
  const series = useAnswer(
    '/api/demand/sources/{id}/stats',
    { params: { path, query: { ...query, breakdown: 'time' } } },
    { everyMs: EVERY_MS, keep: true },
  );
  return (
    <Stack gap="lg">
      {source.status !== 'archived' && <HealthSection source={source} />}
      <PeriodPicker {...picked} />
      <Answered of={stats}>{(body) => <StatFigures stats={body as Summary} mode={source.mode} />}</Answered>
      <Section title="Over time" description="Impressions that were billed, and what they cost.">
        <Answered of={series} lines={8}>
          {(body) => <OverTime series={body as Series} />}
        </Answered>
      </Section>
    </Stack>
  );
}

function StatFigures({ stats, mode }: { readonly stats: Summary; readonly mode: 'rtb' | 'delegate' }) {
  const { bid_requests: requests, bids } = stats;
  return (
    <Figures>
      <Figure
        label={mode === 'rtb' ? 'Bid requests' : 'Evaluations'}
        hint="How often it was asked for bids"
        value={formatCount(requests)}
      />
      <Figure
        label="Bids"
        value={formatCount(bids)}
        below={requests > 0 ? `${formatRatio(bids / requests)} of requests` : undefined}
      />
      <Figure
        label="Wins"
        value={formatCount(stats.wins)}
        below={bids > 0 ? `${formatRatio(stats.win_rate)} of bids` : undefined}
      />
      <Figure
        label="Impressions"
        hint="Wins that were shown and billed"
        value={formatCount(stats.impressions)}
        below={stats.wins > 0 ? `${formatRatio(stats.impressions / stats.wins)} of wins` : undefined}
      />
      <Figure label="Spend" value={<Money cents={stats.spend_cents} />} />
      <Figure
        label="Average CPM"
        hint="Spend for a thousand impressions"
        value={stats.impressions === 0 ? '—' : <Money cents={stats.avg_cpm_cents} />}
      />
      {mode === 'rtb' && (
        <>
          <Figure
            label="Time-outs"
            hint="Bid requests that were not answered in time"
            value={requests === 0 ? '—' : formatRatio(stats.timeout_rate)}
          />
          <Figure
            label="Answers after"
            hint="Half of its calls took no longer; 95 % took no longer"
            value={requests === 0 ? '—' : formatMs(stats.p50_ms)}
            below={requests === 0 ? undefined : `95 % within ${formatMs(stats.p95_ms)}`}
          />
        </>
      )}
    </Figures>
  );
}

function OverTime({ series: { buckets } }: { readonly series: Series }) {
  const chart = useMemo(
    () => ({
      at: buckets.map(({ timestamp }) => timestamp),
      lines: [
        {
          label: 'Impressions',
          values: buckets.map(({ impressions }) => impressions),
          format: (value: number) => (value < 10_000 ? formatCount(value) : formatCompact(value)),
          filled: true,
        },
        {
          label: 'Spend',
          values: buckets.map(({ revenue_cents: cents }) => cents),
          ...CENTS_IN_CHART,
          colour: 2 as const,
          right: true,
        },
      ],
    }),
    [buckets],
  );
  return <TimeChart label="Impressions and spend over time" {...chart} />;
}
