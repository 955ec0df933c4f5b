import { Alert, Anchor, Button, Group, Tabs } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { useAnswer } from '../../api/queries.ts';
import { Answered } from '../../kit/answered.tsx';
import { bringIntoView } from '../../kit/bring-into-view.ts';
import { Id } from '../../kit/copy.tsx';
import { Page } from '../../kit/page.tsx';
import { Status } from '../../kit/status.tsx';
import classes from '../../kit/tab-list.module.css';
import { useView } from '../../kit/use-view.ts';
import { AdsTxtTab } from './detail/ads-txt-tab.tsx';
import { FiguresTab } from './detail/figures-tab.tsx';
import { IntegrationTab, isMethod } from './detail/integration-tab.tsx';
import { LifeActions } from './detail/life-actions.tsx';
import { SettingsTab } from './detail/settings-tab.tsx';

const TABS = [
  { value: 'figures', label: 'Figures' },
  { value: 'integration', label: 'Integration' },
  { value: 'ads-txt', label: 'ads.txt' },
  { value: 'settings', label: 'Settings' },
];

/** One publisher: what it earns, how it is built in, whether its ads.txt names the exchange, what it allows. */
export function SupplySourcePage() {
  const { id } = useParams({ strict: false }) as { id: string };
  const [view, setView] = useView({ tab: 'figures', method: 'js-tag', period: '24h', region: '' });
  const asked = useAnswer('/api/supply/sources/{id}', { params: { path: { id } } });
  const publisher = asked.body;
  const archived = publisher?.status === 'archived';
  const tabs = TABS.filter(({ value }) => !archived || value === 'figures');
  const tab = tabs.find(({ value }) => value === view.tab)?.value ?? 'figures';

  return (
    <Page
      title={publisher?.name ?? 'Publisher'}
      parent={{ to: '/supply', label: 'Supply' }}
      beside={
        publisher !== undefined && (
          <Group gap="xs">
            <Status of={publisher.status} />
            <Id value={id} what="the publisher id" short />
          </Group>
        )
      }
      actions={
        publisher !== undefined && (
          <>
            <Button
              size="xs"
              variant="default"
              renderRoot={(props) => (
                <Link to="/auctions" search={{ publisher: id, outcome: 'unfilled' } as never} {...props} />
              )}
            >
              Why no fill?
            </Button>
            <LifeActions publisher={publisher} etag={asked.etag} />
          </>
        )
      }
      calls={[{ path: `/api/supply/sources/${id}` }, { path: `/api/supply/sources/${id}/stats?period=${view.period}` }]}
    >
      <Answered of={asked} lines={6}>
        {(one) => (
          <>
            {one.status === 'archived' && (
              <Alert color="gray" title="It is archived">
                Its ad requests are answered 403, and it cannot be changed. Its figures and statements stay.
              </Alert>
            )}
            {one.pool_id === null && one.status !== 'archived' && (
              <Alert color="yellow" title="It is in no pool">
                No demand is asked for its ads.{' '}
                <Anchor component="button" inherit onClick={() => setView({ tab: 'settings' })}>
                  Choose a pool in its settings.
                </Anchor>
              </Alert>
            )}
            <Tabs value={tab} onChange={(tab) => setView({ tab: tab ?? 'figures' })}>
              <Tabs.List mb="lg" className={classes.tabs}>
                {tabs.map(({ value, label }) => (
                  <Tabs.Tab key={value} value={value} ref={value === tab ? bringIntoView : undefined}>
                    {label}
                  </Tabs.Tab>
                ))}
              </Tabs.List>
              <Tabs.Panel value="figures">
                <FiguresTab publisher={one} view={view} onView={setView} />
              </Tabs.Panel>
              <Tabs.Panel value="integration">
                <IntegrationTab
                  publisher={one}
                  method={isMethod(view.method) ? view.method : 'js-tag'}
                  onMethod={(method) => setView({ method })}
                />
              </Tabs.Panel>
              <Tabs.Panel value="ads-txt">
                <AdsTxtTab publisher={one} />
              </Tabs.Panel>
              <Tabs.Panel value="settings">
                <SettingsTab publisher={one} etag={asked.etag} />
              </Tabs.Panel>
            </Tabs>
          </>
        )}
      </Answered>
    </Page>
  );
}
