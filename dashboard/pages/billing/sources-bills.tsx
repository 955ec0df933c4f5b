import { Anchor, Button, Paper, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useList } from '../../api/pages.ts';
import { Empty } from '../../kit/answered.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { SearchBox } from '../../kit/search-box.tsx';
import { BillCell, type Cell, type Kind } from './bill-cells.tsx';

interface Source {
  readonly id: string;
  readonly name: string;
}

interface SourcesBillsProps {
  readonly kind: Kind;
  readonly month: string;
  readonly q: string;
  readonly onSearch: (q: string) => void;
}

/** Each source with its bill of the month. */
export function SourcesBills({ kind, month, q, onSearch }: SourcesBillsProps) {
  const query = { sort: 'name', ...(q !== '' && { q }) };
  const publishers = useList('/api/supply/sources', query, {
    rows: (body) => body.publishers as readonly Source[],
    enabled: kind === 'publisher',
  });
  const dsps = useList('/api/demand/sources', query, {
    rows: (body) => body.dsps as readonly Source[],
    enabled: kind === 'dsp',
  });
  const cell = (id: Cell, header: string, right = true, wide = false): Column<Source> => ({
    id,
    header,
    right,
    wide,
    cell: (source) => <BillCell kind={kind} id={source.id} month={month} cell={id} />,
  });
  const columns: Column<Source>[] = [
    {
      id: 'name',
      header: kind === 'publisher' ? 'Publisher' : 'Demand source',
      cell: ({ id, name }) => (
        <Anchor
          size="sm"
          truncate
          display="block"
          maw={320}
          title={name}
          renderRoot={(props) => <Link to="/billing/$type/$id/$month" params={{ type: kind, id, month }} {...props} />}
        >
          {name}
        </Anchor>
      ),
    },
    cell('status', 'Status', false),
    cell('impressions', 'Impressions', true, true),
    cell('gross', kind === 'publisher' ? 'Gross' : 'Spend', true, true),
    cell('fee', 'Fee', true, true),
    cell('due', kind === 'publisher' ? 'Payout' : 'Due'),
  ];
  return (
    <Stack gap="sm">
      <SearchBox key={kind} label="Search by name" value={q} onSearch={onSearch} />
      <Paper p={0}>
        <DataTable
          caption={kind === 'publisher' ? 'Bills of publishers' : 'Bills of demand sources'}
          list={kind === 'publisher' ? publishers : dsps}
          columns={columns}
          rowId={({ id }) => id}
          empty={
            q === '' ? (
              <Empty
                title={kind === 'publisher' ? 'No publisher yet' : 'No demand source yet'}
                action={
                  <Button
                    renderRoot={(props) => (
                      <Link to={kind === 'publisher' ? '/supply/new' : '/demand/new'} {...props} />
                    )}
                  >
                    {kind === 'publisher' ? 'Create publisher' : 'Create demand source'}
                  </Button>
                }
              >
                {kind === 'publisher' ? 'A publisher is paid' : 'A demand source is billed'} from its first impression
                on.
              </Empty>
            ) : (
              <Empty title="Nobody is called like that">Clear the search to see everybody.</Empty>
            )
          }
        />
      </Paper>
    </Stack>
  );
}
