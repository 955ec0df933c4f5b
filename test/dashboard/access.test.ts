import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { expectAccessible, expectNoOverflow } from './support/axe.ts';
import { type RunningDashboard, startDashboard, type VisitedPage } from './support/dashboard.ts';
import { newPerson, type Person } from './support/people.ts';
import { settled } from './support/settled.ts';

type Role = 'operator' | 'member' | 'publisher' | 'dsp';

interface Sees {
  readonly role: Role;
  readonly navigation: readonly string[];
  readonly sections: readonly string[];
  /** Pages of others, each with a call of the API that it would be made of. */
  readonly refused: readonly (readonly [page: string, call: string])[];
}

const ALL = ['Overview', 'Supply', 'Pools', 'Demand', 'Campaigns', 'Creatives', 'Auctions', 'Billing', 'Settings'];
const OWN = ['Overview', 'Creatives', 'Auctions', 'Billing', 'Settings'];
const OF_ACCOUNT = ['Login', 'Account', 'API keys', 'Partners', 'Webhooks', 'Users', 'Fees'];
const OF_OPERATORS = ['Jobs', 'Dead letters', 'Audit trail', 'Exchange, CORS'];
const REFUSED_TO_MEMBERS = [
  ['/settings/jobs', '/api/jobs'],
  ['/settings/dead-letters', '/api/dead-letters'],
  ['/settings/audit-trail', '/api/audit-trail'],
  ['/settings/exchange', '/api/exchange/settings'],
] as const;
const REFUSED_TO_SOURCES = [
  ...REFUSED_TO_MEMBERS,
  ['/supply', '/api/supply/sources'],
  ['/supply/new', '/api/account'],
  ['/pools', '/api/supply/pools'],
  ['/demand', '/api/demand/sources'],
  ['/start', '/api/overview'],
  ['/settings/keys', '/api/keys'],
  ['/settings/users', '/api/users'],
] as const;
/** They see what becomes of their creatives, and decide about none. */
const REFUSED_TO_DSPS = [...REFUSED_TO_SOURCES, ['/creatives/review', '/api/source/creatives']] as const;

const ROLES: readonly Sees[] = [
  { role: 'operator', navigation: ALL, sections: [...OF_ACCOUNT, ...OF_OPERATORS], refused: [] },
  { role: 'member', navigation: ALL, sections: OF_ACCOUNT, refused: REFUSED_TO_MEMBERS },
  { role: 'publisher', navigation: OWN, sections: ['Login'], refused: REFUSED_TO_SOURCES },
  { role: 'dsp', navigation: OWN, sections: ['Login'], refused: REFUSED_TO_DSPS },
];

describe('dashboard: what each role sees', () => {
  let running: RunningDashboard;
  let people: Record<Role, Person>;
  const sources: Record<'publisher' | 'dsp', string> = { publisher: '', dsp: '' };

  before(async function () {
    running = await startDashboard(this);
    const { exchange } = running;
    const make = async (path: string, body: object): Promise<string> => {
      const answer = await exchange.call('POST', path, body);
      expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
      return answer.body.id;
    };
    sources.publisher = await make('/api/supply/sources', { name: 'Harbour', domain: 'harbour.example', type: 'web' });
    sources.dsp = await make('/api/demand/sources', { name: 'Outdoor', mode: 'delegate' });
    const ofSource = (type: 'publisher' | 'dsp') =>
      newPerson(exchange, { email: `${type}@source.test`, role: 'source', source: { type, id: sources[type] } });
    people = {
      operator: exchange.admin,
      member: await newPerson(exchange, { email: 'member@exchange.test', role: 'member' }),
      publisher: await ofSource('publisher'),
      dsp: await ofSource('dsp'),
    };
  });
  after(() => running?.stop());

  const heading = (page: Page) => page.getByRole('heading', { level: 1 }).textContent();
  const linksOf = (page: Page, navigation: string) =>
    page.getByRole('navigation', { name: navigation, exact: true }).getByRole('link').allTextContents();
  const statusOf = (page: Page, path: string) =>
    page.evaluate(`fetch('${path}').then(({ status }) => status)`) as Promise<number>;

  for (const { role, navigation, sections, refused } of ROLES) {
    it(`shows ${role} its own places and sections of the settings, and no other`, async () => {
      const { page, context, complaints } = await running.visit('/settings', { as: people[role] });
      await settled(page);
      expect(await linksOf(page, 'Main')).to.deep.equal(navigation);
      expect(await linksOf(page, 'Settings')).to.deep.equal(sections);
      for (const [path, call] of refused) {
        await page.goto(path);
        await settled(page);
        expect(await heading(page), path).to.equal('This is not for you to see');
        expect(await page.title(), path).to.equal('This is not for you to see · Ad exchange');
        expect(await statusOf(page, call), `${call} as ${role}`).to.equal(403);
      }
      complaints.expectNone();
      await context.close();
    });
  }

  it('leads from a page that is not for a reader to the first that is, at 390 pixels, light and dark', async () => {
    for (const scheme of ['light', 'dark'] as const) {
      const visited = await running.visit('/supply', { as: people.dsp, width: 390, scheme });
      await expectAccessible(visited.page);
      await expectNoOverflow(visited.page);
      await visited.page.getByRole('link', { name: 'Go to the overview' }).click();
      await visited.page.getByRole('heading', { level: 1, name: 'Outdoor' }).waitFor();
      await close(visited);
    }
  });

  it('keeps the source of one from the people of the other', async () => {
    for (const [role, path] of [
      ['dsp', `/api/supply/sources/${sources.publisher}`],
      ['publisher', `/api/demand/sources/${sources.dsp}`],
    ] as const) {
      const visited = await running.visit('/', { as: people[role] });
      expect(await statusOf(visited.page, path), path).to.equal(403);
      await close(visited);
    }
  });

  it('says that an address has no page where the user may see none', async () => {
    for (const path of ['/settings/nowhere', '/supply/nowhere/at/all']) {
      const visited = await running.visit(path, { as: people.member });
      expect(await heading(visited.page)).to.equal('There is no such page');
      await close(visited);
    }
  });

  it('asks those who are not logged in to do so, and then shows what they came for, with its query', async () => {
    const visited = await running.visit('/settings/fees?of=demand', { as: null });
    const { page } = visited;
    await page.waitForURL(/\/login\?next=/);
    expect(new URL(page.url()).searchParams.get('next')).to.equal('/settings/fees?of=demand');
    expect(await statusOf(page, '/api/overview')).to.equal(401);
    await page.getByLabel('Email').fill(people.member.email);
    await page.getByRole('textbox', { name: 'Password' }).fill(people.member.password);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/settings/fees?of=demand');
    await page.getByRole('radio', { name: 'Demand sources', checked: true }).waitFor({ state: 'attached' });
    await page.getByText('Outdoor').waitFor();
    expect(await page.getByRole('textbox', { name: 'Fee of Outdoor in percent' }).count()).to.equal(0);
    await close(visited);
  });

  async function close({ complaints, context }: VisitedPage): Promise<void> {
    complaints.expectNone();
    await context.close();
  }
});
