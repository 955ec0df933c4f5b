import { ActionIcon, Menu, Text, useMantineColorScheme } from '@mantine/core';
import { BookIcon, DeviceDesktopIcon, MoonIcon, PersonIcon, SignOutIcon, SunIcon } from '@primer/octicons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { ApiFault } from '../../api/fault.ts';
import { tellFault } from '../../kit/tell.ts';
import { useSession } from '../session/session.ts';

const SCHEMES = [
  { value: 'light', label: 'Light', icon: SunIcon },
  { value: 'dark', label: 'Dark', icon: MoonIcon },
  { value: 'auto', label: 'As the system', icon: DeviceDesktopIcon },
] as const;

/** Who is logged in; how the dashboard looks; the way out. It comes when its button is first clicked on, open. */
export default function AccountMenu() {
  const { user } = useSession();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { colorScheme, setColorScheme } = useMantineColorScheme();

  const logOut = async () => {
    try {
      await api.POST('/api/auth/logout');
    } catch (fault) {
      // Without a session there is nothing left to end.
      if (!(fault instanceof ApiFault && fault.status === 401)) return tellFault(fault);
    }
    client.clear();
    await navigate({ to: '/login' });
  };

  return (
    <Menu defaultOpened position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon variant="default" size="lg" radius="xl" aria-label={`Account of ${user.email}`}>
          <PersonIcon size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" truncate c="bright">
            {user.name || user.email}
          </Text>
          <Text size="xs" truncate>
            {user.name === '' ? user.role : `${user.email} · ${user.role}`}
          </Text>
        </Menu.Label>
        <Menu.Item
          leftSection={<PersonIcon size={14} />}
          renderRoot={(props) => <Link to="/settings/$section" params={{ section: 'login' }} {...props} />}
        >
          Password and second factor
        </Menu.Item>
        <Menu.Item leftSection={<BookIcon size={14} />} component="a" href="/docs" target="_blank">
          API documentation
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>Appearance</Menu.Label>
        {SCHEMES.map(({ value, label, icon: Icon }) => (
          <Menu.Item
            key={value}
            leftSection={<Icon size={14} />}
            onClick={() => setColorScheme(value)}
            rightSection={colorScheme === value ? '✓' : null}
            aria-checked={colorScheme === value}
            role="menuitemradio"
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<SignOutIcon size={14} />} onClick={() => void logOut()}>
          Log out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
