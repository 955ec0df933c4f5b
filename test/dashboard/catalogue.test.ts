import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { expectAccessible, expectNoOverflow } from './support/axe.ts';
import { type CatalogueSeed, seedCatalogue } from './support/catalogue-seed.ts';
import type { Complaints } from './support/complaints.ts';
import { type RunningDashboard, startDashboard } from './support/dashboard.ts';
import { settled } from './support/settled.ts';

type Reader = 'operator' | 'publisher' | 'dsp' | 'nobody';

interface Entry {
  /** As dashboard/app/router.tsx names it. */
  readonly route: string;
  /** The first of them is visited in every run, the others when the whole catalogue is. */
  readonly addresses: (seed: CatalogueSeed) => readonly string[];
  /** The operator, unless others are named: the first of them visits it in every run. */
  readonly as?: readonly Reader[];
}

const one = (address: string) => () => [address];
const tabs = (path: string, names: readonly string[]) => [path, ...names.map((name) => `${path}&tab=${name}`)];

const CATALOGUE: readonly Entry[] = [
  { route: '/login', addresses: one('/login'), as: ['nobody'] },
  { route: '/invitation', addresses: ({ token }) => [`/invitation#${token}`, '/invitation'], as: ['nobody'] },
  { route: '/', addresses: () => ['/', '/?sandbox=true'], as: ['operator', 'publisher', 'dsp'] },
  { route: '/start', addresses: () => ['/start', '/start?sandbox=true'] },
  { route: '/supply', addresses: one('/supply') },
  { route: '/supply/new', addresses: one('/supply/new') },
  {
    route: '/supply/$id',
    addresses: ({ publisher }) => tabs(`/supply/${publisher}?`, ['integration', 'ads-txt', 'settings']),
  },
  { route: '/pools', addresses: one('/pools') },
  { route: '/pools/$id', addresses: ({ pool }) => [`/pools/${pool}`] },
  { route: '/demand', addresses: one('/demand') },
  { route: '/demand/new', addresses: () => ['/demand/new', '/demand/new?mode=delegate'] },
  {
    route: '/demand/$id',
    addresses: ({ dsp, delegate }) => [
      ...tabs(`/demand/${dsp}?sandbox=true`, [
        ...['outcomes', 'creatives', 'budget', 'pools', 'test', 'feed', 'settings'],
      ]),
      `/demand/${delegate}?tab=strategy`,
    ],
  },
  { route: '/campaigns', addresses: one('/campaigns') },
  { route: '/campaigns/new', addresses: one('/campaigns/new') },
  { route: '/campaigns/$id', addresses: ({ campaign }) => tabs(`/campaigns/${campaign}?`, ['creatives', 'settings']) },
  {
    route: '/campaigns/$id/creatives/$creative',
    addresses: ({ campaign }) => ['native', 'html'].map((id) => `/campaigns/${campaign}/creatives/${id}`),
  },
  {
    route: '/creatives',
    addresses: () => ['/creatives', '/creatives?as=cards', '/creatives?tab=decisions', '/creatives?tab=campaigns'],
    as: ['operator', 'publisher', 'dsp'],
  },
  {
    route: '/creatives/review',
    addresses: () => ['/creatives/review', '/creatives/review?queue=flagged', '/creatives/review?scope=publisher'],
    as: ['operator', 'publisher'],
  },
  { route: '/creatives/find', addresses: () => ['/creatives/find?crid=autumn', '/creatives/find'] },
  {
    route: '/creatives/$id',
    addresses: ({ seen }) => [seen.flagged, seen.hostile, seen.refused].map((id) => `/creatives/${id}`),
  },
  {
    route: '/auctions',
    addresses: () => ['/auctions?sandbox=true', '/auctions'],
    as: ['operator', 'publisher', 'dsp'],
  },
  { route: '/auctions/$id', addresses: ({ auction }) => [`/auctions/${auction}?sandbox=true`] },
  { route: '/billing', addresses: one('/billing?sandbox=true'), as: ['operator', 'publisher', 'dsp'] },
  {
    route: '/billing/$type/$id/$month',
    addresses: ({ publisher, month }) => [`/billing/publisher/${publisher}/${month}`],
  },
  { route: '/settings', addresses: one('/settings'), as: ['operator', 'publisher'] },
  {
    route: '/settings/$section',
    addresses: () =>
      [
        ...['keys', 'account', 'partners', 'webhooks', 'users', 'fees', 'jobs', 'dead-letters', 'audit-trail'],
        ...['exchange', 'login'],
      ].map((section) => `/settings/${section}`),
  },
];

/** Nothing of a creative runs where it is previewed: the browser says so. */
const REFUSED_TO_PREVIEWS = /^console: Blocked script execution in '[^']*\/preview'/;

const FOLDER = process.env.SCREENSHOTS;
const WHOLE = FOLDER !== undefined || process.env.WHOLE === '1';
const WIDTHS = [1440, 390] as const;
const SCHEMES = ['light', 'dark'] as const;
const OPERATOR: readonly Reader[] = ['operator'];
const LOOKS = SCHEMES.flatMap((scheme) => WIDTHS.map((width) => ({ width, scheme })));

/** The routes that the router declares: those of pages, and those outside the shell. */
function declaredRoutes(): string[] {
  const source = readFileSync(new URL('../../../dashboard/app/router.tsx', import.meta.url), 'utf8');
  return [...source.matchAll(/(?:\bpage\(|\bpath: )'([^']+)'/g)].map(([, route = '']) => route);
}

describe('dashboard: the catalogue of its pages', function () {
  this.timeout(WHOLE ? 600_000 : 60_000);
  let running: RunningDashboard;
  let seed: CatalogueSeed;
  const pages = new Map<Reader, { readonly page: Page; readonly complaints: Complaints }>();

  before(async function () {
    running = await startDashboard(this);
    seed = await seedCatalogue(running.exchange);
    if (FOLDER !== undefined) mkdirSync(FOLDER, { recursive: true });
  });
  after(() => running?.stop());

  async function pageOf(reader: Reader): Promise<Page> {
    const known = pages.get(reader);
    if (known !== undefined) return known.page;
    const who = {
      nobody: null,
      operator: running.exchange.admin,
      publisher: seed.publisherPerson,
      dsp: seed.dspPerson,
    };
    const as = who[reader];
    const { page, complaints } = await running.visit(as === null ? '/login' : '/settings/login', { as });
    pages.set(reader, { page, complaints });
    return page;
  }

  it('names every route that the router has, and no other', () => {
    expect(CATALOGUE.map(({ route }) => route).sort()).to.deep.equal(declaredRoutes().sort());
  });

  let visited = 0;
  for (const { route, addresses, as = OPERATOR } of CATALOGUE) {
    for (const reader of WHOLE ? as : as.slice(0, 1)) {
      it(`is accessible: ${route}, as ${reader}`, async () => {
        const page = await pageOf(reader);
        const all = addresses(seed);
        for (const address of WHOLE ? all : all.slice(0, 1)) {
          const looks = WHOLE ? LOOKS : [LOOKS[visited++ % LOOKS.length]!];
          for (const { width, scheme } of looks) {
            await page.setViewportSize({ width, height: width < 600 ? 844 : 900 });
            await page.emulateMedia({ colorScheme: scheme });
            // A change of the fragment alone loads nothing.
            await page.goto('about:blank');
            await page.goto(address);
            await settled(page);
            if (FOLDER !== undefined) {
              const name = `${reader}${nameOf(route, address)}-${width}-${scheme}.png`;
              await page.screenshot({ path: join(FOLDER, name), fullPage: true });
            }
            await expectFrame(page, reader !== 'nobody');
            await expectAccessible(page);
            await expectNoOverflow(page);
          }
        }
        pages.get(reader)!.complaints.expectNone(REFUSED_TO_PREVIEWS);
      });
    }
  }
});

/** A file's name of an address: ids and tokens of one run are left out. */
function nameOf(route: string, address: string): string {
  const query = new URL(address, 'http://dashboard').search.replace(/^\?&?/, '-');
  const place = route === '/settings/$section' ? address : route;
  return `${place}${query}`.replaceAll(/[^\w-]+/g, '-').replace(/^-*/, '-');
}

/** Fails unless there is one heading of level 1, the landmarks, and a title of the page's own. */
async function expectFrame(page: Page, loggedIn: boolean): Promise<void> {
  const heading = await page.getByRole('heading', { level: 1 }).allTextContents();
  expect(heading, `headings of level 1: ${page.url()}`).to.have.length(1);
  const count = (role: 'banner' | 'navigation' | 'main', name?: string) =>
    page.getByRole(role, { ...(name !== undefined && { name, exact: true }), includeHidden: true }).count();
  const landmarks = [await count('banner'), await count('navigation', 'Main'), await count('main')];
  expect(landmarks, `banner, navigation, main: ${page.url()}`).to.deep.equal(loggedIn ? [1, 1, 1] : [0, 0, 1]);
  expect(await page.title(), `title: ${page.url()}`).to.equal(`${heading[0]} · Ad exchange`);
}
