import { Anchor, Group, Stack, Text, Tooltip } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { type Column, DataTable } from '../../../../kit/data-table.tsx';
import { formatCount, formatCpm, formatRatio, words } from '../../../../kit/format.ts';
import { Money } from '../../../../kit/money.tsx';
import { SearchBox } from '../../../../kit/search-box.tsx';
import type { Backtest, Counted } from './backtest.ts';

type Row = Backtest['campaigns'][number];

interface CampaignTableProps {
  readonly campaigns: Backtest['campaigns'];
  readonly counted: Counted;
}

const FIGURES = {
  matched: 'matched',
  bids: 'bids',
  won: 'won',
  spend: 'spend_cents',
} as const;

/** All campaigns, those too that would have bid on nothing. */
export function CampaignTable({ campaigns, counted }: CampaignTableProps) {
  const [sort, setSort] = useState('-spend');
  const [search, setSearch] = useState('');
  const rows = useMemo(() => {
    const down = sort.startsWith('-');
    const name = sort.replace('-', '');
    const wanted = search.trim().toLowerCase();
    const found = campaigns.filter(({ campaign_id: id }) => id.toLowerCase().includes(wanted));
    const order = (a: Row, b: Row) => {
      if (name === 'campaign') return a.campaign_id.localeCompare(b.campaign_id);
      const figure = FIGURES[name as keyof typeof FIGURES];
      return a[counted][figure] - b[counted][figure];
    };
    return found.sort((a, b) => (down ? -order(a, b) : order(a, b)));
  }, [campaigns, counted, sort, search]);

  const columns: Column<Row>[] = [
    {
      id: 'campaign',
      header: 'Campaign',
      sort: 'campaign',
      cell: ({ campaign_id: id }) => (
        <Text size="sm" truncate maw={{ base: 150, sm: 240 }} title={id}>
          {id}
        </Text>
      ),
    },
    {
      id: 'matched',
      header: 'Matched',
      sort: 'matched',
      right: true,
      wide: true,
      cell: (row) => formatCount(row[counted].matched),
    },
    { id: 'bids', header: 'Bids', sort: 'bids', right: true, cell: (row) => formatCount(row[counted].bids) },
    {
      id: 'won',
      header: 'Wins',
      sort: 'won',
      right: true,
      cell: (row) => (
        <span className="figure">
          {formatCount(row[counted].won)}
          {row[counted].bids > 0 && (
            <Text span size="xs" c="dimmed">
              {' '}
              {formatRatio(row[counted].win_rate)}
            </Text>
          )}
        </span>
      ),
    },
    {
      id: 'spend',
      header: 'Spend',
      sort: 'spend',
      right: true,
      cell: (row) => <Money cents={row[counted].spend_cents} />,
    },
    { id: 'cpm', header: 'Avg. CPM', right: true, wide: true, cell: (row) => formatCpm(row[counted].avg_cpm) },
    { id: 'lost', header: 'Lost', wide: true, cell: (row) => <Lost of={row} counted={counted} /> },
    { id: 'examples', header: 'Auctions', wide: true, cell: (row) => <Examples of={row} /> },
  ];

  return (
    <Stack gap="sm">
      {campaigns.length > 10 && <SearchBox label="Filter campaigns" value={search} onSearch={setSearch} />}
      <DataTable
        caption="Campaigns of the backtest"
        list={{
          rows,
          total: campaigns.length,
          error: null,
          isPending: false,
          isFetching: false,
          hasNextPage: false,
          isFetchingNextPage: false,
          fetchNextPage: () => {},
          refetch: () => {},
        }}
        columns={columns}
        rowId={({ campaign_id }) => campaign_id}
        sort={sort}
        onSort={setSort}
        empty={
          <Text size="sm" c="dimmed">
            {campaigns.length === 0 ? 'The strategy has no campaigns.' : 'No campaign has this name.'}
          </Text>
        }
      />
    </Stack>
  );
}

function Lost({ of, counted }: { readonly of: Row; readonly counted: Counted }) {
  const { outbid, tied, refused, kept_back_by_budget: budget, without_creative: creative } = of[counted];
  const reasons = Object.entries(of.refusals).map(([reason, count]) => `${words(reason)}: ${formatCount(count)}`);
  const parts = [
    [outbid, 'outbid'],
    [tied, 'tied'],
    [refused, 'refused'],
    [budget, 'kept back by budget'],
    [creative, 'without a creative'],
  ] as const;
  const said = parts.filter(([count]) => count > 0).map(([count, what]) => `${formatCount(count)} ${what}`);
  if (said.length === 0) {
    return (
      <Text size="xs" c="dimmed">
        —
      </Text>
    );
  }
  return (
    <Tooltip label={reasons.join(', ')} disabled={reasons.length === 0}>
      <Text size="xs" tabIndex={reasons.length === 0 ? undefined : 0}>
        {said.join(', ')}
      </Text>
    </Tooltip>
  );
}

function Examples({ of: { examples } }: { readonly of: Row }) {
  const [won, lost] = [examples.won[0], [...examples.outbid, ...examples.tied, ...examples.refused][0]];
  return (
    <Group gap="xs" wrap="nowrap">
      {won !== undefined && <Example id={won} label="Won" />}
      {lost !== undefined && <Example id={lost} label="Lost" />}
    </Group>
  );
}

function Example({ id, label }: { readonly id: string; readonly label: string }) {
  return (
    <Anchor
      size="xs"
      aria-label={`An auction that it would have ${label.toLowerCase()}`}
      renderRoot={(props) => <Link to="/auctions/$id" params={{ id }} {...props} />}
    >
      {label}
    </Anchor>
  );
}
