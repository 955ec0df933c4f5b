import { Anchor, Button, SegmentedControl, Stack, Switch, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { components } from '../../../api/generated.d.ts';
import { useList } from '../../../api/pages.ts';
import { useAnswer, useChange } from '../../../api/queries.ts';
import { Empty } from '../../../kit/answered.tsx';
import { type Column, DataTable } from '../../../kit/data-table.tsx';
import { Section } from '../../../kit/figure.tsx';
import { formatCount, formatCpm } from '../../../kit/format.ts';
import { tellFault } from '../../../kit/tell.ts';
import { useView } from '../../../kit/use-view.ts';
import type { TabProps } from './tab-props.ts';

type Pool = components['schemas']['Pool'];

/**
 * Whose traffic the source takes: a switch for each pool, which moves at once and back again where the change is
 * refused.
 */
export default function PoolsTab({ source }: TabProps) {
  const [{ pools: which }, setView] = useView({ pools: 'all' });
  const path = { id: source.id };
  const all = useList('/api/supply/pools', { sort: 'name' }, { rows: (body) => body.pools });
  const subscribed = useAnswer('/api/demand/sources/{id}/pools', { params: { path } });
  const touches = ['/api/demand/sources/{id}/pools', '/api/supply/pools'];
  const subscribe = useChange('post', '/api/demand/sources/{id}/pools/{pool_id}', { touches });
  const unsubscribe = useChange('delete', '/api/demand/sources/{id}/pools/{pool_id}', { touches });
  /** What was switched and is not answered yet. */
  const [switched, setSwitched] = useState<ReadonlyMap<string, boolean>>(new Map());
  const known = new Set(subscribed.body?.pools.map(({ id }) => id));
  const isOn = (id: string) => switched.get(id) ?? known.has(id);

  const change = async ({ id }: Pool, on: boolean) => {
    setSwitched((before) => new Map(before).set(id, on));
    try {
      await (on ? subscribe : unsubscribe).mutateAsync({ params: { path: { ...path, pool_id: id } } });
    } catch (error) {
      tellFault(error);
    } finally {
      setSwitched((before) => {
        const next = new Map(before);
        next.delete(id);
        return next;
      });
    }
  };

  const columns: Column<Pool>[] = [
    {
      id: 'on',
      header: 'Subscribed',
      cell: (pool) => (
        <Switch
          aria-label={`Takes traffic from ${pool.name}`}
          checked={isOn(pool.id)}
          disabled={source.status === 'archived' || subscribed.isPending}
          onChange={({ currentTarget }) => void change(pool, currentTarget.checked)}
        />
      ),
    },
    {
      id: 'name',
      header: 'Pool',
      cell: ({ id, name, description }) => (
        <Stack gap={0} maw={{ base: 180, sm: 380 }}>
          <Anchor
            size="sm"
            fw={600}
            truncate
            title={name}
            renderRoot={(props) => <Link to="/pools/$id" params={{ id }} {...props} />}
          >
            {name}
          </Anchor>
          {description !== '' && (
            <Text size="xs" c="dimmed" truncate title={description}>
              {description}
            </Text>
          )}
        </Stack>
      ),
    },
    {
      id: 'publishers',
      header: 'Publishers',
      right: true,
      cell: ({ publisher_count: count }) => formatCount(count),
    },
    {
      id: 'dsps',
      header: 'Demand sources',
      right: true,
      wide: true,
      cell: ({ dsp_count: count }) => formatCount(count),
    },
    {
      id: 'floor',
      header: 'Floor, CPM',
      right: true,
      cell: ({ floor_price_cpm: floor }) => (floor === 0 ? 'None' : formatCpm(floor)),
    },
  ];
  const list = which === 'on' ? { ...all, rows: all.rows.filter(({ id }) => isOn(id)), total: null } : all;
  return (
    <Section
      title="Pools"
      description="The source is asked for bids for the ad requests of the publishers in these pools."
      actions={
        <SegmentedControl
          size="xs"
          aria-label="Which pools"
          data={[
            { value: 'all', label: 'All' },
            { value: 'on', label: 'Subscribed' },
          ]}
          value={which}
          onChange={(value) => setView({ pools: value })}
        />
      }
    >
      {all.rows.length > 0 && known.size === 0 && !subscribed.isPending && subscribed.error === null && (
        <Text size="sm" c="dimmed">
          It takes no traffic: it is subscribed to none.
        </Text>
      )}
      <DataTable
        caption="Pools"
        list={list}
        columns={columns}
        rowId={({ id }) => id}
        empty={
          which === 'on' ? (
            <Empty
              title="It is subscribed to no pool"
              action={<Button onClick={() => setView({ pools: 'all' })}>Show all pools</Button>}
            >
              Without a pool it is asked for no bids.
            </Empty>
          ) : (
            <Empty
              title="There is no pool yet"
              action={<Button renderRoot={(props) => <Link to="/pools" {...props} />}>Create a pool</Button>}
            >
              A pool brings publishers and demand sources together.
            </Empty>
          )
        }
      />
    </Section>
  );
}
