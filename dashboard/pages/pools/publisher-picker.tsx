import { Button, Checkbox, Group, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { GrabberIcon } from '@primer/octicons-react';
import { useState } from 'react';
import type { components } from '../../api/generated.d.ts';
import { useList } from '../../api/pages.ts';
import { Empty, Failed } from '../../kit/answered.tsx';
import { Section } from '../../kit/figure.tsx';
import { SearchBox } from '../../kit/search-box.tsx';
import { useView } from '../../kit/use-view.ts';
import { useDraggable } from './drag.ts';
import type { Pool } from './pool.ts';
import classes from './pools.module.css';

type Publisher = components['schemas']['SupplySource'];

interface PublisherPickerProps {
  readonly pools: readonly Pool[];
  readonly onAssign: (pool: Pool, publisherIds: readonly string[]) => Promise<readonly string[]>;
  readonly busy: boolean;
}

/** Publishers to be assigned: dragged onto a pool, or selected and sent to the one that is chosen. */
export function PublisherPicker({ pools, onAssign, busy }: PublisherPickerProps) {
  const [view, setView] = useView({ q: '', of: 'none', into: '' });
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const list = useList(
    '/api/supply/sources',
    { sort: 'name', ...(view.q !== '' && { q: view.q }), ...(view.of === 'none' && { pool_id: 'none' }) },
    { rows: (body) => body.publishers },
  );
  const chosen = pools.find(({ id }) => id === view.into);

  const toggle = (id: string) => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    setSelected(next);
  };

  return (
    <Section title="Assign publishers" description="Drag one onto a pool, or select some and choose the pool.">
      <Group gap="xs">
        <SegmentedControl
          aria-label="Which publishers"
          size="xs"
          data={[
            { value: 'none', label: 'In no pool' },
            { value: 'all', label: 'All' },
          ]}
          value={view.of}
          onChange={(of) => setView({ of })}
        />
        <SearchBox label="Search publishers" value={view.q} onSearch={(q) => setView({ q })} />
      </Group>
      {list.error !== null && <Failed error={list.error} again={list.refetch} />}
      {!list.isPending && list.rows.length === 0 && list.error === null && (
        <Empty title={view.of === 'none' ? 'Every publisher is in a pool' : 'No publisher is like that'} />
      )}
      {list.rows.length > 0 && (
        <ul className={classes.publishers} style={{ listStyle: 'none', margin: 0, padding: 0 }} aria-label="Publishers">
          {list.rows.map((publisher) => (
            <Row
              key={publisher.id}
              publisher={publisher}
              poolName={pools.find(({ id }) => id === publisher.pool_id)?.name}
              selected={selected}
              onToggle={toggle}
            />
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <Button variant="subtle" size="compact-sm" onClick={() => void list.fetchNextPage()}>
          Show more
        </Button>
      )}
      <Group gap="xs" align="flex-end">
        <Select
          label="Pool"
          size="sm"
          placeholder="Choose"
          searchable
          data={pools.map(({ id, name }) => ({ value: id, label: name }))}
          value={chosen?.id ?? null}
          onChange={(into) => setView({ into: into ?? '' })}
          style={{ flex: 1 }}
        />
        <Button
          disabled={selected.size === 0 || chosen === undefined}
          loading={busy}
          onClick={async () => {
            // What could not be assigned stays selected, for another try.
            setSelected(new Set(await onAssign(chosen!, [...selected])));
          }}
        >
          Assign {selected.size === 0 ? '' : selected.size}
        </Button>
      </Group>
    </Section>
  );
}

interface RowProps {
  readonly publisher: Publisher;
  readonly poolName: string | undefined;
  readonly selected: ReadonlySet<string>;
  readonly onToggle: (id: string) => void;
}

function Row({ publisher: { id, name, domain }, poolName, selected, onToggle }: RowProps) {
  // One that is selected takes the others along.
  const element = useDraggable<HTMLLIElement>(selected.has(id) ? [...selected] : [id]);
  return (
    <li ref={element} className={classes.publisher}>
      <GrabberIcon size={14} aria-hidden />
      <Checkbox aria-label={`Select ${name}`} checked={selected.has(id)} onChange={() => onToggle(id)} />
      <Stack gap={0} miw={0}>
        <Text size="sm" truncate title={name}>
          {name}
        </Text>
        <Text size="xs" c="dimmed" truncate>
          {poolName === undefined ? domain : `${domain} · ${poolName}`}
        </Text>
      </Stack>
    </li>
  );
}
