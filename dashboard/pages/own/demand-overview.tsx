import { SimpleGrid, Table, Text } from '@mantine/core';
import { useAnswer } from '../../api/queries.ts';
import { Answered, Empty } from '../../kit/answered.tsx';
import { BarList } from '../../kit/bar-list.tsx';
import { Figure, Figures, Section } from '../../kit/figure.tsx';
import { CENTS_IN_CHART, formatCount, formatMs, formatRatio, words } from '../../kit/format.ts';
import { Money } from '../../kit/money.tsx';
import { Page } from '../../kit/page.tsx';
import { isPeriod, PeriodPicker } from '../../kit/period-picker.tsx';
import { Status } from '../../kit/status.tsx';
import { Time } from '../../kit/time.tsx';
import { TimeChart } from '../../kit/time-chart.tsx';
import { useView } from '../../kit/use-view.ts';
import { BREAKER_WORDS } from '../demand/list/health-cells.tsx';
import { OwnKey } from './own-key.tsx';
import { useOwnSource } from './own-source.ts';

/** A demand source to its own people: what it spends and wins, how well it answers, its budget. */
export default function DemandOverview() {
  const { name } = useOwnSource();
  const [view, setView] = useView({ period: '24h' });
  const period = isPeriod(view.period) ? view.period : '24h';
  const profile = useAnswer('/api/demand/profile', undefined, { everyMs: 15_000 });
  const metrics = useAnswer('/api/demand/metrics', { params: { query: { period } } }, { keep: true, everyMs: 15_000 });
  const series = useAnswer(
    '/api/demand/metrics',
    { params: { query: { period, breakdown: 'time' } } },
    { keep: true, everyMs: 15_000 },
  );
  const funnel = useAnswer('/api/demand/funnel', { params: { query: { period } } }, { keep: true });
  return (
    <Page
      title={name}
      beside={profile.body !== undefined && <Status of={profile.body.status} />}
      calls={[{ path: '/api/demand/profile' }, { path: `/api/demand/metrics?period=${period}` }]}
      actions={<PeriodPicker period={period} onPeriod={(next) => setView({ period: next })} />}
    >
      <Answered of={metrics}>
        {(body) =>
          'wins' in body ? (
            <Figures cols={5}>
              <Figure label="Spend" value={<Money cents={body.spend_cents} />} />
              <Figure label="Impressions" value={formatCount(body.impressions)} />
              <Figure label="Wins" value={formatCount(body.wins)} below={`${formatRatio(body.win_rate)} of bids`} />
              <Figure
                label="Bids"
                value={formatCount(body.bids)}
                below={`${formatCount(body.bid_requests)} requests`}
              />
              <Figure label="Average CPM" value={<Money cents={body.avg_cpm_cents} />} />
            </Figures>
          ) : null
        }
      </Answered>
      <Section title="Spend over time">
        <Answered of={series}>
          {(body) =>
            'buckets' in body && body.buckets.some(({ impressions }) => impressions > 0) ? (
              <TimeChart
                label="Spend over time"
                at={body.buckets.map(({ timestamp }) => timestamp)}
                lines={[
                  {
                    label: 'Spend',
                    values: body.buckets.map(({ revenue_cents: cents }) => cents),
                    ...CENTS_IN_CHART,
                    filled: true,
                  },
                ]}
              />
            ) : (
              <Empty title="Nothing was shown in this time" />
            )
          }
        </Answered>
      </Section>
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
        <Section title="What became of bids">
          <Answered of={funnel}>
            {(body) =>
              body.bids === 0 ? (
                <Empty title="Nothing was bid in this time" />
              ) : (
                <BarList
                  label="Bids by what became of them"
                  bars={[
                    { id: 'won', label: 'Won', count: body.won, tone: 'good' },
                    ...[...body.lost.reasons, ...body.invalid.reasons].map(({ reason, count, description }) => ({
                      id: reason,
                      label: words(reason),
                      count,
                      hint: description,
                      tone: 'bad' as const,
                    })),
                  ]}
                />
              )
            }
          </Answered>
        </Section>
        <Answered of={profile}>
          {({ health, budget, mode, timeout_ms: timeoutMs, endpoint_url: endpoint }) => (
            <Section
              title="Health"
              actions={<Status of={health.circuit_breaker} label={BREAKER_WORDS[health.circuit_breaker]} />}
            >
              <Table aria-label="Health and limits">
                <Table.Tbody>
                  {mode === 'rtb' && (
                    <>
                      <Line
                        label="Endpoint"
                        value={
                          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
                            {endpoint}
                          </Text>
                        }
                      />
                      <Line label="Time to answer" value={formatMs(timeoutMs)} />
                      <Line label="Timeouts, 5 minutes" value={formatRatio(health.timeout_rate_5m)} />
                      <Line label="Average latency" value={formatMs(health.avg_latency_ms)} />
                      <Line
                        label="Requests a second"
                        value={`${formatCount(health.qps_current)} of ${formatCount(health.qps_limit)}`}
                      />
                    </>
                  )}
                  <Line label="Last bid" value={<Time at={health.last_bid_at} ago none="never" />} />
                  <Line label="Spent today" value={<Money cents={budget.spent_today_cents} />} />
                  <Line
                    label="Left today"
                    value={budget.remaining_cents === null ? 'No limit' : <Money cents={budget.remaining_cents} />}
                  />
                </Table.Tbody>
              </Table>
            </Section>
          )}
        </Answered>
      </SimpleGrid>
      <OwnKey side="demand" />
    </Page>
  );
}

function Line({ label, value }: { readonly label: string; readonly value: React.ReactNode }) {
  return (
    <Table.Tr>
      <Table.Th fw={400} c="dimmed">
        {label}
      </Table.Th>
      <Table.Td ta="right">{value}</Table.Td>
    </Table.Tr>
  );
}
