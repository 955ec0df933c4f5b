import { Button, Menu, Text } from '@mantine/core';
import type { components } from '../../../api/generated.d.ts';
import { useList } from '../../../api/pages.ts';
import { useChange } from '../../../api/queries.ts';
import { useSession } from '../../../app/session/session.ts';
import { Empty } from '../../../kit/answered.tsx';
import { confirm } from '../../../kit/confirm.tsx';
import { type Column, DataTable } from '../../../kit/data-table.tsx';
import { Section } from '../../../kit/figure.tsx';
import { words } from '../../../kit/format.ts';
import { Status } from '../../../kit/status.tsx';
import { tellDone, tellFault } from '../../../kit/tell.ts';
import { Time } from '../../../kit/time.tsx';
import { useView } from '../../../kit/use-view.ts';

type User = components['schemas']['User'];

/** All users of the exchange, for operators. */
export function UserList() {
  const [view, setView] = useView({ sort: 'email' });
  const { user: own } = useSession();
  const list = useList('/api/users', { sort: view.sort }, { rows: (body) => body.users });
  const update = useChange('patch', '/api/users/{id}', { touches: ['/api/users'] });
  const remove = useChange('delete', '/api/users/{id}', { touches: ['/api/users'] });
  const reset = useChange('delete', '/api/users/{id}/second-factor', { touches: ['/api/users'] });
  const path = (id: string) => ({ params: { path: { id } } });

  const run = async (work: () => Promise<unknown>, done: string) => {
    try {
      await work();
      tellDone(done);
    } catch (error) {
      tellFault(error);
    }
  };

  const columns: Column<User>[] = [
    {
      id: 'user',
      header: 'User',
      sort: 'email',
      cell: ({ email, name }) => (
        <>
          <Text size="sm" truncate maw={280} title={email}>
            {email}
          </Text>
          <Text size="xs" c="dimmed" truncate maw={280}>
            {name}
          </Text>
        </>
      ),
    },
    { id: 'role', header: 'Role', cell: ({ role }) => words(role) },
    { id: 'status', header: 'Status', cell: ({ status }) => <Status of={status} /> },
    { id: 'factor', header: 'Second factor', wide: true, cell: ({ second_factor }) => (second_factor ? 'On' : 'Off') },
    {
      id: 'since',
      header: 'Since',
      sort: 'created_at',
      wide: true,
      cell: ({ created_at }) => <Time at={created_at} ago />,
    },
    {
      id: 'actions',
      header: '',
      right: true,
      cell: (user) =>
        user.id === own.id ? (
          <Text size="xs" c="dimmed">
            You
          </Text>
        ) : (
          <Menu position="bottom-end">
            <Menu.Target>
              <Button size="compact-xs" variant="default" aria-label={`Change ${user.email}`}>
                Change
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {user.status === 'active' ? (
                <Menu.Item
                  onClick={() =>
                    confirm({
                      title: `Disable ${user.email}?`,
                      what: 'Their sessions end now, and they cannot log in until they are enabled again.',
                      label: 'Disable',
                      danger: true,
                      run: () =>
                        run(
                          () => update.mutateAsync({ ...path(user.id), body: { status: 'disabled' } }),
                          `${user.email} is disabled.`,
                        ),
                    })
                  }
                >
                  Disable
                </Menu.Item>
              ) : (
                <Menu.Item
                  onClick={() =>
                    void run(
                      () => update.mutateAsync({ ...path(user.id), body: { status: 'active' } }),
                      `${user.email} is enabled.`,
                    )
                  }
                >
                  Enable
                </Menu.Item>
              )}
              {user.second_factor && (
                <Menu.Item
                  onClick={() =>
                    confirm({
                      title: `Take the second factor of ${user.email} off?`,
                      what: 'They log in with their password alone until they set up a new one. For somebody who has lost their device.',
                      label: 'Take it off',
                      danger: true,
                      run: () => run(() => reset.mutateAsync(path(user.id)), 'The second factor is off.'),
                    })
                  }
                >
                  Reset the second factor
                </Menu.Item>
              )}
              <Menu.Item
                color="red"
                onClick={() =>
                  confirm({
                    title: `Delete ${user.email}?`,
                    what: 'They can never log in again; what they did stays in the audit trail.',
                    label: 'Delete',
                    danger: true,
                    run: () => run(() => remove.mutateAsync(path(user.id)), `${user.email} is deleted.`),
                  })
                }
              >
                Delete
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        ),
    },
  ];
  return (
    <Section title="Users">
      <DataTable
        caption="Users"
        list={list}
        columns={columns}
        rowId={({ id }) => id}
        sort={view.sort}
        onSort={(sort) => setView({ sort })}
        empty={<Empty title="There is no user" />}
      />
    </Section>
  );
}
