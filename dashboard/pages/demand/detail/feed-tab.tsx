import { Anchor, Button, SegmentedControl, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { components } from '../../../api/generated.d.ts';
import { useList } from '../../../api/pages.ts';
import { Empty } from '../../../kit/answered.tsx';
import { Id } from '../../../kit/copy.tsx';
import { type Column, DataTable } from '../../../kit/data-table.tsx';
import { Section } from '../../../kit/figure.tsx';
import { formatCpm } from '../../../kit/format.ts';
import { Status } from '../../../kit/status.tsx';
import { Time } from '../../../kit/time.tsx';
import { useView } from '../../../kit/use-view.ts';
import type { TabProps } from './tab-props.ts';

type FeedEvent = components['schemas']['FeedEvent'];

const MICROS = 1_000_000;

const COLUMNS: readonly Column<FeedEvent>[] = [
  { id: 'at', header: 'When', cell: ({ at }) => <Time at={at} /> },
  {
    id: 'type',
    header: 'Event',
    cell: ({ type }) =>
      type === 'win' ? <Status of="in_progress" label="Win" /> : <Status of="billed" label="Impression" />,
  },
  {
    id: 'price',
    header: 'Price, CPM',
    right: true,
    cell: ({ price_cpm_micros: micros }) => formatCpm(micros / MICROS),
  },
  {
    id: 'creative',
    header: 'Creative',
    cell: ({ creative_id: creative }) => (
      <Text size="sm" truncate maw={200} title={creative ?? undefined} dir="auto">
        {creative ?? '—'}
      </Text>
    ),
  },
  {
    id: 'campaign',
    header: 'Campaign',
    wide: true,
    cell: ({ campaign_id: campaign }) => (
      <Text size="sm" truncate maw={200} title={campaign ?? undefined} dir="auto">
        {campaign ?? '—'}
      </Text>
    ),
  },
  { id: 'region', header: 'Region', wide: true, cell: ({ region }) => region.toUpperCase() },
  {
    id: 'tracking',
    header: 'Tracking id',
    cell: ({ tracking_id: id }) => <Id value={id} what="the tracking id" short />,
  },
];

/** Each win and each billed impression, one by one, as the DSP reads them by its key. */
export default function FeedTab({ source }: TabProps) {
  const [{ event }, setView] = useView({ event: '' });
  const list = useList('/api/dsp/{id}/feed', event === '' ? {} : { type: event }, {
    path: { id: source.id },
    rows: (body) => body.events,
    cursor: true,
  });
  return (
    <Section
      title="Feed"
      description="The wins and billed impressions of the last seven days, the oldest first, in the order of the exchange's log."
      actions={
        <>
          <SegmentedControl
            size="xs"
            aria-label="Which events"
            data={[
              { value: '', label: 'All' },
              { value: 'win', label: 'Wins' },
              { value: 'impression', label: 'Impressions' },
            ]}
            value={event}
            onChange={(value) => setView({ event: value })}
          />
          <Button size="xs" variant="default" loading={list.isRefetching} onClick={() => void list.refetch()}>
            Refresh
          </Button>
        </>
      }
    >
      {!source.event_feed && (
        <Text size="sm" c="dimmed">
          Nothing is added to it now: its event feed is off (Settings).
        </Text>
      )}
      <DataTable
        caption="Events"
        list={list}
        columns={COLUMNS}
        rowId={({ id }) => id}
        empty={
          <Empty
            title="Nothing in the last seven days"
            action={
              <Anchor
                size="sm"
                renderRoot={(props) => (
                  <Link to="/demand/$id" params={{ id: source.id }} search={{ tab: 'outcomes' }} {...props} />
                )}
              >
                Why it won nothing
              </Anchor>
            }
          >
            A win is here seconds after its auction, an impression seconds after it was billed.
          </Empty>
        }
      />
    </Section>
  );
}
