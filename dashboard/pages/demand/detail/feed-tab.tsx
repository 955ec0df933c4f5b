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
const KINDS = {
  win: { status: 'in_progress', label: 'Win' },
  impression: { status: 'billed', label: 'Impression' },
  creative: { status: 'waiting', label: 'Creative' },
} as const;

function Short({ text }: { readonly text: string | null }) {
  return (
    <Text size="sm" truncate maw={200} title={text ?? undefined} dir="auto">
      {text ?? '—'}
    </Text>
  );
}

/** What was sold; or the creative whose state has changed. */
function CreativeCell({ of: event }: { readonly of: FeedEvent }) {
  if (event.type !== 'creative') return <Short text={event.creative_id} />;
  const { id, creative_id: crid } = event.creative;
  return (
    <Anchor
      size="sm"
      truncate
      display="block"
      maw={200}
      dir="auto"
      renderRoot={(props) => <Link to="/creatives/$id" params={{ id }} {...props} />}
    >
      {crid ?? id}
    </Anchor>
  );
}

const COLUMNS: readonly Column<FeedEvent>[] = [
  { id: 'at', header: 'When', cell: ({ at }) => <Time at={at} /> },
  { id: 'type', header: 'Event', cell: ({ type }) => <Status of={KINDS[type].status} label={KINDS[type].label} /> },
  {
    id: 'price',
    header: 'Price, CPM',
    right: true,
    cell: (event) => (event.type === 'creative' ? '—' : formatCpm(event.price_cpm_micros / MICROS)),
  },
  { id: 'creative', header: 'Creative', cell: (event) => <CreativeCell of={event} /> },
  {
    id: 'campaign',
    header: 'Campaign',
    wide: true,
    cell: (event) => <Short text={event.type === 'creative' ? null : event.campaign_id} />,
  },
  {
    id: 'region',
    header: 'Region',
    wide: true,
    cell: (event) => (event.type === 'creative' ? '—' : event.region.toUpperCase()),
  },
  {
    id: 'tracking',
    header: 'Tracking id',
    cell: (event) => (event.type === 'creative' ? '—' : <Id value={event.tracking_id} what="the tracking id" short />),
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
              { value: 'creative', label: 'Creatives' },
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
