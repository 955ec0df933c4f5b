import { expect } from 'chai';
import { routes } from '#gateways/management/routes';
import { type Declared, type Expectation, expectationsOf } from './access-matrix/expectations.ts';
import { findsNothing, goodRequest, kindOf } from './access-matrix/requests.ts';
import { closedRoutes, isWider, publicRoutes, reviewedReach } from './access-matrix/reviewed.ts';
import { type Credential, credentials, type Kind, type Target, World } from './access-matrix/world.ts';

/** Each route takes up to seventy requests. */
const timeoutMs = 180_000;

const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
const names = routes.map(nameOf);

/** What follows from the declaration, and what the test's own requests can find. */
function rowsOf(route: (typeof routes)[number]): Expectation[] {
  const rows = expectationsOf(route, kindOf(nameOf(route)));
  if (findsNothing(nameOf(route)) === undefined) return rows;
  return rows.map(({ target, answers }) => ({
    target,
    answers: Object.fromEntries(
      credentials.map((credential) => [credential, answers[credential] === 'ok' ? '404' : answers[credential]]),
    ) as Expectation['answers'],
  }));
}

describe('gateways/management: the access that is declared', () => {
  /** Rows as a reviewer writes them. */
  const cases: readonly (readonly [title: string, declared: Declared, kind: Kind | undefined, rows: string])[] = [
    [
      'is of all whose credentials are not wrong, for a public route',
      { access: 'public' },
      undefined,
      `
            none bad  live sandbox live+X member member+X operator pub  dsp  partner foreign pubU dspU
any         ok   ok   ok   ok      ok     ok     ok       ok       ok   ok   ok      403     ok   ok`,
    ],
    [
      'is of every call for the account',
      { access: 'account' },
      undefined,
      `
            none bad  live sandbox live+X member member+X operator pub  dsp  partner foreign pubU dspU
any         401  401  ok   ok      ok     ok     ok       ok       403  403  ok      403     403  403`,
    ],
    [
      'ends at the context of the call, outside which a resource does not exist',
      { access: 'account' },
      'publisher',
      `
            none bad  live sandbox live+X member member+X operator pub  dsp  partner foreign pubU dspU
own         401  401  ok   404     404    ok     404      ok       403  403  404     403     403  403
partner's   401  401  ok   404     404    ok     404      ok       403  403  ok      403     403  403
sandbox     401  401  ok   ok      ok     ok     ok       ok       403  403  404     403     403  403
other's     401  401  404  404     404    404    404      404      403  403  404     403     403  403
absent      401  401  404  404     404    404    404      404      403  403  404     403     403  403`,
    ],
    [
      'reaches what is in no environment and no partner’s, where a route says so',
      { access: 'account', reach: { environments: 'every', partners: 'every', refused: ['sandbox-key'] } },
      'pool',
      `
            none bad  live sandbox live+X member member+X operator pub  dsp  partner foreign pubU dspU
own         401  401  ok   403     ok     ok     ok       ok       403  403  ok      403     403  403
other's     401  401  404  404     404    404    404      404      403  403  404     403     403  403
absent      401  401  404  404     404    404    404      404      403  403  404     403     403  403`,
    ],
    [
      'reaches one environment alone, and for operators every account, where a route says so',
      { access: 'account', reach: { environments: 'same', operators: 'every-account' } },
      'auction',
      `
            none bad  live sandbox live+X member member+X operator pub  dsp  partner foreign pubU dspU
own         401  401  ok   404     404    ok     404      ok       403  403  404     403     403  403
partner's   401  401  ok   404     404    ok     404      ok       403  403  ok      403     403  403
sandbox     401  401  404  ok      ok     404    ok       404      403  403  404     403     403  403
other's     401  401  404  404     404    404    404      ok       403  403  404     403     403  403
absent      401  401  404  404     404    404    404      404      403  403  404     403     403  403`,
    ],
    [
      'is of sessions, and not of keys',
      { access: 'session' },
      'keyed bidder',
      `
            none bad  live sandbox live+X member member+X operator pub  dsp  partner foreign pubU dspU
own         401  401  403  403     403    ok     404      ok       403  403  403     403     403  403
partner's   401  401  403  403     403    ok     404      ok       403  403  403     403     403  403
sandbox     401  401  403  403     403    ok     ok       ok       403  403  403     403     403  403
other's     401  401  403  403     403    404    404      404      403  403  403     403     403  403
absent      401  401  403  403     403    404    404      404      403  403  403     403     403  403`,
    ],
    [
      'is of operators, for every account',
      { access: 'operator' },
      'account',
      `
            none bad  live sandbox live+X member member+X operator pub  dsp  partner foreign pubU dspU
own         401  401  403  403     403    403    403      ok       403  403  403     403     403  403
other's     401  401  403  403     403    403    403      ok       403  403  403     403     403  403
absent      401  401  403  403     403    403    403      404      403  403  403     403     403  403`,
    ],
    [
      'is of one kind of source, and of its people alone where they must be logged in',
      { access: 'publisher-session' },
      undefined,
      `
            none bad  live sandbox live+X member member+X operator pub  dsp  partner foreign pubU dspU
any         401  401  403  403     403    403    403      403      403  403  403     403     ok   403`,
    ],
  ];
  for (const [title, declared, kind, rows] of cases) {
    it(title, () => expect(`\n${inLines(expectationsOf(declared, kind))}`).to.equal(rows));
  }

  it('is public for no route but those that were reviewed', () => {
    const declared = routes.filter(({ access }) => access === 'public').map(nameOf);
    expect(declared.sort()).to.deep.equal([...publicRoutes].sort());
  });

  it('stays closed where only some callers have any business', () => {
    for (const [pattern, access] of closedRoutes) {
      const closed = routes.filter((route) => pattern.test(nameOf(route)) && !publicRoutes.includes(nameOf(route)));
      expect(closed, String(pattern)).not.to.be.empty;
      for (const route of closed) expect(route.access, nameOf(route)).to.equal(access);
    }
  });

  it('goes beyond the context of the caller for no route but those that were reviewed', () => {
    expect(Object.keys(reviewedReach).filter((name) => !names.includes(name))).to.deep.equal([]);
    for (const route of routes) {
      const reviewed = reviewedReach[nameOf(route)];
      if (reviewed !== undefined || isWider(route.reach ?? {})) {
        expect(route.reach, nameOf(route)).to.deep.equal(reviewed);
      }
    }
  });

  it('is asked, of a route with a resource, for those of others, too', () => {
    const withResource = routes.filter((route) => kindOf(nameOf(route)) !== undefined);
    expect(withResource.length).to.be.greaterThan(70);
    for (const route of withResource) {
      const targets = rowsOf(route).map(({ target }) => target);
      expect(targets, nameOf(route)).to.include.members(['own', "other's", 'absent']);
    }
  });
});

describe('gateways/management: the access matrix', function () {
  this.timeout(timeoutMs);
  let world: World;
  before(async function () {
    world = await World.start(this);
  });
  after(() => world?.close());

  it('makes what a new path names, by the route that makes such', async () => {
    expect(kindOf('GET /api/adjustments/:id/lines')).to.equal('POST /api/adjustments');
    expect(kindOf('GET /api/jobs/:name')).to.equal(undefined);
    const statusOf = async (target: Target) => {
      const id = await world.id('POST /api/supply/pools', target);
      return (await world.as('member').request('GET', `/api/supply/pools/${id}`, {})).status;
    };
    expect([await statusOf('own'), await statusOf("other's"), await statusOf('absent')]).to.deep.equal([200, 404, 404]);
  });

  for (const route of routes) {
    const name = nameOf(route);
    const rows = rowsOf(route);
    it(name, async () => {
      const met: Expectation[] = [];
      for (const row of rows) met.push({ ...row, answers: await answersOf(name, row, route.answer.status) });
      expect(inLines(met)).to.equal(inLines(rows));
    });
  }

  /** What only reads is asked all at once; after a change whoever comes next finds the world as it was. */
  async function answersOf(route: string, { target }: Expectation, success: number): Promise<Expectation['answers']> {
    const answers: Partial<Record<Credential, string>> = {};
    const ask = async (credential: Credential): Promise<void> => {
      const request = await goodRequest(world, route, target === 'any' ? 'own' : target, credential);
      const { method, path, body } = request;
      const { status } = await world.as(credential).request(method, path, body === undefined ? {} : { body });
      answers[credential] = status === success ? 'ok' : String(status);
      if (status < 300 && method !== 'GET') await world.forget(path);
    };
    if (route.startsWith('GET ')) await Promise.all(credentials.map(ask));
    else for (const credential of credentials) await ask(credential);
    return answers as Expectation['answers'];
  }
});

/** As a table, so that a difference is one of lines that can be read. */
function inLines(rows: readonly Expectation[]): string {
  const widths = credentials.map((credential) => Math.max(4, credential.length));
  const line = (first: string, cells: readonly string[]) =>
    [first.padEnd(11), ...cells.map((cell, column) => cell.padEnd(widths[column]!))].join(' ').trimEnd();
  const lines = rows.map(({ target, answers }) =>
    line(
      target,
      credentials.map((credential) => answers[credential]),
    ),
  );
  return [line('', credentials), ...lines].join('\n');
}
