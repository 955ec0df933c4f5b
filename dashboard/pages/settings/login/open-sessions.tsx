import { Badge, Button } from '@mantine/core';
import type { components } from '../../../api/generated.d.ts';
import { useList } from '../../../api/pages.ts';
import { useChange } from '../../../api/queries.ts';
import { Empty } from '../../../kit/answered.tsx';
import { type Column, DataTable } from '../../../kit/data-table.tsx';
import { Section } from '../../../kit/figure.tsx';
import { tellDone, tellFault } from '../../../kit/tell.ts';
import { Time } from '../../../kit/time.tsx';

type OpenSession = components['schemas']['OpenSession'];

/** Where this user is logged in. */
export function OpenSessions() {
  const list = useList('/api/auth/sessions', {}, { rows: (body) => body.sessions });
  const revoke = useChange('delete', '/api/auth/sessions/{id}', { touches: ['/api/auth/sessions'] });
  const end = async (id: string) => {
    try {
      await revoke.mutateAsync({ params: { path: { id } } });
      tellDone('The session has ended.');
    } catch (error) {
      tellFault(error);
    }
  };
  const columns: Column<OpenSession>[] = [
    { id: 'opened', header: 'Logged in', cell: ({ opened_at }) => <Time at={opened_at} ago /> },
    { id: 'used', header: 'Last used', cell: ({ last_used_at }) => <Time at={last_used_at} ago /> },
    { id: 'ends', header: 'Ends', wide: true, cell: ({ expires_at }) => <Time at={expires_at} /> },
    {
      id: 'end',
      header: '',
      right: true,
      cell: ({ id, current }) =>
        current ? (
          <Badge color="green" miw="max-content">
            This browser
          </Badge>
        ) : (
          <Button size="compact-xs" variant="default" onClick={() => void end(id)}>
            End
          </Button>
        ),
    },
  ];
  return (
    <Section title="Sessions">
      <DataTable
        caption="Open sessions"
        list={list}
        columns={columns}
        rowId={({ id }) => id}
        empty={<Empty title="No session is open" />}
      />
    </Section>
  );
}
