import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import type { components } from '../../../api/generated.d.ts';
import { useAnswer, useChange } from '../../../api/queries.ts';
import { Answered, Empty } from '../../../kit/answered.tsx';
import { confirm } from '../../../kit/confirm.tsx';
import { type Column, DataTable } from '../../../kit/data-table.tsx';
import { Section } from '../../../kit/figure.tsx';
import { words } from '../../../kit/format.ts';
import { tellDone, tellFault } from '../../../kit/tell.ts';
import { Time } from '../../../kit/time.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { type Invited, InvitedDialog } from './invited-dialog.tsx';

type Invitation = components['schemas']['Invitation'];

/** Who was sent a link that is good once. */
export function Invitations() {
  const open = useAnswer('/api/invitations');
  const renew = useChange('post', '/api/invitations/{id}/renew', { touches: ['/api/invitations'] });
  const revoke = useChange('delete', '/api/invitations/{id}', { touches: ['/api/invitations'] });
  const [inviting, setInviting] = useState(false);
  const [invited, setInvited] = useState<Invited | null>(null);
  const path = (id: string) => ({ params: { path: { id } } });

  const again = async ({ id }: Invitation) => {
    try {
      setInvited((await renew.mutateAsync({ ...path(id), body: {} })).body);
    } catch (error) {
      tellFault(error);
    }
  };
  const end = ({ id, email }: Invitation) =>
    confirm({
      title: `Take back the invitation of ${email}?`,
      what: 'Their link does nothing any more.',
      label: 'Take it back',
      danger: true,
      run: async () => {
        try {
          await revoke.mutateAsync(path(id));
          tellDone(`${email} is not invited any more.`);
        } catch (error) {
          tellFault(error);
        }
      },
    });

  const columns: Column<Invitation>[] = [
    {
      id: 'email',
      header: 'Email',
      cell: ({ email, name }) => (
        <Text size="sm" truncate maw={280} title={name}>
          {email}
        </Text>
      ),
    },
    {
      id: 'for',
      header: 'As',
      cell: ({ role, source }) => (source === null ? words(role) : `People of ${source.name}`),
    },
    { id: 'by', header: 'Invited by', wide: true, cell: ({ invited_by }) => invited_by.name },
    {
      id: 'until',
      header: 'Until',
      cell: ({ expires_at, state }) => (state === 'void' ? 'Void' : <Time at={expires_at} ago />),
    },
    {
      id: 'actions',
      header: '',
      right: true,
      cell: (invitation) => (
        <Group gap={6} wrap="nowrap" justify="flex-end">
          <Button size="compact-xs" variant="default" onClick={() => void again(invitation)}>
            New link
          </Button>
          <Button size="compact-xs" variant="light" color="red" onClick={() => end(invitation)}>
            Take back
          </Button>
        </Group>
      ),
    },
  ];
  const invite = <Button onClick={() => setInviting(true)}>Invite somebody</Button>;
  return (
    <Section
      title="Invitations"
      description="A link that is good once. You send it: the exchange sends no mail."
      actions={invite}
    >
      <Answered of={open}>
        {({ invitations }) => (
          <DataTable
            caption="Open invitations"
            list={{ ...open, rows: invitations, total: invitations.length, ...onePage }}
            columns={columns}
            rowId={({ id }) => id}
            empty={
              <Empty title="Nobody is invited at the moment">
                Invite a colleague, or the people of a publisher or a demand source: they see their own source and
                nothing else.
              </Empty>
            }
          />
        )}
      </Answered>
      {inviting && (
        <InviteDialog
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

const onePage = { hasNextPage: false, isFetchingNextPage: false, fetchNextPage: () => {} };
