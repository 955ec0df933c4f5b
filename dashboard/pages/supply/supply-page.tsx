import { Anchor, Button, Group, Paper, Select, Stack, Text } from '@mantine/core';
import { PlusIcon } from '@primer/octicons-react';
import { Link } from '@tanstack/react-router';
import { useList } from '../../api/pages.ts';
import { Empty } from '../../kit/answered.tsx';
import { Id } from '../../kit/copy.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { formatCpm } from '../../kit/format.ts';
import { Page } from '../../kit/page.tsx';
import { SearchBox } from '../../kit/search-box.tsx';
import { Status } from '../../kit/status.tsx';
import { Time } from '../../kit/time.tsx';
import { usePools } from '../../kit/use-pools.ts';
import { useView } from '../../kit/use-view.ts';
import { type Publisher, TYPE_NAMES, TYPES } from './publisher.ts';

const STATUSES = [
  { value: 'active', label: 'Active' },
  { value: 'sandbox', label: 'Sandbox' },
  { value: 'archived', label: 'Archived' },
];

/** All publishers: searched, filtered and sorted by the API. */
export function SupplyPage() {
  const [view, setView] = useView({ q: '', type: '', status: '', pool: '', sort: '-created_at' });
  const { body: pools } = usePools();
  const query = {
    sort: view.sort,
    ...(view.q !== '' && { q: view.q }),
    ...(view.type !== '' && { type: view.type }),
    ...(view.status !== '' && { status: view.status }),
    ...(view.pool !== '' && { pool_id: view.pool }),
  };
  const list = useList('/api/supply/sources', query, { rows: (body) => body.publishers });
  const poolName = (id: string) => pools?.pools.find((pool) => pool.id === id)?.name ?? id.slice(0, 8);
  const filtered = view.q !== '' || view.type !== '' || view.status !== '' || view.pool !== '';

  const columns: Column<Publisher>[] = [
    {
      id: 'name',
      header: 'Publisher',
      sort: 'name',
      cell: ({ id, name, domain }) => (
        <Stack gap={0} maw={{ base: '54vw', sm: 340 }}>
          <Anchor
            size="sm"
            fw={600}
            truncate
            title={name}
            renderRoot={(props) => <Link to="/supply/$id" params={{ id }} {...props} />}
          >
            {name}
          </Anchor>
          <Text size="xs" c="dimmed" truncate title={domain}>
            {domain}
          </Text>
        </Stack>
      ),
    },
    {
      id: 'type',
      header: 'Type',
      wide: true,
      cell: ({ type }) => (
        <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
          {TYPE_NAMES[type]}
        </Text>
      ),
    },
    { id: 'status', header: 'Status', cell: ({ status }) => <Status of={status} /> },
    {
      id: 'pool',
      header: 'Pool',
      wide: true,
      cell: ({ pool_id: pool }) =>
        pool === null ? (
          <Text size="sm" c="dimmed">
            None
          </Text>
        ) : (
          <Anchor
            size="sm"
            truncate
            maw={220}
            display="block"
            renderRoot={(props) => <Link to="/pools/$id" params={{ id: pool }} {...props} />}
          >
            {poolName(pool)}
          </Anchor>
        ),
    },
    {
      id: 'floor',
      header: 'Floor (CPM)',
      right: true,
      wide: true,
      cell: ({ floor_price_cpm: floor }) => <span className="figure">{formatCpm(floor)}</span>,
    },
    { id: 'id', header: 'Id', wide: true, cell: ({ id }) => <Id value={id} what="the publisher id" short /> },
    {
      id: 'created',
      header: 'Since',
      sort: 'created_at',
      wide: true,
      cell: ({ created_at }) => <Time at={created_at} ago />,
    },
  ];

  const add = (
    <Button leftSection={<PlusIcon size={14} />} renderRoot={(props) => <Link to="/supply/new" {...props} />}>
      New publisher
    </Button>
  );
  return (
    <Page
      title="Supply"
      description="Publishers: the websites, apps and channels that ask for ads."
      actions={add}
      calls={[{ path: `/api/supply/sources?${new URLSearchParams(query)}` }]}
    >
      <Group gap="xs">
        <SearchBox label="Search by name" value={view.q} onSearch={(q) => setView({ q })} />
        <Filter label="Type" data={TYPES} value={view.type} onChange={(type) => setView({ type })} />
        <Filter label="Status" data={STATUSES} value={view.status} onChange={(status) => setView({ status })} />
        <Filter
          label="Pool"
          data={[
            { value: 'none', label: 'In no pool' },
            ...(pools?.pools ?? []).map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value={view.pool}
          onChange={(pool) => setView({ pool })}
        />
      </Group>
      <Paper p={0}>
        <DataTable
          caption="Publishers"
          list={list}
          columns={columns}
          rowId={({ id }) => id}
          sort={view.sort}
          onSort={(sort) => setView({ sort })}
          empty={
            filtered ? (
              <Empty
                title="No publisher is like that"
                action={
                  <Button variant="default" onClick={() => setView({ q: '', type: '', status: '', pool: '' })}>
                    Clear the filters
                  </Button>
                }
              />
            ) : (
              <Empty title="There is no publisher yet" action={add}>
                A publisher is a website, an app or a channel. Once it is in a pool that demand buys from, its ad
                requests are auctioned.
              </Empty>
            )
          }
        />
      </Paper>
    </Page>
  );
}

interface FilterProps {
  readonly label: string;
  readonly data: readonly { readonly value: string; readonly label: string }[];
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function Filter({ label, data, value, onChange }: FilterProps) {
  return (
    <Select
      aria-label={label}
      placeholder={label}
      size="xs"
      w={140}
      clearable
      data={[...data]}
      value={value === '' ? null : value}
      onChange={(next) => onChange(next ?? '')}
    />
  );
}
