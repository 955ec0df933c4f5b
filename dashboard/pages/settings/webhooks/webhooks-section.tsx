import { Badge, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { components } from '../../../api/generated.d.ts';
import { useList } from '../../../api/pages.ts';
import { useChange } from '../../../api/queries.ts';
import { Empty } from '../../../kit/answered.tsx';
import { confirm } from '../../../kit/confirm.tsx';
import { type Column, DataTable } from '../../../kit/data-table.tsx';
import { Section } from '../../../kit/figure.tsx';
import { Status } from '../../../kit/status.tsx';
import { tellDone, tellFault } from '../../../kit/tell.ts';
import { useView } from '../../../kit/use-view.ts';
import { Deliveries } from './deliveries.tsx';
import { NewWebhook } from './new-webhook.tsx';
import { SecretDialog } from './secret-dialog.tsx';

type Webhook = components['schemas']['Webhook'];

/** Where events are sent to: each webhook with what was delivered to it. */
export default function WebhooksSection() {
  const [view, setView] = useView({ webhook: '' });
  const list = useList('/api/webhooks', {}, { rows: (body) => body.webhooks });
  const [making, setMaking] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const remove = useChange('delete', '/api/webhooks/{id}', { touches: ['/api/webhooks'] });
  const rotate = useChange('post', '/api/webhooks/{id}/rotate', { touches: ['/api/webhooks'] });
  const enable = useChange('patch', '/api/webhooks/{id}', { touches: ['/api/webhooks'] });
  const test = useChange('post', '/api/webhooks/{id}/test', { touches: ['/api/webhooks'] });
  const path = (id: string) => ({ params: { path: { id } } });

  const run = async (work: () => Promise<unknown>, done: string) => {
    try {
      await work();
      tellDone(done);
    } catch (error) {
      tellFault(error);
    }
  };

  const columns: Column<Webhook>[] = [
    {
      id: 'url',
      header: 'URL',
      cell: ({ id, url }) => (
        <Button
          size="compact-sm"
          variant="transparent"
          px={0}
          maw={{ base: 180, sm: 360 }}
          title={url}
          aria-label={`Deliveries to ${url}`}
          onClick={() => setView({ webhook: id })}
        >
          <Text size="sm" truncate>
            {url}
          </Text>
        </Button>
      ),
    },
    {
      id: 'status',
      header: 'Status',
      cell: ({ status, disabled_reason }) => (
        <span title={disabled_reason ?? undefined}>
          <Status of={status} />
        </span>
      ),
    },
    {
      id: 'events',
      header: 'Events',
      wide: true,
      cell: ({ events }) => (
        <Group gap={4}>
          {events.map((event) => (
            <Badge key={event} color="gray">
              {event}
            </Badge>
          ))}
        </Group>
      ),
    },
    {
      id: 'actions',
      header: '',
      right: true,
      cell: ({ id, url, status }) => (
        <Group gap={6} wrap="nowrap" justify="flex-end">
          {status === 'disabled' && (
            <Button
              size="compact-xs"
              variant="default"
              onClick={() =>
                void run(
                  () => enable.mutateAsync({ ...path(id), body: { status: 'active' } }),
                  'The webhook is active again.',
                )
              }
            >
              Enable
            </Button>
          )}
          <Button
            size="compact-xs"
            variant="default"
            onClick={() =>
              void run(async () => {
                await test.mutateAsync(path(id));
                setView({ webhook: id });
              }, 'A test event is on its way.')
            }
          >
            Test
          </Button>
          <Button
            size="compact-xs"
            variant="default"
            onClick={() =>
              confirm({
                title: 'Rotate the secret?',
                what: `Events to ${url} are signed with a new secret from now on, beside the old one for a while.`,
                label: 'Rotate',
                run: async () => {
                  try {
                    setSecret((await rotate.mutateAsync(path(id))).body.secret);
                  } catch (error) {
                    tellFault(error);
                  }
                },
              })
            }
          >
            Rotate
          </Button>
          <Button
            size="compact-xs"
            variant="light"
            color="red"
            onClick={() =>
              confirm({
                title: 'Remove the webhook?',
                what: `Events are not sent to ${url} any more, and its deliveries cannot be looked at.`,
                label: 'Remove',
                danger: true,
                run: () => run(() => remove.mutateAsync(path(id)), 'The webhook is removed.'),
              })
            }
          >
            Remove
          </Button>
        </Group>
      ),
    },
  ];
  const add = <Button onClick={() => setMaking(true)}>Add a webhook</Button>;
  const looked = list.rows.find(({ id }) => id === view.webhook);
  return (
    <>
      <Section
        title="Webhooks"
        description="Events that are sent to you, signed as the Standard Webhooks specification says."
        actions={add}
      >
        <DataTable
          caption="Webhooks"
          list={list}
          columns={columns}
          rowId={({ id }) => id}
          empty={
            <Empty title="No webhook yet" action={add}>
              Be told when a publisher is verified, when its fill rate falls, when a demand source joins a pool.
            </Empty>
          }
        />
      </Section>
      {looked !== undefined && <Deliveries webhook={looked} onClose={() => setView({ webhook: '' })} />}
      {making && (
        <NewWebhook
          onClose={() => setMaking(false)}
          onMade={(made) => {
            setMaking(false);
            setSecret(made);
          }}
        />
      )}
      {secret !== null && <SecretDialog secret={secret} onClose={() => setSecret(null)} />}
    </>
  );
}
