import { Button, Tabs } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { Placeholder } from '../../kit/answered.tsx';
import { bringIntoView } from '../../kit/bring-into-view.ts';
import { Page } from '../../kit/page.tsx';
import classes from '../../kit/tab-list.module.css';
import { useView } from '../../kit/use-view.ts';
import { PATHS, type Reader, useReader } from './reader.ts';

interface TabPart {
  readonly name: string;
  readonly label: string;
  readonly of: readonly Reader[];
  readonly component: React.ComponentType;
  readonly call: Readonly<Partial<Record<Reader, string>>>;
}

const TABS: readonly TabPart[] = [
  {
    name: 'sold',
    label: 'All',
    of: ['account', 'publisher', 'dsp'],
    component: lazy(() => import('./list/sold-tab.tsx')),
    call: { account: PATHS.account.list, publisher: PATHS.publisher.list, dsp: PATHS.dsp.list },
  },
  {
    name: 'decisions',
    label: 'Decisions',
    of: ['account', 'publisher'],
    component: lazy(() => import('./list/rules-tab.tsx')),
    call: { account: '/api/creatives/rules', publisher: '/api/source/creatives/rules' },
  },
  {
    name: 'campaigns',
    label: 'Of campaigns',
    of: ['account'],
    component: lazy(() => import('./campaign-gallery.tsx')),
    call: { account: '/api/campaigns' },
  },
];

const DESCRIPTIONS: Readonly<Record<Reader, string>> = {
  account: 'What demand sources have sold or tried to sell, what scans found, and what is decided about it.',
  publisher: 'What demand sources have offered to you, what scans found, and what you decided about it.',
  dsp: 'What you have bid with, what scans found, and where it may be shown.',
};

/** All creatives, decisions about them, and the gallery of campaigns. */
export function CreativesPage() {
  const reader = useReader();
  const [view, setView] = useView({ tab: 'sold' });
  const tabs = TABS.filter(({ of }) => of.includes(reader));
  const chosen = tabs.find(({ name }) => name === view.tab) ?? tabs[0]!;
  return (
    <Page
      title="Creatives"
      description={DESCRIPTIONS[reader]}
      calls={[{ path: chosen.call[reader]! }]}
      actions={
        reader !== 'dsp' && (
          <Button size="xs" renderRoot={(props) => <Link to="/creatives/review" {...props} />}>
            Review
          </Button>
        )
      }
    >
      <Tabs value={chosen.name} onChange={(tab) => setView({ tab: tab ?? 'sold' })}>
        {tabs.length > 1 && (
          <Tabs.List className={classes.tabs}>
            {tabs.map(({ name, label }) => (
              <Tabs.Tab key={name} value={name} ref={name === chosen.name ? bringIntoView : undefined}>
                {label}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        )}
        {tabs.map(({ name, component: Part }) => (
          <Tabs.Panel key={name} value={name} pt="lg">
            <Suspense fallback={<Placeholder />}>
              <Part />
            </Suspense>
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  );
}
