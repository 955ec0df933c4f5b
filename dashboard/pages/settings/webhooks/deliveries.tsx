import { Button, Drawer, Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { components } from '../../../api/generated.d.ts';
import { useList } from '../../../api/pages.ts';
import { useChange } from '../../../api/queries.ts';
import { Empty } from '../../../kit/answered.tsx';
import { Snippet } from '../../../kit/copy.tsx';
import { type Column, DataTable } from '../../../kit/data-table.tsx';
import { formatMs } from '../../../kit/format.ts';
import { Status } from '../../../kit/status.tsx';
import { tellDone, tellFault } from '../../../kit/tell.ts';
import { Time } from '../../../kit/time.tsx';

type Delivery = components['schemas']['WebhookDelivery'];

interface DeliveriesProps {
  readonly webhook: components['schemas']['Webhook'];
  readonly onClose: () => void;
}

/** Short, since the reader has often just sent a test or a replay. */
const EVERY_MS = 2_000;

/** What was sent to a webhook, what it answered, and sending it again. */
export function Deliveries({ webhook, onClose }: DeliveriesProps) {
  const [status, setStatus] = useState('');
  const [shownId, setShownId] = useState<string | null>(null);
  const path = { id: webhook.id };
  const list = useList(`/api/webhooks/{id}/deliveries`, status === '' ? {} : { status }, {
    path,
    rows: (body) => body.deliveries,
    everyMs: EVERY_MS,
  });
  // As it is now: what is looked at may be on its way.
  const shown = list.rows.find(({ id }) => id === shownId);
  const replay = useChange('post', '/api/webhooks/{id}/deliveries/{delivery_id}/replay', {
    touches: ['/api/webhooks'],
  });
  const again = async (delivery: Delivery) => {
    try {
      await replay.mutateAsync({ params: { path: { ...path, delivery_id: delivery.id } } });
      tellDone('It is sent again.');
    } catch (error) {
      tellFault(error);
    }
  };
  const columns: Column<Delivery>[] = [
    { id: 'type', header: 'Event', cell: ({ type }) => <Text size="sm">{type}</Text> },
    {
      id: 'status',
      header: 'Status',
      cell: (delivery) => (
        <Status
          of={delivery.status}
          label={delivery.given_up_for === null ? undefined : `Given up: ${delivery.given_up_for}`}
        />
      ),
    },
    { id: 'at', header: 'When', cell: ({ event_at }) => <Time at={event_at} ago /> },
    { id: 'attempts', header: 'Attempts', right: true, cell: ({ attempt_count }) => attempt_count },
    {
      id: 'actions',
      header: '',
      right: true,
      cell: (delivery) => (
        <Group gap={6} wrap="nowrap" justify="flex-end">
          <Button size="compact-xs" variant="default" onClick={() => setShownId(delivery.id)}>
            Look
          </Button>
          <Button size="compact-xs" variant="default" onClick={() => void again(delivery)}>
            Replay
          </Button>
        </Group>
      ),
    },
  ];
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="xl"
      title={
        <Text truncate maw={420}>
          Deliveries to {webhook.url}
        </Text>
      }
    >
      <Stack gap="md">
        <SegmentedControl
          size="xs"
          aria-label="Which deliveries"
          data={[
            { value: '', label: 'All' },
            { value: 'pending', label: 'Pending' },
            { value: 'delivered', label: 'Delivered' },
            { value: 'dead', label: 'Given up' },
          ]}
          value={status}
          onChange={setStatus}
        />
        <DataTable
          caption="Deliveries"
          list={list}
          columns={columns}
          rowId={({ id }) => id}
          empty={<Empty title="Nothing was sent yet">Press Test to send an event of the type webhook.test.</Empty>}
        />
        {shown !== undefined && (
          <Stack gap="xs">
            <Text fw={600} size="sm">
              {shown.type} {shown.id}
            </Text>
            <Snippet text={JSON.stringify(shown.data, null, 2)} what="the payload" />
            {shown.attempts.map((attempt, index) => (
              <Text size="sm" key={attempt.ended_at}>
                Attempt {index + 1}: {attempt.status_code ?? attempt.error ?? 'no answer'} after{' '}
                {formatMs(attempt.latency_ms)}, <Time at={attempt.ended_at} />
              </Text>
            ))}
          </Stack>
        )}
      </Stack>
    </Drawer>
  );
}
