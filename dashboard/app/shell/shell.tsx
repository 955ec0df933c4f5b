import { ActionIcon, AppShell, Burger, Group, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { PersonIcon } from '@primer/octicons-react';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useDataContext } from '../data-context.ts';
import { NotYours } from '../failures/not-yours.tsx';
import { useSession } from '../session/session.ts';
import { ContextSwitches } from './context-switches.tsx';
import { Navigation, OWN_PLACES } from './navigation.tsx';
import classes from './shell.module.css';

const AccountMenu = lazy(() => import('./account-menu.tsx'));

/** The frame of every page: where one is, whose data one looks at, who one is. */
export function Shell() {
  const [menu, setMenu] = useState(false);
  const [opened, { toggle, close }] = useDisclosure(false);
  const { sandbox } = useDataContext();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const { user } = useSession();
  // What the people of a source have no page for is nothing to them.
  const isTheirs = user.role !== 'source' || OWN_PLACES.has(`/${path.split('/', 2)[1] ?? ''}`);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu of small screens closes with each step
  useEffect(close, [path]);

  return (
    <AppShell
      header={{ height: sandbox ? 84 : 56 }}
      navbar={{ width: 216, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding={{ base: 'md', md: 'xl' }}
      data-sandbox={sandbox || undefined}
      className={classes.shell}
    >
      <a href="#main" className={classes.skip}>
        Skip to the content
      </a>
      <AppShell.Header className={classes.header}>
        {sandbox && (
          <div className={classes.sandbox} role="status">
            Sandbox: test data. Nothing here is billed.
          </div>
        )}
        <Group h={56} px="md" justify="space-between" wrap="nowrap" gap="xs">
          <Group gap="sm" wrap="nowrap">
            <Burger opened={opened} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Show the navigation" />
            <Link to="/" className={classes.brand} aria-label="Ad exchange: first page">
              <img src="/icon.svg" width={26} height={26} alt="" />
              <Text fw={650} visibleFrom="xs">
                Ad exchange
              </Text>
            </Link>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <ContextSwitches />
            {menu ? (
              <Suspense fallback={<AccountButton email={user.email} />}>
                <AccountMenu />
              </Suspense>
            ) : (
              <AccountButton email={user.email} onClick={() => setMenu(true)} />
            )}
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar className={classes.navbar} p="xs">
        <Navigation />
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1} className={classes.main}>
        <div className={classes.page}>{isTheirs ? <Outlet /> : <NotYours />}</div>
      </AppShell.Main>
    </AppShell>
  );
}

function AccountButton({ email, onClick }: { readonly email: string; readonly onClick?: () => void }) {
  return (
    <ActionIcon
      variant="default"
      size="lg"
      radius="xl"
      aria-label={`Account of ${email}`}
      aria-haspopup="menu"
      onClick={onClick}
    >
      <PersonIcon size={16} />
    </ActionIcon>
  );
}
