import { Button, Group, Modal, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { components } from '../../api/generated.d.ts';
import { useList } from '../../api/pages.ts';
import { Empty } from '../../kit/answered.tsx';
import { Snippet } from '../../kit/copy.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { Section } from '../../kit/figure.tsx';
import { SearchBox } from '../../kit/search-box.tsx';
import { Time } from '../../kit/time.tsx';
import { useView } from '../../kit/use-view.ts';

type Entry = components['schemas']['AuditEntry'];

/** Who changed what, from where, with the state before and after. Entries are chained by their hashes. */
export default function AuditTrailSection() {
  const [view, setView] = useView({ actor: '', resource: '', from: '' });
  const [shown, setShown] = useState<Entry | null>(null);
  const query = {
    ...(view.actor !== '' && { actor: view.actor }),
    ...(view.resource !== '' && { resource: view.resource }),
    ...(view.from !== '' && { from: `${view.from}T00:00:00Z` }),
  };
  const list = useList('/api/audit-trail', query, { rows: (body) => body.entries, cursor: true });
  const columns: Column<Entry>[] = [
    { id: 'at', header: 'When', cell: ({ at }) => <Time at={at} /> },
    {
      id: 'actor',
      header: 'Who',
      cell: ({ actor, address }) => (
        <>
          <Text size="sm" truncate maw={200} title={actor}>
            {actor}
          </Text>
          <Text size="xs" c="dimmed">
            {address}
          </Text>
        </>
      ),
    },
    { id: 'action', header: 'Did', cell: ({ action }) => action },
    {
      id: 'resource',
      header: 'To',
      cell: ({ resource }) => (
        <Text size="sm" ff="monospace" truncate maw={260} title={resource}>
          {resource}
        </Text>
      ),
    },
    {
      id: 'look',
      header: '',
      right: true,
      cell: (entry) => (
        <Button size="compact-xs" variant="default" onClick={() => setShown(entry)}>
          Look
        </Button>
      ),
    },
  ];
  return (
    <Section
      title="Audit trail"
      description="Every change that was made by the API, newest first. Entries are added, and never changed."
      actions={
        <Group gap="xs">
          <SearchBox label="Who: a user or key" value={view.actor} onSearch={(actor) => setView({ actor })} />
          <SearchBox label="To what: kind/id" value={view.resource} onSearch={(resource) => setView({ resource })} />
          <TextInput
            size="xs"
            type="date"
            aria-label="From the day (UTC)"
            value={view.from}
            onChange={({ currentTarget }) => setView({ from: currentTarget.value })}
          />
        </Group>
      }
    >
      <DataTable
        caption="Audit trail"
        list={list}
        columns={columns}
        rowId={({ position, index }) => `${position}/${index}`}
        empty={<Empty title="Nothing was changed that fits" />}
      />
      {shown !== null && (
        <Modal opened onClose={() => setShown(null)} title={`${shown.action} ${shown.resource}`} size="xl">
          <Stack gap="sm">
            <Text size="sm">
              {shown.actor}, <Time at={shown.at} />, {shown.route}, request {shown.request_id}
            </Text>
            <SimpleGrid cols={{ base: 1, md: 2 }}>
              <div>
                <Text size="sm" fw={600}>
                  Before
                </Text>
                <Snippet text={JSON.stringify(shown.before, null, 2)} what="the state before" />
              </div>
              <div>
                <Text size="sm" fw={600}>
                  After
                </Text>
                <Snippet text={JSON.stringify(shown.after, null, 2)} what="the state after" />
              </div>
            </SimpleGrid>
            <Text size="xs" c="dimmed" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
              {shown.hash}
            </Text>
          </Stack>
        </Modal>
      )}
    </Section>
  );
}
