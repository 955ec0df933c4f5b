import { Button, Group, SegmentedControl, Text } from '@mantine/core';
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
import { Time } from '../../../kit/time.tsx';
import { useView } from '../../../kit/use-view.ts';
import { type MadeApiKey, MadeKey } from './made-key.tsx';
import { NewKey } from './new-key.tsx';
import { RotateKey } from './rotate-key.tsx';

type ApiKey = components['schemas']['ApiKey'];

/** The account's API keys: shown once when they are made, rotated with an overlap, ended. */
export default function KeysSection() {
  const [view, setView] = useView({ status: 'active' });
  const list = useList('/api/keys', { status: view.status }, { rows: (body) => body.keys });
  const revoke = useChange('delete', '/api/keys/{id}', { touches: ['/api/keys'] });
  const [making, setMaking] = useState(false);
  const [rotating, setRotating] = useState<ApiKey | null>(null);
  const [made, setMade] = useState<MadeApiKey | null>(null);

  const end = ({ id, name, hint }: ApiKey) =>
    confirm({
      title: `End the key ${name}?`,
      what: `Whatever uses the key that begins with ${hint} is answered 401 from now on. This cannot be undone.`,
      label: 'End the key',
      danger: true,
      run: async () => {
        try {
          await revoke.mutateAsync({ params: { path: { id } } });
          tellDone(`The key ${name} has ended.`);
        } catch (error) {
          tellFault(error);
        }
      },
    });

  const columns: Column<ApiKey>[] = [
    {
      id: 'name',
      header: 'Name',
      cell: ({ name }) => (
        <Text size="sm" truncate maw={260} title={name}>
          {name}
        </Text>
      ),
    },
    {
      id: 'environment',
      header: 'Environment',
      cell: ({ environment }) => (
        <Status
          of={environment === 'live' ? 'active' : 'sandbox'}
          label={environment === 'live' ? 'Live' : 'Sandbox'}
        />
      ),
    },
    {
      id: 'hint',
      header: 'Key',
      cell: ({ hint }) => (
        <Text size="sm" ff="monospace">
          {hint}…
        </Text>
      ),
    },
    { id: 'used', header: 'Last used', cell: ({ last_used_at }) => <Time at={last_used_at} ago none="never" /> },
    {
      id: 'ends',
      header: 'Ends',
      cell: ({ expires_at, revoked_at }) => <Time at={revoked_at ?? expires_at} ago none="never" />,
      wide: true,
    },
    {
      id: 'actions',
      header: '',
      right: true,
      cell: (key) =>
        key.revoked_at === null && view.status === 'active' ? (
          <Group gap={6} justify="flex-end" wrap="nowrap">
            <Button size="compact-xs" variant="default" onClick={() => setRotating(key)}>
              Rotate
            </Button>
            <Button size="compact-xs" variant="light" color="red" onClick={() => end(key)}>
              End
            </Button>
          </Group>
        ) : null,
    },
  ];

  return (
    <Section
      title="API keys"
      description="For programs that call the API. A key is shown once, when it is made."
      actions={
        <>
          <SegmentedControl
            size="xs"
            aria-label="Which keys"
            data={[
              { value: 'active', label: 'In use' },
              { value: 'ended', label: 'Ended' },
            ]}
            value={view.status}
            onChange={(status) => setView({ status })}
          />
          <Button onClick={() => setMaking(true)}>Generate new key</Button>
        </>
      }
    >
      <DataTable
        caption="API keys"
        list={list}
        columns={columns}
        rowId={({ id }) => id}
        empty={
          view.status === 'active' ? (
            <Empty
              title="There is no key yet"
              action={<Button onClick={() => setMaking(true)}>Generate new key</Button>}
            >
              Programs call the API with a key. People need none: they log in.
            </Empty>
          ) : (
            <Empty title="No key has ended" />
          )
        }
      />
      {making && (
        <NewKey
          onClose={() => setMaking(false)}
          onMade={(key) => {
            setMaking(false);
            setMade(key);
          }}
        />
      )}
      {rotating !== null && (
        <RotateKey
          of={rotating}
          onClose={() => setRotating(null)}
          onMade={(key) => {
            setRotating(null);
            setMade(key);
          }}
        />
      )}
      {made !== null && <MadeKey made={made} onClose={() => setMade(null)} />}
    </Section>
  );
}
