import { Anchor, SimpleGrid, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useAnswer } from '../../../api/queries.ts';
import { Answered, Empty } from '../../../kit/answered.tsx';
import { BarList } from '../../../kit/bar-list.tsx';
import { Figure, Figures, Section } from '../../../kit/figure.tsx';
import { CENTS_IN_CHART, formatCount, formatMs, formatRatio, words } from '../../../kit/format.ts';
import { Money } from '../../../kit/money.tsx';
import { isPeriod, isRegion, PeriodPicker } from '../../../kit/period-picker.tsx';
import { TimeChart } from '../../../kit/time-chart.tsx';
import type { Publisher } from '../publisher.ts';
import { RequestFunnel } from './request-funnel.tsx';

interface FiguresTabProps {
  readonly publisher: Publisher;
  readonly view: { readonly period: string; readonly region: string };
  readonly onView: (change: { period?: string; region?: string }) => void;
}

/** What a publisher asked for, showed and earned; where its requests went; why some were turned away. */
export function FiguresTab({ publisher: { id }, view, onView }: FiguresTabProps) {
  const period = isPeriod(view.period) ? view.period : '24h';
  const region = isRegion(view.region) ? view.region : undefined;
  const query = { period, ...(region && { region }) };
  const path = { id };
  const stats = useAnswer('/api/supply/sources/{id}/stats', { params: { path, query } }, { keep: true });
  const series = useAnswer(
    '/api/supply/sources/{id}/stats',
    { params: { path, query: { ...query, breakdown: 'time' } } },
    { keep: true },
  );
  const funnel = useAnswer('/api/supply/sources/{id}/funnel', { params: { path, query } }, { keep: true });

  return (
    <Stack gap="lg">
      <PeriodPicker
        period={period}
        onPeriod={(next) => onView({ period: next })}
        region={region}
        onRegion={(next) => onView({ region: next ?? '' })}
      />
      <Answered of={stats}>
        {(body) =>
          'impressions' in body ? (
            <Figures cols={6}>
              <Figure
                label="Revenue"
                value={<Money cents={body.revenue_cents} />}
                hint="Payout of billed impressions, the exchange’s fee taken off"
              />
              <Figure label="Impressions" value={formatCount(body.impressions)} hint="Billed impressions" />
              <Figure
                label="Fill rate"
                value={formatRatio(body.fill_rate)}
                hint="Imps answered with an ad, of all that were auctioned"
              />
              <Figure
                label="eCPM"
                value={<Money cents={body.ecpm_cents} />}
                hint="Revenue for a thousand impressions"
              />
              <Figure
                label="Auctions"
                value={formatCount(body.bid_requests)}
                hint="Requests that were not turned away"
              />
              <Figure
                label="Latency p95"
                value={formatMs(body.p95_ms)}
                below={`p50 ${formatMs(body.p50_ms)}`}
                hint="From the ad request to its answer"
              />
            </Figures>
          ) : null
        }
      </Answered>
      <Section title="Over time">
        <Answered of={series}>
          {(body) =>
            'buckets' in body && body.buckets.some(({ impressions }) => impressions > 0) ? (
              <TimeChart
                label="Revenue and impressions of this publisher over time"
                at={body.buckets.map(({ timestamp }) => timestamp)}
                lines={[
                  {
                    label: 'Revenue',
                    values: body.buckets.map(({ revenue_cents: cents }) => cents),
                    ...CENTS_IN_CHART,
                    filled: true,
                  },
                  {
                    label: 'Impressions',
                    values: body.buckets.map(({ impressions }) => impressions),
                    format: formatCount,
                    colour: 2,
                    right: true,
                  },
                ]}
              />
            ) : (
              <Empty title="Nothing was shown in this time">Impressions appear here once ads are rendered.</Empty>
            )
          }
        </Answered>
      </Section>
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
        <Section title="From request to impression">
          <Answered of={funnel}>{(body) => <RequestFunnel of={body} />}</Answered>
          <Anchor
            size="sm"
            renderRoot={(props) => (
              <Link to="/auctions" search={{ publisher: id, outcome: 'unfilled' } as never} {...props} />
            )}
          >
            Why were the others not filled?
          </Anchor>
        </Section>
        <Section title="Blocked requests" description="Turned away with 403 before any auction, by reason.">
          <Answered of={funnel}>
            {({ blocked }) =>
              blocked.total === 0 ? (
                <Empty title="None was blocked" />
              ) : (
                <BarList
                  label="Blocked requests by reason"
                  bars={blocked.reasons.map(({ reason, count, description }) => ({
                    id: reason,
                    label: words(reason),
                    count,
                    hint: description,
                    tone: 'bad',
                  }))}
                />
              )
            }
          </Answered>
        </Section>
      </SimpleGrid>
    </Stack>
  );
}
