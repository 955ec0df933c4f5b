import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type RouteComponent,
  redirect,
  retainSearchParams,
  type SearchMiddleware,
} from '@tanstack/react-router';
import { Suspense } from 'react';
import { Placeholder } from '../kit/answered.tsx';
import { type ContextSearch, readContextSearch } from './data-context.ts';
import { NotFound } from './failures/not-found.tsx';
import { PageFailed } from './failures/page-failed.tsx';
import { queryClient } from './query-client.ts';
import { sessionQuery, useSession } from './session/session.ts';
import { Shell } from './shell/shell.tsx';

const root = createRootRoute({
  validateSearch: readContextSearch,
  // Links keep whose data is looked at.
  search: { middlewares: [retainSearchParams(['sandbox', 'partner']) as SearchMiddleware<ContextSearch>] },
  component: Outlet,
  notFoundComponent: NotFound,
  errorComponent: PageFailed,
});

/** Where a visitor without a session is sent back to after logging in. */
interface NextSearch {
  readonly next?: string | undefined;
}

const logIn = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: ({ next }: Record<string, unknown>): NextSearch =>
    // A path of this dashboard, and no other address. What is left out here would come through as it stands.
    ({ next: typeof next === 'string' && /^\/(?![/\\])/.test(next) ? next : undefined }),
  component: lazyRouteComponent(() => import('../pages/log-in/log-in-page.tsx'), 'LogInPage'),
});

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyRouteComponent(() => import('../pages/invitation/invitation-page.tsx'), 'InvitationPage'),
});

/** Everything below is for those who are logged in. */
const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  beforeLoad: async ({ location }) => {
    const session = await queryClient.ensureQueryData(sessionQuery);
    if (session === null) throw redirect({ to: '/login', search: { next: location.href } });
  },
  component: Shell,
});

/** One address with two pages: the account's, and that of a source's own people. */
function byRole(Account: RouteComponent, Own: RouteComponent): RouteComponent {
  return function ByRole() {
    const { user } = useSession();
    return <Suspense fallback={<Placeholder lines={8} />}>{user.role === 'source' ? <Own /> : <Account />}</Suspense>;
  };
}

type Load = () => Promise<Record<string, unknown>>;

/**
 * A page below the shell, whose code is loaded when it is first shown; `own` is what a source's own people find there.
 */
function page<P extends string>(
  path: P,
  load: Load,
  name: string,
  own?: { readonly load: Load; readonly name: string },
) {
  const component = lazyRouteComponent(load as () => Promise<Record<string, never>>, name);
  return createRoute({
    getParentRoute: () => shell,
    path,
    // Pages read their own part of the query themselves: see kit/use-view.ts.
    validateSearch: (search: Record<string, unknown>): Record<string, unknown> => search,
    component:
      own === undefined
        ? component
        : byRole(component, lazyRouteComponent(own.load as () => Promise<Record<string, never>>, own.name)),
  });
}

const pages = [
  page('/', () => import('../pages/home/home-page.tsx'), 'HomePage', {
    load: () => import('../pages/own/own-overview-page.tsx'),
    name: 'OwnOverviewPage',
  }),
  page('/start', () => import('../pages/start/start-page.tsx'), 'StartPage'),
  page('/supply', () => import('../pages/supply/supply-page.tsx'), 'SupplyPage'),
  page('/supply/new', () => import('../pages/supply/new-supply-page.tsx'), 'NewSupplyPage'),
  page('/supply/$id', () => import('../pages/supply/supply-source-page.tsx'), 'SupplySourcePage'),
  page('/pools', () => import('../pages/pools/pools-page.tsx'), 'PoolsPage'),
  page('/pools/$id', () => import('../pages/pools/pool-page.tsx'), 'PoolPage'),
  page('/demand', () => import('../pages/demand/demand-page.tsx'), 'DemandPage'),
  page('/demand/new', () => import('../pages/demand/new-demand-page.tsx'), 'NewDemandPage'),
  page('/demand/$id', () => import('../pages/demand/demand-source-page.tsx'), 'DemandSourcePage'),
  page('/campaigns', () => import('../pages/campaigns/campaigns-page.tsx'), 'CampaignsPage'),
  page('/campaigns/new', () => import('../pages/campaigns/new-campaign-page.tsx'), 'NewCampaignPage'),
  page('/campaigns/$id', () => import('../pages/campaigns/campaign-page.tsx'), 'CampaignPage'),
  page('/creatives', () => import('../pages/creatives/creatives-page.tsx'), 'CreativesPage'),
  page('/creatives/review', () => import('../pages/creatives/review-page.tsx'), 'ReviewPage'),
  page('/creatives/find', () => import('../pages/creatives/find-creative-page.tsx'), 'FindCreativePage'),
  page('/creatives/$id', () => import('../pages/creatives/seen-creative-page.tsx'), 'SeenCreativePage'),
  page('/campaigns/$id/creatives/$creative', () => import('../pages/creatives/creative-page.tsx'), 'CreativePage'),
  page('/auctions', () => import('../pages/auctions/auctions-page.tsx'), 'AuctionsPage', {
    load: () => import('../pages/own/own-auctions-page.tsx'),
    name: 'OwnAuctionsPage',
  }),
  page('/auctions/$id', () => import('../pages/auctions/auction-page.tsx'), 'AuctionPage', {
    load: () => import('../pages/own/own-auction-page.tsx'),
    name: 'OwnAuctionPage',
  }),
  page('/billing', () => import('../pages/billing/billing-page.tsx'), 'BillingPage', {
    load: () => import('../pages/own/own-billing-page.tsx'),
    name: 'OwnBillingPage',
  }),
  page('/billing/$type/$id/$month', () => import('../pages/billing/statement-page.tsx'), 'StatementPage', {
    load: () => import('../pages/own/own-statement-page.tsx'),
    name: 'OwnStatementPage',
  }),
  page('/settings', () => import('../pages/settings/settings-page.tsx'), 'SettingsPage'),
  page('/settings/$section', () => import('../pages/settings/settings-page.tsx'), 'SettingsPage'),
];

export const router = createRouter({
  routeTree: root.addChildren([logIn, invitation, shell.addChildren(pages)]),
  defaultPreload: 'intent',
  defaultNotFoundComponent: NotFound,
  defaultErrorComponent: PageFailed,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
