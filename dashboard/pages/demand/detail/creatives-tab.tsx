import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { type AnswerBody, useAnswer } from '../../../api/queries.ts';
import { Empty } from '../../../kit/answered.tsx';
import { type Column, DataTable } from '../../../kit/data-table.tsx';
import { Section } from '../../../kit/figure.tsx';
import { formatCount, formatRatio } from '../../../kit/format.ts';
import { Money } from '../../../kit/money.tsx';
import { PeriodPicker } from '../../../kit/period-picker.tsx';
import { useView } from '../../../kit/use-view.ts';
import type { TabProps } from './tab-props.ts';
import { usePeriod } from './use-period.ts';

type ByCreative = Extract<AnswerBody<'get', '/api/demand/sources/{id}/stats'>, { readonly creatives: unknown }>;
type Row = ByCreative['creatives'][number];

const columnsOf = (dsp: string): readonly Column<Row>[] => [
  {
    id: 'creative',
    header: 'Creative',
    sort: 'creative_id',
    cell: ({ creative_id: id }) =>
      id === '' ? (
        <Text size="sm">Without an id</Text>
      ) : (
        <Anchor
          size="sm"
          truncate
          display="block"
          maw={320}
          title={id}
          dir="auto"
          renderRoot={(props) => <Link to="/creatives/find" search={{ dsp, crid: id }} {...props} />}
        >
          {id}
        </Anchor>
      ),
  },
  { id: 'bids', header: 'Bids', sort: 'bids', right: true, cell: ({ bids }) => formatCount(bids) },
  { id: 'wins', header: 'Wins', sort: 'wins', right: true, cell: ({ wins }) => formatCount(wins) },
  {
    id: 'rate',
    header: 'Win rate',
    sort: 'win_rate',
    right: true,
    cell: ({ win_rate: rate }) => formatRatio(rate),
  },
  {
    id: 'impressions',
    header: 'Impressions',
    sort: 'impressions',
    right: true,
    cell: ({ impressions }) => formatCount(impressions),
  },
  {
    id: 'ecpm',
    header: 'eCPM',
    sort: 'ecpm_cents',
    right: true,
    cell: ({ impressions, ecpm_cents: cents }) => (impressions === 0 ? '—' : <Money cents={cents} />),
  },
];

/** What each creative of the source bid, won and earned. The API answers all of them at once; they are sorted here. */
export default function CreativesTab({ source }: TabProps) {
  const { query, picked } = usePeriod();
  const [{ order }, setView] = useView({ order: '-impressions' });
  const stats = useAnswer(
    '/api/demand/sources/{id}/stats',
    { params: { path: { id: source.id }, query: { ...query, breakdown: 'creative' } } },
    { keep: true },
  );
  const columns = useMemo(() => columnsOf(source.id), [source.id]);
  const rows = sorted((stats.body as ByCreative | undefined)?.creatives ?? [], order);
  const list = {
    ...stats,
    rows,
    total: rows.length,
    hasNextPage: false,
    isFetchingNextPage: false,
    fetchNextPage: () => undefined,
  };
  return (
    <Stack gap="lg">
      <PeriodPicker {...picked} />
      <Section title="By creative">
        <DataTable
          caption="Figures by creative"
          list={list}
          columns={columns}
          rowId={({ creative_id: id }) => id}
          sort={order}
          onSort={(chosen) => setView({ order: chosen })}
          empty={
            <Empty title="No bids in this period">
              A creative is here once it was bid with. Choose a longer period, or look at why there was no bid.
            </Empty>
          }
        />
      </Section>
    </Stack>
  );
}

function sorted(rows: readonly Row[], order: string): Row[] {
  const sign = order.startsWith('-') ? -1 : 1;
  const by = order.replace('-', '') as keyof Row;
  return [...rows].sort((a, b) => {
    const [left, right] = [a[by], b[by]];
    if (left === right) return a.creative_id < b.creative_id ? -1 : 1;
    return (left ?? 0) < (right ?? 0) ? -sign : sign;
  });
}
