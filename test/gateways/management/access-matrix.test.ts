import { expect } from 'chai';
import { routes } from '#gateways/management/routes';
import { goodRequest, kindOf } from './access-matrix/requests.ts';
import { accessMatrix, type Expectation, readMatrix } from './access-matrix/table.ts';
import { type Credential, credentials, type Kind, World } from './access-matrix/world.ts';

/** Each route takes up to sixty requests. */
const timeoutMs = 60_000;

const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

describe('gateways/management: the access matrix', function () {
  this.timeout(timeoutMs);
  const expectations = readMatrix(
    accessMatrix,
    routes.map((route) => ({ name: nameOf(route), access: route.access, kind: kindOf(nameOf(route)) })),
  );
  let world: World;
  before(async function () {
    world = await World.start(this);
  });
  after(() => world?.close());

  it('has rows for every route that there is, and for no other', () => {
    const named = [...new Set(expectations.map(({ route }) => route))];
    expect(named.sort()).to.deep.equal(routes.map(nameOf).sort());
  });

  it('has a rule for a new route by its access and its resource, but for one that is public', () => {
    const rulesOf = (access: string, kind?: Kind) =>
      readMatrix(accessMatrix, [{ name: 'GET /api/new', access, kind }]).filter(
        ({ route }) => route === 'GET /api/new',
      );
    const likeThat = (route: string) => expectations.filter((row) => row.route === route);
    const asNew = (rows: readonly Expectation[]) => rows.map((row) => ({ ...row, route: 'GET /api/new' }));
    expect(rulesOf('operator')).to.deep.equal(asNew(likeThat('GET /api/jobs')));
    expect(rulesOf('account', 'publisher')).to.deep.equal(asNew(likeThat('GET /api/supply/sources/:id')));
    expect(rulesOf('public')).to.deep.equal([]);
    expect(rulesOf('account', 'pool'), 'of a pool the table must say which rule').to.deep.equal([]);
  });

  it('asks of a route with a resource for those of others, too', () => {
    for (const route of routes.map(nameOf).filter((name) => kindOf(name) !== undefined)) {
      const targets = expectations.filter((row) => row.route === route).map(({ target }) => target);
      expect(targets, route).to.include.members(['own', "other's", 'absent']);
    }
  });

  for (const route of routes) {
    const name = nameOf(route);
    const rows = expectations.filter((row) => row.route === name);
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

/** As the table has it, so that a difference is one of lines that can be read. */
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
