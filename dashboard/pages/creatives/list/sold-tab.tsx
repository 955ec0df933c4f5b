import { Anchor, Badge, Button, Card, Group, Paper, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useList } from '../../../api/pages.ts';
import { Empty, Failed, Placeholder } from '../../../kit/answered.tsx';
import { type Column, DataTable } from '../../../kit/data-table.tsx';
import { formatCount } from '../../../kit/format.ts';
import { Time } from '../../../kit/time.tsx';
import { useView } from '../../../kit/use-view.ts';
import { ALL, formatsOf, type Listed, queryOf, titleOf } from '../creative.ts';
import { CreativePreview } from '../creative-preview.tsx';
import { FINDING_WORDS } from '../creative-words.ts';
import { DecisionMark, HostingMark, ScanMark } from '../marks.tsx';
import { NoneFound } from '../none-found.tsx';
import { PATHS, type Reader, useReader } from '../reader.ts';
import { SoldFilters } from './sold-filters.tsx';

const PREVIEW_PX = 180;
const THUMBNAIL_PX = 48;
const NEWEST = '-last_seen_at';

/** Every creative that was sold or tried to be, as a table or as it looks. */
export default function SoldTab() {
  const reader = useReader();
  const [view, setView] = useView({ ...ALL, as: 'table', sort: NEWEST });
  const filters = queryOf(view);
  const query = { ...filters, ...(view.sort !== NEWEST && { sort: view.sort }) };
  const list = useList(PATHS[reader].list, query, { rows: (body) => body.creatives });
  const clear = () => setView(ALL);
  const empty = Object.keys(filters).length > 0 ? <NoneFound onClear={clear} /> : <None reader={reader} />;
  return (
    <Stack gap="md">
      <Group justify="space-between" gap="xs" align="flex-start">
        <SoldFilters view={view} onView={setView} />
        <SegmentedControl
          size="xs"
          aria-label="Shown as"
          data={[
            { value: 'table', label: 'Table' },
            { value: 'cards', label: 'Cards' },
          ]}
          value={view.as === 'cards' ? 'cards' : 'table'}
          onChange={(as) => setView({ as })}
        />
      </Group>
      {view.as === 'cards' ? (
        <Cards list={list} empty={empty} />
      ) : (
        <Paper p={0}>
          <DataTable
            caption="Creatives"
            list={list}
            columns={reader === 'dsp' ? COLUMNS.filter(({ id }) => id !== 'dsp') : COLUMNS}
            rowId={({ id }) => id}
            sort={view.sort}
            onSort={(sort) => setView({ sort })}
            empty={empty}
          />
        </Paper>
      )}
    </Stack>
  );
}

function CreativeLink({ of: creative }: { readonly of: Listed }) {
  return (
    <Anchor
      size="sm"
      fw={600}
      truncate
      display="block"
      maw={180}
      dir="auto"
      ta="left"
      title={titleOf(creative)}
      renderRoot={(props) => <Link to="/creatives/$id" params={{ id: creative.id }} {...props} />}
    >
      {titleOf(creative)}
    </Anchor>
  );
}

const COLUMNS: readonly Column<Listed>[] = [
  {
    id: 'looks',
    header: 'Looks',
    wide: true,
    cell: (creative) => (
      <div style={{ width: 72 }}>
        <CreativePreview of={creative} height={THUMBNAIL_PX} inert />
      </div>
    ),
  },
  {
    id: 'creative',
    header: 'Creative',
    cell: (creative) => (
      <Stack gap={0} maw={180}>
        <CreativeLink of={creative} />
        <Text size="xs" c="dimmed" truncate dir="auto" ta="left" title={creative.advertiser_domains.join(', ')}>
          {creative.advertiser_domains.join(', ') || 'No advertiser named'}
        </Text>
      </Stack>
    ),
  },
  {
    id: 'dsp',
    header: 'Demand source',
    wide: true,
    cell: ({ dsp_name: name }) => (
      <Text size="sm" truncate maw={130} title={name} dir="auto" ta="left">
        {name}
      </Text>
    ),
  },
  { id: 'format', header: 'Format', wide: true, cell: (creative) => formatsOf(creative) },
  { id: 'scan', header: 'Scan', cell: ({ scan_status: status }) => <ScanMark of={status} /> },
  { id: 'hosting', header: 'Served', wide: true, cell: ({ hosting_status: status }) => <HostingMark of={status} /> },
  { id: 'decision', header: 'Decision', cell: (creative) => <DecisionMark of={creative} /> },
  { id: 'wins', header: 'Wins', sort: 'wins', right: true, cell: ({ wins }) => formatCount(wins) },
  { id: 'refusals', header: 'Refused', right: true, wide: true, cell: ({ refusals }) => formatCount(refusals) },
  {
    id: 'seen',
    header: 'Last seen',
    sort: 'last_seen_at',
    wide: true,
    cell: ({ last_seen_at: at }) => <Time at={at} ago />,
  },
];

interface CardsProps {
  readonly list: ReturnType<typeof useList<'/api/creatives', Listed>>;
  readonly empty: React.ReactNode;
}

function Cards({ list, empty }: CardsProps) {
  if (list.isPending) return <Placeholder lines={8} />;
  return (
    <Stack gap="md">
      {list.error !== null && (
        <Failed error={list.error} again={list.refetch} busy={list.isFetching} stale={list.rows.length > 0} />
      )}
      {list.error === null && list.rows.length === 0 && <Paper>{empty}</Paper>}
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3, xl: 4 }} spacing="md">
        {list.rows.map((creative) => (
          <Card key={creative.id} withBorder padding="sm" component="article" aria-label={titleOf(creative)}>
            <Stack gap="xs">
              <CreativePreview of={creative} height={PREVIEW_PX} inert />
              <Group justify="space-between" wrap="nowrap" gap="xs">
                <CreativeLink of={creative} />
                <Badge color="gray" miw="max-content">
                  {formatsOf(creative)}
                </Badge>
              </Group>
              <Text size="xs" c="dimmed" truncate dir="auto" ta="left">
                {[creative.dsp_name, ...creative.advertiser_domains].join(' · ')}
              </Text>
              <Group gap={4}>
                <ScanMark of={creative.scan_status} />
                <DecisionMark of={creative} />
              </Group>
              {creative.findings.length > 0 && (
                <Text size="xs">{creative.findings.map((code) => FINDING_WORDS[code].title).join('. ')}.</Text>
              )}
            </Stack>
          </Card>
        ))}
      </SimpleGrid>
      {list.hasNextPage && (
        <Group justify="center">
          <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show more
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function None({ reader }: { readonly reader: Reader }) {
  return (
    <Empty
      title="No creative was seen yet"
      action={
        reader === 'account' ? (
          <Button renderRoot={(props) => <Link to="/demand" {...props} />}>Go to demand</Button>
        ) : undefined
      }
    >
      A creative is here within seconds of the first auction that it was bid in. Those of campaigns that were not bid
      with yet are with their campaigns.
    </Empty>
  );
}
