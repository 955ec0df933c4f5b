import { SegmentedControl, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import { useAnswer } from '../../api/queries.ts';
import { Answered, Empty } from '../../kit/answered.tsx';
import { Snippet } from '../../kit/copy.tsx';
import { Figure, Figures, Section } from '../../kit/figure.tsx';
import { CENTS_IN_CHART, formatCount, formatRatio } from '../../kit/format.ts';
import { Money } from '../../kit/money.tsx';
import { Page } from '../../kit/page.tsx';
import { isPeriod, PeriodPicker } from '../../kit/period-picker.tsx';
import { Status } from '../../kit/status.tsx';
import { METHODS, type Method } from '../../kit/test-request.ts';
import { TimeChart } from '../../kit/time-chart.tsx';
import { useView } from '../../kit/use-view.ts';
import { isMethod } from '../supply/detail/integration-tab.tsx';
import { RequestFunnel } from '../supply/detail/request-funnel.tsx';
import { METHOD_NAMES, snippetOf } from '../supply/detail/snippets.ts';
import { OwnKey } from './own-key.tsx';
import { useOwnSource } from './own-source.ts';

/** A publisher to its own people: what it earns, how it is built in, whether its ads.txt is right. */
export default function PublisherOverview() {
  const { name } = useOwnSource();
  const [view, setView] = useView({ period: '24h', method: 'js-tag' });
  const period = isPeriod(view.period) ? view.period : '24h';
  const method: Method = isMethod(view.method) ? view.method : 'js-tag';
  const profile = useAnswer('/api/source/profile');
  const metrics = useAnswer('/api/source/metrics', { params: { query: { period } } }, { keep: true, everyMs: 15_000 });
  const series = useAnswer(
    '/api/source/metrics',
    { params: { query: { period, breakdown: 'time' } } },
    { keep: true, everyMs: 15_000 },
  );
  const funnel = useAnswer('/api/source/funnel', { params: { query: { period } } }, { keep: true });

  return (
    <Page
      title={name}
      beside={profile.body !== undefined && <Status of={profile.body.status} />}
      calls={[{ path: '/api/source/profile' }, { path: `/api/source/metrics?period=${period}` }]}
      actions={<PeriodPicker period={period} onPeriod={(next) => setView({ period: next })} />}
    >
      <Answered of={metrics}>
        {(body) =>
          'impressions' in body ? (
            <>
              <Figures cols={4}>
                <Figure label="Revenue" value={<Money cents={body.revenue_cents} />} />
                <Figure label="Impressions" value={formatCount(body.impressions)} />
                <Figure label="Fill rate" value={formatRatio(body.fill_rate)} />
                <Figure label="eCPM" value={<Money cents={body.ecpm_cents} />} />
              </Figures>
              {body.dsp_breakdown.length > 0 && (
                <Section
                  title="Who bought"
                  description="What each pays: gross, of which the exchange’s fee is taken off."
                >
                  <Table aria-label="Buyers">
                    <Table.Tbody>
                      {body.dsp_breakdown.map((dsp) => (
                        <Table.Tr key={dsp.dsp_id}>
                          <Table.Td style={{ overflowWrap: 'anywhere' }}>{dsp.dsp_name}</Table.Td>
                          <Table.Td ta="right">{formatCount(dsp.wins)} wins</Table.Td>
                          <Table.Td ta="right">
                            <Money cents={dsp.spend_cents} />
                          </Table.Td>
                        </Table.Tr>
                      ))}
                    </Table.Tbody>
                  </Table>
                </Section>
              )}
            </>
          ) : null
        }
      </Answered>
      <Section title="Over time">
        <Answered of={series}>
          {(body) =>
            'buckets' in body && body.buckets.some(({ impressions }) => impressions > 0) ? (
              <TimeChart
                label="Revenue over time"
                at={body.buckets.map(({ timestamp }) => timestamp)}
                lines={[
                  {
                    label: 'Revenue',
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
        <Section title="From request to impression">
          <Answered of={funnel}>{(body) => <RequestFunnel of={body} />}</Answered>
        </Section>
        <Answered of={profile}>
          {(body) => (
            <Section title="ads.txt" actions={<Status of={body.verification.status} />}>
              <Text size="sm">
                {body.verification.status === 'verified' ? 'This line was found:' : 'Add this line to your ads.txt:'}
              </Text>
              <Snippet text={body.verification.expected_line} what="the line" />
              {body.verification.message !== null && (
                <Text size="sm" c="dimmed">
                  {body.verification.message}
                </Text>
              )}
            </Section>
          )}
        </Answered>
      </SimpleGrid>
      <Answered of={profile}>
        {(body) => {
          const snippet = snippetOf(method, body.edge_url, body);
          return (
            <Section title="Integration" description={snippet.use}>
              <SegmentedControl
                aria-label="Integration method"
                data={METHODS.map((value) => ({ value, label: METHOD_NAMES[value] }))}
                value={method}
                onChange={(value) => setView({ method: value })}
                style={{ alignSelf: 'flex-start', maxWidth: '100%', overflowX: 'auto' }}
              />
              <Stack gap={6}>
                <Text size="sm" fw={600}>
                  {snippet.title}
                </Text>
                <Snippet text={snippet.text} what="the snippet" />
              </Stack>
            </Section>
          );
        }}
      </Answered>
      <OwnKey side="source" />
    </Page>
  );
}
