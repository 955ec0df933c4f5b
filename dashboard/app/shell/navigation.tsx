import { NavLink, Stack } from '@mantine/core';
import {
  BroadcastIcon,
  CreditCardIcon,
  GearIcon,
  GraphIcon,
  ImageIcon,
  MegaphoneIcon,
  PulseIcon,
  StackIcon,
  TelescopeIcon,
} from '@primer/octicons-react';
import { Link, useRouterState } from '@tanstack/react-router';
import { useSession } from '../session/session.ts';

interface Place {
  readonly to: string;
  readonly label: string;
  readonly icon: typeof PulseIcon;
}

const PLACES: readonly Place[] = [
  { to: '/', label: 'Overview', icon: PulseIcon },
  { to: '/supply', label: 'Supply', icon: BroadcastIcon },
  { to: '/pools', label: 'Pools', icon: StackIcon },
  { to: '/demand', label: 'Demand', icon: GraphIcon },
  { to: '/campaigns', label: 'Campaigns', icon: MegaphoneIcon },
  { to: '/creatives', label: 'Creatives', icon: ImageIcon },
  { to: '/auctions', label: 'Auctions', icon: TelescopeIcon },
  { to: '/billing', label: 'Billing', icon: CreditCardIcon },
  { to: '/settings', label: 'Settings', icon: GearIcon },
];

/** What the people of one source find: their source, its creatives, auctions and bills, and their own login. */
export const OWN_PLACES: ReadonlySet<string> = new Set(['/', '/creatives', '/auctions', '/billing', '/settings']);

export function Navigation() {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const { user } = useSession();
  const places = (user.role as string) === 'source' ? PLACES.filter(({ to }) => OWN_PLACES.has(to)) : PLACES;
  return (
    <nav aria-label="Main">
      <Stack gap={2}>
        {places.map(({ to, label, icon: Icon }) => {
          const here = to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`);
          return (
            <NavLink
              key={to}
              label={label}
              active={here}
              aria-current={here ? 'page' : undefined}
              leftSection={<Icon size={16} />}
              renderRoot={(props) => <Link to={to} {...props} />}
            />
          );
        })}
      </Stack>
    </nav>
  );
}
