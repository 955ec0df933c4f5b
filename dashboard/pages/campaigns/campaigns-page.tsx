import { Anchor, Badge, Button, Group, Paper, Select, Stack, Text } from '@mantine/core';
import { PlusIcon } from '@primer/octicons-react';
import { Link } from '@tanstack/react-router';
import { useList } from '../../api/pages.ts';
import { Empty } from '../../kit/answered.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { formatCpm } from '../../kit/format.ts';
import { Money } from '../../kit/money.tsx';
import { Page } from '../../kit/page.tsx';
import { SearchBox } from '../../kit/search-box.tsx';
import { SourceName } from '../../kit/source-name.tsx';
import { SourceSelect } from '../../kit/source-select.tsx';
import { Status } from '../../kit/status.tsx';
import { Time } from '../../kit/time.tsx';
import { useView } from '../../kit/use-view.ts';
import { type Campaign, creativesOf } from './campaign.ts';
import { PauseSwitch } from './pause-switch.tsx';

const STATUSES = [
  { value: 'active', label: 'Active' },
  { value: 'paused', label: 'Paused' },
  { value: 'retired', label: 'Retired' },
];

const COLUMNS: readonly Column<Campaign>[] = [
  { id: 'bids', header: 'Bids', cell: (campaign) => <PauseSwitch campaign={campaign} /> },
  {
    id: 'name',
    header: 'Campaign',
    cell: ({ id, campaign_name: name, campaign_id: campaignId }) => (
      <Stack gap={0} maw={{ base: 160, sm: 300 }}>
        <Anchor
          size="sm"
          fw={600}
          truncate
          dir="auto"
          ta="left"
          title={name}
          renderRoot={(props) => <Link to="/campaigns/$id" params={{ id }} {...props} />}
        >
          {name}
        </Anchor>
        <Text size="xs" c="dimmed" truncate title={campaignId}>
          {campaignId}
        </Text>
      </Stack>
    ),
  },
  { id: 'status', header: 'Status', cell: ({ status }) => <Status of={status} /> },
  {
    id: 'source',
    header: 'Demand source',
    wide: true,
    cell: ({ dsp_id: id }) => (
      <Text size="sm" component="div">
        <SourceName of="dsp" id={id} />
      </Text>
    ),
  },
  {
    id: 'bid',
    header: 'Bid (CPM)',
    right: true,
    wide: true,
    cell: ({ bidding }) => (
      <span className="figure">{bidding?.base_cpm === undefined ? 'By rules' : formatCpm(bidding.base_cpm)}</span>
    ),
  },
  {
    id: 'budget',
    header: 'Daily budget',
    right: true,
    wide: true,
    cell: ({ budget }) =>
      budget?.daily_cents ? (
        <Money cents={budget.daily_cents} />
      ) : (
        <Text span size="sm" c="dimmed">
          None
        </Text>
      ),
  },
  {
    id: 'creatives',
    header: 'Creatives',
    wide: true,
    cell: ({ creative_warnings: warnings, ...campaign }) => (
      <Group gap={6} wrap="nowrap">
        <span className="figure">{creativesOf(campaign).length}</span>
        {warnings.length > 0 && (
          <Badge color="yellow" miw="max-content">
            {warnings.length === 1 ? '1 warning' : `${warnings.length} warnings`}
          </Badge>
        )}
      </Group>
    ),
  },
  { id: 'updated', header: 'Changed', wide: true, cell: ({ updated_at: at }) => <Time at={at} ago /> },
];

/** All campaigns of delegates: searched and filtered by the API. */
export function CampaignsPage() {
  const [view, setView] = useView({ q: '', dsp: '', status: '' });
  const query = {
    ...(view.q !== '' && { q: view.q }),
    ...(view.dsp !== '' && { dsp_id: view.dsp }),
    ...(view.status !== '' && { status: view.status }),
  };
  const list = useList('/api/campaigns', query, { rows: (body) => body.campaigns });
  const add = (
    <Button
      leftSection={<PlusIcon size={14} />}
      renderRoot={(props) => (
        <Link to="/campaigns/new" search={view.dsp === '' ? {} : ({ dsp: view.dsp } as never)} {...props} />
      )}
    >
      New campaign
    </Button>
  );
  return (
    <Page
      title="Campaigns"
      description="What delegates bid with, here in the exchange: whom for, for how much, with which creatives."
      actions={add}
      calls={[{ path: `/api/campaigns?${new URLSearchParams(query)}` }]}
    >
      <Group gap="xs" align="flex-end">
        <SearchBox label="Search by name" value={view.q} onSearch={(q) => setView({ q })} />
        <SourceSelect
          of="dsp"
          ariaLabel="Demand source"
          placeholder="Demand source"
          size="xs"
          clearable
          value={view.dsp}
          onChange={(dsp) => setView({ dsp })}
        />
        <Select
          aria-label="Status"
          placeholder="Status"
          size="xs"
          w={140}
          clearable
          data={STATUSES}
          value={view.status === '' ? null : view.status}
          onChange={(status) => setView({ status: status ?? '' })}
        />
      </Group>
      <Paper p={0}>
        <DataTable
          caption="Campaigns"
          list={list}
          columns={COLUMNS}
          rowId={({ id }) => id}
          empty={
            Object.keys(query).length > 0 ? (
              <Empty
                title="No campaign is like that"
                action={
                  <Button variant="default" onClick={() => setView({ q: '', dsp: '', status: '' })}>
                    Clear the filters
                  </Button>
                }
              />
            ) : (
              <Empty title="There is no campaign yet" action={add}>
                A delegate is a demand source that bids here by itself. Each of its campaigns says what it bids for, how
                much, and with which creatives; a strategy brings campaigns too.
              </Empty>
            )
          }
        />
      </Paper>
    </Page>
  );
}
