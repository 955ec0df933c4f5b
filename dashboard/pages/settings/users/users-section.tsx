import { Stack } from '@mantine/core';
import { useIsOperator } from '../../../app/session/session.ts';
import { Invitations } from './invitations.tsx';
import { UserList } from './user-list.tsx';

/** Who may log in, and who is invited to. */
export default function UsersSection() {
  const operator = useIsOperator();
  return (
    <Stack gap="lg">
      <Invitations />
      {operator && <UserList />}
    </Stack>
  );
}
