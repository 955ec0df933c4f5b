import { Anchor, Badge, Button, Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { PlusIcon } from '@primer/octicons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Answered, Empty } from '../../kit/answered.tsx';
import { formatCount, formatCpm } from '../../kit/format.ts';
import { Page } from '../../kit/page.tsx';
import { usePools } from '../../kit/use-pools.ts';
import { useDropTarget } from './drag.ts';
import type { Pool } from './pool.ts';
import { PoolForm } from './pool-form.tsx';
import classes from './pools.module.css';
import { PublisherPicker } from './publisher-picker.tsx';
import { useAssign } from './use-assign.ts';

/** The pools, and beside them the publishers to be put into them: by dragging, or by selecting and choosing. */
export function PoolsPage() {
  const asked = usePools();
  const [making, setMaking] = useState(false);
  const navigate = useNavigate();
  const { assign, isPending } = useAssign();
  const add = (
    <Button leftSection={<PlusIcon size={14} />} onClick={() => setMaking(true)}>
      New pool
    </Button>
  );
  return (
    <Page
      title="Pools"
      description="A pool is what demand subscribes to: publishers that are sold together."
      actions={add}
      calls={[{ path: '/api/supply/pools?sort=name' }]}
    >
      <Answered of={asked} lines={5}>
        {({ pools }) =>
          pools.length === 0 ? (
            <Paper>
              <Empty title="There is no pool yet" action={add}>
                Make one, put publishers into it, and subscribe demand sources to it: only then are they asked for ads.
              </Empty>
            </Paper>
          ) : (
            <div className={classes.board}>
              <PublisherPicker pools={pools} onAssign={assign} busy={isPending} />
              <SimpleGrid
                cols={{ base: 1, sm: 2 }}
                spacing="md"
                component="ul"
                p={0}
                m={0}
                style={{ listStyle: 'none' }}
              >
                {pools.map((pool) => (
                  <PoolCard key={pool.id} pool={pool} onDrop={(ids) => void assign(pool, ids)} />
                ))}
              </SimpleGrid>
            </div>
          )
        }
      </Answered>
      {making && (
        <PoolForm
          pool={null}
          onClose={(made) => {
            setMaking(false);
            if (made !== undefined) void navigate({ to: '/pools/$id', params: { id: made.id } });
          }}
        />
      )}
    </Page>
  );
}

function PoolCard({ pool, onDrop }: { readonly pool: Pool; readonly onDrop: (ids: readonly string[]) => void }) {
  const { element, over } = useDropTarget<HTMLLIElement>(onDrop);
  const { id, name, description, publisher_count: publishers, dsp_count: dsps } = pool;
  return (
    <Paper component="li" ref={element} className={classes.pool} data-over={over || undefined}>
      <Stack gap={6}>
        <Group justify="space-between" wrap="nowrap" gap="xs">
          <Anchor
            fw={600}
            truncate
            title={name}
            renderRoot={(props) => <Link to="/pools/$id" params={{ id }} {...props} />}
          >
            {name}
          </Anchor>
          {pool.require_verified && (
            <Badge color="blue" miw="max-content">
              Verified alone
            </Badge>
          )}
        </Group>
        {description !== '' && (
          <Text size="sm" c="dimmed" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
            {description}
          </Text>
        )}
        <Group gap="lg" mt={4} style={{ rowGap: 2 }}>
          <Text size="sm">
            <b>{formatCount(publishers)}</b> {publishers === 1 ? 'publisher' : 'publishers'}
          </Text>
          <Text size="sm">
            <b>{formatCount(dsps)}</b> {dsps === 1 ? 'demand source' : 'demand sources'}
          </Text>
        </Group>
        <Text size="sm" c="dimmed">
          Floor {formatCpm(pool.floor_price_cpm)}
        </Text>
      </Stack>
    </Paper>
  );
}
