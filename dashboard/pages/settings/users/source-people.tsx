import { Button, Stack, Text } from '@mantine/core';
import { PersonAddIcon } from '@primer/octicons-react';
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
import { InviteDialog } from './invite-dialog.tsx';
import { type Invited, InvitedDialog } from './invited-dialog.tsx';

type User = components['schemas']['User'];

interface SourcePeopleProps {
  readonly of: 'publisher' | 'dsp';
  readonly id: string;
  readonly name: string;
}

const PATHS = {
  publisher: { list: '/api/supply/sources/{id}/users', one: '/api/supply/sources/{id}/users/{user_id}' },
  dsp: { list: '/api/demand/sources/{id}/users', one: '/api/demand/sources/{id}/users/{user_id}' },
} as const;

/** The own people of a source, who log in and see it alone: who they are, inviting more, and removing one. */
export function SourcePeople({ of, id, name }: SourcePeopleProps) {
  const { list: path, one } = PATHS[of];
  const list = useList(path, {}, { path: { id }, rows: (body) => body.users });
  const remove = useChange('delete', one, { touches: [path] });
  const [inviting, setInviting] = useState(false);
  const [invited, setInvited] = useState<Invited | null>(null);

  const end = (user: User) =>
    confirm({
      title: `Remove ${user.email}?`,
      what: `${user.email} is logged out everywhere and cannot log in any more. What was done stays in the audit trail.`,
      label: 'Remove',
      danger: true,
      run: async () => {
        try {
          await remove.mutateAsync({ params: { path: { id, user_id: user.id } } });
          tellDone(`${user.email} is removed.`);
        } catch (error) {
          tellFault(error);
        }
      },
    });
  const columns: Column<User>[] = [
    {
      id: 'who',
      header: 'Who',
      cell: ({ email, name: called }) => (
        <Stack gap={0} maw={320}>
          <Text size="sm" truncate title={email}>
            {email}
          </Text>
          {called !== '' && (
            <Text size="xs" c="dimmed" truncate title={called} dir="auto">
              {called}
            </Text>
          )}
        </Stack>
      ),
    },
    { id: 'status', header: 'Status', cell: ({ status }) => <Status of={status} /> },
    { id: 'since', header: 'Since', wide: true, cell: ({ created_at: at }) => <Time at={at} /> },
    {
      id: 'actions',
      header: '',
      right: true,
      cell: (user) => (
        <Button size="compact-xs" variant="light" color="red" onClick={() => end(user)}>
          Remove
        </Button>
      ),
    },
  ];
  const invite = (
    <Button size="xs" variant="default" leftSection={<PersonAddIcon size={14} />} onClick={() => setInviting(true)}>
      Invite
    </Button>
  );
  return (
    <Section
      title="People"
      description={`They log in here and see ${name} alone: its figures, auctions, bills and key.`}
      actions={invite}
    >
      <DataTable
        caption="People"
        list={list}
        columns={columns}
        rowId={({ id: user }) => user}
        empty={<Empty title="Nobody of its own yet">Invite somebody by a link that is good once.</Empty>}
      />
      {inviting && (
        <InviteDialog
          source={{ of, id, name }}
          onClose={() => setInviting(false)}
          onInvited={(made) => {
            setInviting(false);
            setInvited(made);
          }}
        />
      )}
      {invited !== null && <InvitedDialog invited={invited} onClose={() => setInvited(null)} />}
    </Section>
  );
}
