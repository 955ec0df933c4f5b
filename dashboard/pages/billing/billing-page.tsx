import { Group, Select, Tabs } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useIsOperator } from '../../app/session/session.ts';
import { Placeholder } from '../../kit/answered.tsx';
import { Page } from '../../kit/page.tsx';
import { useView } from '../../kit/use-view.ts';
import { months, thisMonth } from './billing.ts';
import { SourcesBills } from './sources-bills.tsx';

const Adjustments = lazy(() => import('./adjustments.tsx'));
const AllStatements = lazy(() => import('./all-statements.tsx'));

/** What publishers are paid and demand sources owe, by source and month. */
export function BillingPage() {
  const [view, setView] = useView({ month: thisMonth(), tab: 'publishers', q: '' });
  const operator = useIsOperator();
  return (
    <Page
      title="Billing"
      description="Impressions are billed when they are shown. A month is in progress until its books are complete; then its statements are final."
      calls={[{ path: `/api/statements?month=${view.month}` }]}
      actions={
        <Select
          aria-label="Month"
          size="xs"
          w={170}
          allowDeselect={false}
          data={months()}
          value={view.month}
          onChange={(month) => setView({ month: month ?? thisMonth() })}
        />
      }
    >
      <Tabs value={view.tab} onChange={(tab) => setView({ tab: tab ?? 'publishers' })}>
        <Group mb="lg">
          <Tabs.List>
            <Tabs.Tab value="publishers">Publishers</Tabs.Tab>
            <Tabs.Tab value="demand">Demand</Tabs.Tab>
            {operator && <Tabs.Tab value="statements">All final statements</Tabs.Tab>}
            <Tabs.Tab value="adjustments">Adjustments</Tabs.Tab>
          </Tabs.List>
        </Group>
        <Tabs.Panel value="publishers">
          <SourcesBills kind="publisher" month={view.month} q={view.q} onSearch={(q) => setView({ q })} />
        </Tabs.Panel>
        <Tabs.Panel value="demand">
          <SourcesBills kind="dsp" month={view.month} q={view.q} onSearch={(q) => setView({ q })} />
        </Tabs.Panel>
        {operator && (
          <Tabs.Panel value="statements">
            <Suspense fallback={<Placeholder />}>
              <AllStatements month={view.month} />
            </Suspense>
          </Tabs.Panel>
        )}
        <Tabs.Panel value="adjustments">
          <Suspense fallback={<Placeholder />}>
            <Adjustments month={view.month} />
          </Suspense>
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
