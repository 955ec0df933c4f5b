import { Anchor, Badge, Button, Group, SimpleGrid, Stack } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useList } from '../../api/pages.ts';
import { useAnswer, useChange } from '../../api/queries.ts';
import { Answered, Empty } from '../../kit/answered.tsx';
import { confirm } from '../../kit/confirm.tsx';
import { Id } from '../../kit/copy.tsx';
import { DataTable } from '../../kit/data-table.tsx';
import { Figure, Figures, Section } from '../../kit/figure.tsx';
import { formatCount, formatCpm, formatMs, formatRatio } from '../../kit/format.ts';
import { Money } from '../../kit/money.tsx';
import { Page } from '../../kit/page.tsx';
import { isPeriod, PeriodPicker } from '../../kit/period-picker.tsx';
import { Status } from '../../kit/status.tsx';
import { tellDone, tellFault } from '../../kit/tell.ts';
import { useView } from '../../kit/use-view.ts';
import { PoolForm } from './pool-form.tsx';
import { Subscribe } from './subscribe.tsx';

interface Member {
  readonly id: string;
  readonly name: string;
}

/** One pool: what its publishers sold together, who is in it, who buys from it. */
export function PoolPage() {
  const { id } = useParams({ strict: false }) as { id: string };
  const [view, setView] = useView({ period: '24h' });
  const period = isPeriod(view.period) ? view.period : '24h';
  const [editing, setEditing] = useState(false);
  const [subscribing, setSubscribing] = useState(false);
  const path = { pool_id: id };
  const asked = useAnswer('/api/supply/pools/{pool_id}', { params: { path } });
  const stats = useAnswer('/api/supply/pools/{pool_id}/stats', { params: { path, query: { period } } }, { keep: true });
  const members = useList('/api/supply/sources', { pool_id: id, sort: 'name' }, { rows: (body) => body.publishers });
  const buyers = useList('/api/demand/sources', { pool_id: id, sort: 'name' }, { rows: (body) => body.dsps });
  const touches = { touches: ['/api/supply', '/api/demand', '/api/attention'] };
  const patch = useChange('patch', '/api/supply/sources/{id}', touches);
  const unsubscribe = useChange('delete', '/api/demand/sources/{id}/pools/{pool_id}', touches);
  const pool = asked.body;

  const take = (what: 'publisher' | 'buyer', member: Member) =>
    confirm({
      title: what === 'publisher' ? `Take ${member.name} out of the pool?` : `Unsubscribe ${member.name}?`,
      what:
        what === 'publisher'
          ? `No demand of this pool is asked for the ads of ${member.name} any more, until it is in a pool again.`
          : `${member.name} is not asked for the ads of this pool any more.`,
      label: what === 'publisher' ? 'Take it out' : 'Unsubscribe',
      danger: true,
      run: async () => {
        try {
          if (what === 'publisher')
            await patch.mutateAsync({ params: { path: { id: member.id } }, body: { pool_id: null } });
          else await unsubscribe.mutateAsync({ params: { path: { id: member.id, pool_id: id } } });
          tellDone(what === 'publisher' ? `${member.name} is in no pool now.` : `${member.name} is unsubscribed.`);
        } catch (error) {
          tellFault(error);
        }
      },
    });

  return (
    <Page
      title={pool?.name ?? 'Pool'}
      description={pool?.description}
      parent={{ to: '/pools', label: 'Pools' }}
      beside={
        pool !== undefined && (
          <Group gap="xs">
            {pool.require_verified && <Badge color="blue">Verified publishers alone</Badge>}
            <Badge color="gray">Floor {formatCpm(pool.floor_price_cpm)}</Badge>
            <Id value={id} what="the pool id" short />
          </Group>
        )
      }
      actions={
        pool !== undefined && (
          <Button size="xs" variant="default" onClick={() => setEditing(true)}>
            Edit
          </Button>
        )
      }
      calls={[{ path: `/api/supply/pools/${id}` }, { path: `/api/supply/pools/${id}/stats?period=${period}` }]}
    >
      <Answered of={asked}>
        {(one) => (
          <Stack gap="lg">
            <PeriodPicker period={period} onPeriod={(next) => setView({ period: next })} />
            <Answered of={stats}>
              {(body) =>
                'impressions' in body ? (
                  <Figures cols={5}>
                    <Figure label="Revenue" value={<Money cents={body.revenue_cents} />} />
                    <Figure label="Impressions" value={formatCount(body.impressions)} />
                    <Figure label="Fill rate" value={formatRatio(body.fill_rate)} />
                    <Figure label="eCPM" value={<Money cents={body.ecpm_cents} />} />
                    <Figure label="Latency p95" value={formatMs(body.p95_ms)} />
                  </Figures>
                ) : null
              }
            </Answered>
            <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg">
              <Section
                title="Publishers"
                actions={
                  <Button
                    size="xs"
                    variant="default"
                    renderRoot={(props) => <Link to="/pools" search={{ of: 'all', into: id } as never} {...props} />}
                  >
                    Assign publishers
                  </Button>
                }
              >
                <DataTable
                  caption="Publishers of this pool"
                  list={members}
                  rowId={(row) => row.id}
                  columns={[
                    {
                      id: 'name',
                      header: 'Publisher',
                      cell: (row) => (
                        <Anchor
                          size="sm"
                          truncate
                          maw={220}
                          display="block"
                          title={row.name}
                          renderRoot={(props) => <Link to="/supply/$id" params={{ id: row.id }} {...props} />}
                        >
                          {row.name}
                        </Anchor>
                      ),
                    },
                    { id: 'status', header: 'Status', cell: ({ status }) => <Status of={status} /> },
                    {
                      id: 'out',
                      header: '',
                      right: true,
                      cell: (row) => <Take onClick={() => take('publisher', row)} of={row} />,
                    },
                  ]}
                  empty={<Empty title="No publisher is in it">Assign one: its ads are then sold here.</Empty>}
                />
              </Section>
              <Section
                title="Demand"
                actions={
                  <Button size="xs" variant="default" onClick={() => setSubscribing(true)}>
                    Subscribe a demand source
                  </Button>
                }
              >
                <DataTable
                  caption="Demand sources of this pool"
                  list={buyers}
                  rowId={(row) => row.id}
                  columns={[
                    {
                      id: 'name',
                      header: 'Demand source',
                      cell: (row) => (
                        <Anchor
                          size="sm"
                          truncate
                          maw={220}
                          display="block"
                          title={row.name}
                          renderRoot={(props) => <Link to="/demand/$id" params={{ id: row.id }} {...props} />}
                        >
                          {row.name}
                        </Anchor>
                      ),
                    },
                    { id: 'mode', header: 'Mode', cell: ({ mode }) => (mode === 'rtb' ? 'Bidder' : 'Delegate') },
                    {
                      id: 'out',
                      header: '',
                      right: true,
                      cell: (row) => <Take onClick={() => take('buyer', row)} of={row} />,
                    },
                  ]}
                  empty={
                    <Empty title="Nobody buys from it">Subscribe a demand source: it is then asked for its ads.</Empty>
                  }
                />
              </Section>
            </SimpleGrid>
            {editing && <PoolForm pool={one} etag={asked.etag} onClose={() => setEditing(false)} />}
            {subscribing && (
              <Subscribe
                pool={one}
                known={new Set(buyers.rows.map((row) => row.id))}
                onClose={() => setSubscribing(false)}
              />
            )}
          </Stack>
        )}
      </Answered>
    </Page>
  );
}

function Take({ of, onClick }: { readonly of: Member; readonly onClick: () => void }) {
  return (
    <Button size="compact-xs" variant="subtle" color="red" aria-label={`Remove ${of.name}`} onClick={onClick}>
      Remove
    </Button>
  );
}
