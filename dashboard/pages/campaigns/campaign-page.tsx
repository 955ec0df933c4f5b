import { Alert, Anchor, Group, Tabs } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { useAnswer } from '../../api/queries.ts';
import { Answered } from '../../kit/answered.tsx';
import { Id } from '../../kit/copy.tsx';
import { Page } from '../../kit/page.tsx';
import { SourceName } from '../../kit/source-name.tsx';
import { Status } from '../../kit/status.tsx';
import { useView } from '../../kit/use-view.ts';
import { restingWords } from './campaign.ts';
import { CreativesTab } from './detail/creatives-tab.tsx';
import { PerformanceTab } from './detail/performance-tab.tsx';
import { SettingsTab } from './detail/settings-tab.tsx';
import { PauseSwitch } from './pause-switch.tsx';

const TABS = [
  { value: 'performance', label: 'Performance' },
  { value: 'creatives', label: 'Creatives' },
  { value: 'settings', label: 'Settings' },
];

/** One campaign: what it bought, what it shows, whom it bids for and for how much. */
export function CampaignPage() {
  const { id } = useParams({ strict: false }) as { id: string };
  const [view, setView] = useView({ tab: 'performance', period: '24h', region: '' });
  const asked = useAnswer('/api/campaigns/{id}', { params: { path: { id } } });
  const campaign = asked.body;
  const resting = campaign === undefined ? null : restingWords(campaign);

  return (
    <Page
      title={campaign?.campaign_name ?? 'Campaign'}
      parent={{ to: '/campaigns', label: 'Campaigns' }}
      beside={
        campaign !== undefined && (
          <Group gap="xs">
            <Status of={campaign.status} />
            <Id value={id} what="the campaign id" short />
          </Group>
        )
      }
      description={
        campaign !== undefined && (
          <Group gap={4} component="span">
            Of <SourceName of="dsp" id={campaign.dsp_id} />
          </Group>
        )
      }
      actions={campaign !== undefined && <PauseSwitch campaign={campaign} />}
      calls={[{ path: `/api/campaigns/${id}` }, { path: `/api/campaigns/${id}/performance?period=${view.period}` }]}
    >
      <Answered of={asked} lines={6}>
        {(one) => (
          <>
            {resting !== null && (
              <Alert color={one.status === 'retired' ? 'gray' : 'yellow'} title="It does not bid now">
                {`${resting.charAt(0).toUpperCase()}${resting.slice(1)}.`}
                {one.origin === 'strategy' && (
                  <>
                    {' '}
                    <Anchor
                      underline="always"
                      inherit
                      renderRoot={(props) => (
                        <Link
                          to="/demand/$id"
                          params={{ id: one.dsp_id }}
                          search={{ tab: 'strategy' } as never}
                          {...props}
                        />
                      )}
                    >
                      Look at its strategy
                    </Anchor>
                  </>
                )}
              </Alert>
            )}
            <Tabs value={view.tab} onChange={(tab) => setView({ tab: tab ?? 'performance' })}>
              <Tabs.List mb="lg">
                {TABS.map(({ value, label }) => (
                  <Tabs.Tab key={value} value={value}>
                    {label}
                  </Tabs.Tab>
                ))}
              </Tabs.List>
              <Tabs.Panel value="performance">
                <PerformanceTab campaign={one} view={view} onView={setView} />
              </Tabs.Panel>
              <Tabs.Panel value="creatives">
                <CreativesTab campaign={one} />
              </Tabs.Panel>
              <Tabs.Panel value="settings">
                <SettingsTab campaign={one} etag={asked.etag} />
              </Tabs.Panel>
            </Tabs>
          </>
        )}
      </Answered>
    </Page>
  );
}
