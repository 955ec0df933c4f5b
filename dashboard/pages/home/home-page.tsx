import { Alert, Button, Group, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { RocketIcon } from '@primer/octicons-react';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useAnswer } from '../../api/queries.ts';
import { Answered } from '../../kit/answered.tsx';
import { Page } from '../../kit/page.tsx';
import { AttentionPanel } from './attention-panel.tsx';
import { changeOnYesterday } from './change-on-yesterday.ts';
import { FunnelPanel } from './funnel-panel.tsx';
import { LivePanel } from './live-panel.tsx';

/** Below what is seen first, and as large as all of it. */
const SeriesPanel = lazy(() => import('./series-panel.tsx'));

const EVERY_MS = 10_000;

/** What the exchange does now, did today and in the running month, and what needs attention. */
export function HomePage() {
  const asked = useAnswer('/api/overview', undefined, { everyMs: EVERY_MS });
  const counts = asked.body?.counts;
  const begun =
    counts === undefined || (counts.publishers > 0 && counts.demand_sources > 0 && asked.body!.month.requests > 0);
  return (
    <Page
      title="Overview"
      calls={[
        { path: '/api/overview' },
        { path: '/api/attention' },
        { path: '/api/metrics?period=24h&breakdown=time' },
      ]}
    >
      {!begun && (
        <Alert color="brand" icon={<RocketIcon />} title="From here to a first ad">
          <Group justify="space-between" gap="sm">
            <Text size="sm">
              A publisher, a pool, a demand source, and an ad request that shows what they do together.
            </Text>
            <Button size="xs" renderRoot={(props) => <Link to="/start" {...props} />}>
              Get a first ad
            </Button>
          </Group>
        </Alert>
      )}
      <LivePanel refused={asked.body?.today.blocked} />
      <Stack gap="lg">
        <Answered of={asked} lines={4}>
          {({ generated_at: at, today, yesterday, month }) => (
            <SimpleGrid cols={{ base: 1, xl: 2 }} spacing="lg">
              <FunnelPanel title="Today" of={today} change={changeOnYesterday(today, yesterday, at)} />
              <FunnelPanel title="This month" of={month} />
            </SimpleGrid>
          )}
        </Answered>
        <Suspense fallback={<Skeleton height={380} radius="md" />}>
          <SeriesPanel />
        </Suspense>
        <AttentionPanel />
      </Stack>
    </Page>
  );
}
