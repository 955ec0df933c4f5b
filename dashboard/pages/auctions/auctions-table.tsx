import { Anchor, Paper, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { formatMs, words } from '../../kit/format.ts';
import { SourceName } from '../../kit/source-name.tsx';
import { Status } from '../../kit/status.tsx';
import { Time } from '../../kit/time.tsx';
import type { AuctionListed } from './auction.ts';
import classes from './auctions-table.module.css';

interface AuctionsTableProps {
  readonly list: ComponentProps<typeof DataTable<AuctionListed>>['list'];
  readonly empty: ReactNode;
  /** Whether publishers are known by name. */
  readonly named?: boolean;
}

/** Recorded auctions, newest first. */
export function AuctionsTable({ list, empty, named = true }: AuctionsTableProps) {
  const columns: Column<AuctionListed>[] = [
    {
      id: 'at',
      header: 'When',
      cell: ({ id, at }) => (
        <Anchor
          size="sm"
          className={classes.when}
          renderRoot={(props) => <Link to="/auctions/$id" params={{ id }} {...props} />}
        >
          <Time at={at} />
        </Anchor>
      ),
    },
    { id: 'outcome', header: 'Outcome', cell: ({ outcome }) => <Status of={outcome} /> },
    {
      id: 'why',
      header: 'What happened',
      cell: ({ reason, summary }) => (
        <Stack gap={0} maw={460} miw={{ base: 150, sm: 220 }}>
          {reason !== null && (
            <Text size="sm" fw={600}>
              {words(reason)}
            </Text>
          )}
          <Text size="sm" c={reason === null ? undefined : 'dimmed'} lineClamp={2}>
            {summary}
          </Text>
        </Stack>
      ),
    },
    {
      id: 'publisher',
      header: 'Publisher',
      wide: true,
      cell: ({ publisher_id: id }) => (id === null ? '—' : <SourceName of="publisher" id={id} known={named} />),
    },
    {
      id: 'took',
      header: 'Took',
      right: true,
      wide: true,
      cell: ({ took_ms: took }) => <span className="figure">{formatMs(took)}</span>,
    },
    { id: 'region', header: 'Region', wide: true, cell: ({ region }) => region.toUpperCase() },
  ];
  return (
    <Paper p={0}>
      <DataTable caption="Auctions" list={list} columns={columns} rowId={({ id }) => id} empty={empty} />
    </Paper>
  );
}
