import { Grid, NavLink, Select, Stack } from '@mantine/core';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { NotFound } from '../../app/failures/not-found.tsx';
import { NotYours } from '../../app/failures/not-yours.tsx';
import { useSession } from '../../app/session/session.ts';
import { Placeholder } from '../../kit/answered.tsx';
import { Page } from '../../kit/page.tsx';

interface Part {
  readonly name: string;
  readonly label: string;
  readonly group: string;
  readonly for: readonly ('source' | 'member' | 'operator')[];
  readonly component: React.ComponentType;
}

const everybody = ['source', 'member', 'operator'] as const;
const account = ['member', 'operator'] as const;
const operators = ['operator'] as const;

const PARTS: readonly Part[] = [
  {
    name: 'login',
    label: 'Login',
    group: 'You',
    for: everybody,
    component: lazy(() => import('./login/login-section.tsx')),
  },
  {
    name: 'account',
    label: 'Account',
    group: 'Account',
    for: account,
    component: lazy(() => import('./account-section.tsx')),
  },
  {
    name: 'keys',
    label: 'API keys',
    group: 'Account',
    for: account,
    component: lazy(() => import('./keys/keys-section.tsx')),
  },
  {
    name: 'partners',
    label: 'Partners',
    group: 'Account',
    for: account,
    component: lazy(() => import('./partners-section.tsx')),
  },
  {
    name: 'webhooks',
    label: 'Webhooks',
    group: 'Account',
    for: account,
    component: lazy(() => import('./webhooks/webhooks-section.tsx')),
  },
  {
    name: 'users',
    label: 'Users',
    group: 'Account',
    for: account,
    component: lazy(() => import('./users/users-section.tsx')),
  },
  { name: 'fees', label: 'Fees', group: 'Exchange', for: account, component: lazy(() => import('./fees-section.tsx')) },
  {
    name: 'jobs',
    label: 'Jobs',
    group: 'Exchange',
    for: operators,
    component: lazy(() => import('./jobs-section.tsx')),
  },
  {
    name: 'dead-letters',
    label: 'Dead letters',
    group: 'Exchange',
    for: operators,
    component: lazy(() => import('./dead-letters-section.tsx')),
  },
  {
    name: 'audit-trail',
    label: 'Audit trail',
    group: 'Exchange',
    for: operators,
    component: lazy(() => import('./audit-trail-section.tsx')),
  },
  {
    name: 'exchange',
    label: 'Exchange, CORS',
    group: 'Exchange',
    for: operators,
    component: lazy(() => import('./exchange/exchange-section.tsx')),
  },
];

/** What is set up once: one's login, the account, and for operators the exchange. A section is a part of the URL. */
export function SettingsPage() {
  const { section = 'login' } = useParams({ strict: false }) as { section?: string };
  const navigate = useNavigate();
  const { user } = useSession();
  const parts = PARTS.filter((part) => part.for.some((role) => role === user.role));
  const chosen = parts.find(({ name }) => name === section);
  if (chosen === undefined) return PARTS.some(({ name }) => name === section) ? <NotYours /> : <NotFound />;
  const Chosen = chosen.component;
  const groups = [...new Set(parts.map(({ group }) => group))];

  return (
    <Page title="Settings">
      <Grid gap={{ base: 'md', md: 'xl' }}>
        <Grid.Col span={{ base: 12, md: 3, lg: 2 }}>
          <Select
            hiddenFrom="md"
            aria-label="Section"
            data={groups.map((group) => ({
              group,
              items: parts.filter((part) => part.group === group).map(({ name, label }) => ({ value: name, label })),
            }))}
            value={chosen.name}
            allowDeselect={false}
            onChange={(name) => name !== null && void navigate({ to: '/settings/$section', params: { section: name } })}
          />
          <Stack gap={2} visibleFrom="md" component="nav" aria-label="Settings">
            {parts.map(({ name, label }) => (
              <NavLink
                key={name}
                label={label}
                active={name === chosen.name}
                aria-current={name === chosen.name ? 'page' : undefined}
                renderRoot={(props) => <Link to="/settings/$section" params={{ section: name }} {...props} />}
              />
            ))}
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 9, lg: 10 }}>
          <Suspense fallback={<Placeholder lines={8} />}>
            <Chosen />
          </Suspense>
        </Grid.Col>
      </Grid>
    </Page>
  );
}
