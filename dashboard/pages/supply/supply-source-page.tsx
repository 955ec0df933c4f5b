import { Alert, Anchor, Button, Group, Tabs } from '@mantine/core';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useAnswer, useChange } from '../../api/queries.ts';
import { Answered } from '../../kit/answered.tsx';
import { confirm } from '../../kit/confirm.tsx';
import { Id } from '../../kit/copy.tsx';
import { Page } from '../../kit/page.tsx';
import { Status } from '../../kit/status.tsx';
import { tellDone, tellFault } from '../../kit/tell.ts';
import { useView } from '../../kit/use-view.ts';
import { AdsTxtTab } from './detail/ads-txt-tab.tsx';
import { FiguresTab } from './detail/figures-tab.tsx';
import { IntegrationTab, isMethod } from './detail/integration-tab.tsx';
import { SettingsTab } from './detail/settings-tab.tsx';
import type { Publisher } from './publisher.ts';

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
  const navigate = useNavigate();
  const asked = useAnswer('/api/supply/sources/{id}', { params: { path: { id } } });
  const archive = useChange('delete', '/api/supply/sources/{id}', { touches: ['/api/supply', '/api/overview'] });
  const publisher = asked.body;

  const askToArchive = (one: Publisher) =>
    confirm({
      title: `Archive ${one.name}?`,
      what: `Ad requests of ${one.name} are answered 403 from now on. Its figures and statements stay, and what was sold is still billed.`,
      label: 'Archive',
      danger: true,
      run: async () => {
        try {
          await archive.mutateAsync({ params: { path: { id } }, etag: asked.etag });
          tellDone(`${one.name} is archived.`);
          await navigate({ to: '/supply' });
        } catch (error) {
          tellFault(error);
        }
      },
    });

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
            {publisher.status !== 'archived' && (
              <Button size="xs" variant="light" color="red" onClick={() => askToArchive(publisher)}>
                Archive
              </Button>
            )}
          </>
        )
      }
      calls={[{ path: `/api/supply/sources/${id}` }, { path: `/api/supply/sources/${id}/stats?period=${view.period}` }]}
    >
      <Answered of={asked} lines={6}>
        {(one) => (
          <>
            {one.pool_id === null && one.status !== 'archived' && (
              <Alert color="yellow" title="It is in no pool">
                No demand is asked for its ads.{' '}
                <Anchor component="button" inherit onClick={() => setView({ tab: 'settings' })}>
                  Choose a pool in its settings.
                </Anchor>
              </Alert>
            )}
            <Tabs value={view.tab} onChange={(tab) => setView({ tab: tab ?? 'figures' })}>
              <Tabs.List mb="lg">
                {TABS.map(({ value, label }) => (
                  <Tabs.Tab key={value} value={value}>
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
