import { Anchor, Button, Group, Paper, Select, Stack, Text } from '@mantine/core';
import { PlusIcon } from '@primer/octicons-react';
import { Link } from '@tanstack/react-router';
import type { components } from '../../api/generated.d.ts';
import { useList } from '../../api/pages.ts';
import { useDataContext } from '../../app/data-context.ts';
import { Empty } from '../../kit/answered.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { Money } from '../../kit/money.tsx';
import { Page } from '../../kit/page.tsx';
import { SearchBox } from '../../kit/search-box.tsx';
import { Status } from '../../kit/status.tsx';
import { useView } from '../../kit/use-view.ts';
import { BreakerCell, LastBidCell, QpsCell, TimeoutsCell } from './list/health-cells.tsx';
import { RowMenu } from './list/row-menu.tsx';
import { MODE_WORDS } from './mode-words.ts';

type DemandSource = components['schemas']['DemandSource'];

const COLUMNS: readonly Column<DemandSource>[] = [
  {
    id: 'name',
    header: 'Name',
    sort: 'name',
    cell: ({ id, name, mode, endpoint_url: endpoint }) => (
      <Stack gap={0} maw={{ base: 170, sm: 300 }} miw={150}>
        <Anchor
          size="sm"
          fw={600}
          truncate
          dir="auto"
          ta="left"
          title={name}
          renderRoot={(props) => <Link to="/demand/$id" params={{ id }} {...props} />}
        >
          {name}
        </Anchor>
        <Text size="xs" c="dimmed" truncate title={endpoint ?? undefined}>
          {mode === 'rtb' ? `OpenRTB · ${endpoint}` : MODE_WORDS.delegate.short}
        </Text>
      </Stack>
    ),
  },
  { id: 'status', header: 'Status', cell: ({ status }) => <Status of={status} /> },
  { id: 'breaker', header: 'Breaker', cell: (source) => <BreakerCell source={source} /> },
  {
    id: 'timeouts',
    header: 'Time-outs',
    right: true,
    wide: true,
    cell: (source) => <TimeoutsCell source={source} />,
  },
  { id: 'qps', header: 'Calls a second', right: true, wide: true, cell: (source) => <QpsCell source={source} /> },
  {
    id: 'budget',
    header: 'Daily budget',
    right: true,
    wide: true,
    cell: ({ daily_budget_cents: cents }) =>
      cents === 0 ? (
        <Text span size="sm" c="dimmed">
          Unlimited
        </Text>
      ) : (
        <Money cents={cents} />
      ),
  },
  { id: 'last', header: 'Last bid', cell: (source) => <LastBidCell source={source} /> },
  { id: 'actions', header: '', right: true, cell: (source) => <RowMenu source={source} /> },
];

/** Who buys: the list of demand sources, each with how well it answers. */
export function DemandPage() {
  const { sandbox } = useDataContext();
  const [view, setView] = useView({ q: '', mode: '', status: 'used', sort: 'name' });
  const { q, mode, sort } = view;
  const status = view.status === 'used' ? (sandbox ? 'sandbox' : 'active') : view.status === 'all' ? '' : view.status;
  const query = { ...(q !== '' && { q }), ...(mode !== '' && { mode }), ...(status !== '' && { status }), sort };
  const list = useList('/api/demand/sources', query, { rows: (body) => body.dsps });
  const filtered = q !== '' || mode !== '' || view.status !== 'used';
  const create = (
    <Button leftSection={<PlusIcon size={16} />} renderRoot={(props) => <Link to="/demand/new" {...props} />}>
      Create demand source
    </Button>
  );
  return (
    <Page
      title="Demand"
      description="The DSPs that buy: bidders that are called over OpenRTB, and delegates, whose campaigns the exchange evaluates itself."
      actions={create}
      calls={[{ path: `/api/demand/sources?${new URLSearchParams(query)}` }]}
    >
      <Paper>
        <Stack gap="md">
          <Group gap="xs">
            <SearchBox label="Search by name" value={q} onSearch={(text) => setView({ q: text })} />
            <Select
              aria-label="Type"
              size="xs"
              w={150}
              allowDeselect={false}
              data={[
                { value: '', label: 'All types' },
                { value: 'rtb', label: MODE_WORDS.rtb.short },
                { value: 'delegate', label: MODE_WORDS.delegate.short },
              ]}
              value={mode}
              onChange={(value) => setView({ mode: value ?? '' })}
            />
            <Select
              aria-label="Status"
              size="xs"
              w={130}
              allowDeselect={false}
              data={[
                { value: 'used', label: 'In use' },
                { value: 'archived', label: 'Archived' },
                { value: 'all', label: 'All' },
              ]}
              value={view.status}
              onChange={(value) => setView({ status: value ?? 'used' })}
            />
          </Group>
          <DataTable
            caption="Demand sources"
            list={list}
            columns={COLUMNS}
            rowId={({ id }) => id}
            sort={sort}
            onSort={(order) => setView({ sort: order })}
            empty={
              filtered ? (
                <Empty
                  title="No demand source is like this"
                  action={
                    <Button variant="default" onClick={() => setView({ q: '', mode: '', status: 'used' })}>
                      Clear the filters
                    </Button>
                  }
                >
                  Search for another part of its name, or look at all types.
                </Empty>
              ) : (
                <Empty title="No demand source yet" action={create}>
                  Nothing is sold before somebody bids. Connect a bidder over OpenRTB, or let the exchange evaluate
                  campaigns for a delegate.
                </Empty>
              )
            }
          />
        </Stack>
      </Paper>
    </Page>
  );
}
