import { Button, Tabs } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useAnswer } from '../../api/queries.ts';
import { Answered, Placeholder } from '../../kit/answered.tsx';
import { bringIntoView } from '../../kit/bring-into-view.ts';
import { Id } from '../../kit/copy.tsx';
import { Page } from '../../kit/page.tsx';
import { Status } from '../../kit/status.tsx';
import classes from '../../kit/tab-list.module.css';
import { useView } from '../../kit/use-view.ts';
import { OverviewTab } from './detail/overview-tab.tsx';
import type { TabProps } from './detail/tab-props.ts';
import { MODE_WORDS } from './mode-words.ts';

interface TabPart {
  readonly name: string;
  readonly label: string;
  /** Of sources of this mode alone. */
  readonly of?: TabProps['source']['mode'];
  readonly component: React.ComponentType<TabProps>;
  /** What it asks the API. */
  readonly calls: readonly string[];
}

const TABS: readonly TabPart[] = [
  {
    name: 'overview',
    label: 'Overview',
    component: OverviewTab,
    calls: ['sources/{id}/health', 'sources/{id}/stats', 'sources/{id}/stats?breakdown=time'],
  },
  {
    name: 'strategy',
    label: 'Strategy',
    of: 'delegate',
    component: lazy(() => import('./detail/strategy-tab.tsx')),
    calls: ['sources/{id}/strategy'],
  },
  {
    name: 'outcomes',
    label: 'Wins and losses',
    component: lazy(() => import('./detail/outcomes-tab.tsx')),
    calls: ['sources/{id}/funnel'],
  },
  {
    name: 'creatives',
    label: 'Creatives',
    component: lazy(() => import('./detail/creatives-tab.tsx')),
    calls: ['sources/{id}/stats?breakdown=creative'],
  },
  {
    name: 'budget',
    label: 'Budget',
    component: lazy(() => import('./detail/budget-tab.tsx')),
    calls: ['dsp/{id}/budget', 'sources/{id}/stats?period=today&breakdown=time'],
  },
  {
    name: 'pools',
    label: 'Pools',
    component: lazy(() => import('./detail/pools-tab.tsx')),
    calls: ['sources/{id}/pools'],
  },
  {
    name: 'test',
    label: 'Test bid',
    of: 'rtb',
    component: lazy(() => import('./detail/test-bid-tab.tsx')),
    calls: [],
  },
  { name: 'feed', label: 'Feed', component: lazy(() => import('./detail/feed-tab.tsx')), calls: ['../dsp/{id}/feed'] },
  { name: 'settings', label: 'Settings', component: lazy(() => import('./detail/settings-tab.tsx')), calls: [] },
];

/** One demand source: how it does, what became of its bids, its budget and pools, and its settings. */
export function DemandSourcePage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const [view, setView] = useView({ tab: 'overview' });
  const source = useAnswer('/api/demand/sources/{id}', { params: { path: { id } } });
  const { body, etag } = source;
  const tabs = TABS.filter(({ of }) => of === undefined || of === body?.mode);
  const chosen = tabs.find(({ name }) => name === view.tab) ?? tabs[0]!;
  const calls = ['sources/{id}', ...chosen.calls].map((path) => ({
    path: new URL(path.replace('{id}', id), 'http://localhost/api/demand/').href.slice('http://localhost'.length),
  }));

  return (
    <Page
      title={body?.name ?? 'Demand source'}
      parent={{ to: '/demand', label: 'Demand' }}
      beside={body !== undefined && <Status of={body.status} />}
      description={
        body !== undefined && (
          <>
            {MODE_WORDS[body.mode].short} <Id value={id} what="the id of the demand source" short />
          </>
        )
      }
      actions={
        body !== undefined && (
          <Button
            variant="default"
            size="xs"
            renderRoot={(props) => <Link to="/auctions" search={{ dsp: id }} {...props} />}
          >
            Its auctions
          </Button>
        )
      }
      calls={calls}
    >
      <Answered of={source} lines={6}>
        {(shown) => (
          <Tabs value={chosen.name} onChange={(tab) => setView({ tab: tab ?? 'overview' })}>
            <Tabs.List className={classes.tabs}>
              {tabs.map(({ name, label }) => (
                <Tabs.Tab key={name} value={name} ref={name === chosen.name ? bringIntoView : undefined}>
                  {label}
                </Tabs.Tab>
              ))}
            </Tabs.List>
            {tabs.map(({ name, component: Part }) => (
              <Tabs.Panel key={name} value={name} pt="lg">
                <Suspense fallback={<Placeholder />}>
                  <Part source={shown} etag={etag} />
                </Suspense>
              </Tabs.Panel>
            ))}
          </Tabs>
        )}
      </Answered>
    </Page>
  );
}
