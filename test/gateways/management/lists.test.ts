import { expect } from 'chai';
import { routes } from '#gateways/management/routes';
import { errorOf } from './management-client.ts';
import { type AccountClients, type RunningManagement, startManagement } from './running-management.ts';

/** Lists of what the exchange is made of, of one report, or of few things by their own bound. */
const whole = [
  'GET /api/jobs',
  'GET /api/auctions/reasons',
  'GET /api/source/reasons',
  'GET /api/demand/reasons',
  'GET /api/regions',
  'GET /api/supply/sources/:id/stored-requests',
  'GET /api/supply/sources/:id/stored-imps',
];

describe('gateways/management/lists', () => {
  let running: RunningManagement;
  let own: AccountClients;
  const names = ['Ash', 'Birch', 'Cedar', 'Dogwood', 'Elm'];

  before(async function () {
    running = await startManagement(this);
    own = await running.newAccount();
    for (const name of names) expect((await own.api.post('/api/supply/pools', { name })).status).to.equal(201);
  });
  after(() => running?.close());

  const namesIn = ({ body }: { body: { pools: { name: string }[] } }) => body.pools.map(({ name }) => name);
  const linksOf = ({ headers }: { headers: Headers }) =>
    new Map(
      [...(headers.get('link') ?? '').matchAll(/<([^>]+)>; rel="(\w+)"/g)].map(([, url, rel]) => [rel!, new URL(url!)]),
    );

  it('take page and per_page, or a cursor, wherever an answer is a list', () => {
    const lists = routes.filter(({ operationId }) => operationId.startsWith('list'));
    expect(lists).to.have.length.greaterThan(15);
    const without = lists.filter(
      ({ query }) => query?.properties.cursor === undefined && query?.properties.per_page === undefined,
    );
    for (const { method, path } of without) expect(whole).to.include(`${method} ${path}`);
  });

  it('are whole without page and per_page, with their number', async () => {
    const answer = await own.api.get('/api/supply/pools');
    expect(namesIn(answer)).to.deep.equal(names);
    expect([answer.headers.get('x-total-count'), answer.headers.get('link')]).to.deep.equal(['5', null]);
  });

  it('come in pages that their links lead through, whatever else was asked for', async () => {
    const seen: string[] = [];
    let path = '/api/supply/pools?per_page=2&sort=-name';
    for (let pages = 0; path !== ''; pages += 1) {
      expect(pages).to.be.lessThan(3);
      const answer = await own.api.get(path);
      seen.push(...namesIn(answer));
      expect(answer.headers.get('x-total-count')).to.equal('5');
      const links = linksOf(answer);
      expect(Object.fromEntries(links.get('first')!.searchParams)).to.deep.equal({
        per_page: '2',
        sort: '-name',
        page: '1',
      });
      expect(links.get('last')?.searchParams.get('page')).to.equal('3');
      expect(links.has('prev')).to.equal(pages > 0);
      const next = links.get('next');
      path = next === undefined ? '' : `${next.pathname}${next.search}`;
    }
    expect(seen).to.deep.equal([...names].reverse());
  });

  it('are empty behind their last page, from where links lead back', async () => {
    const answer = await own.api.get('/api/supply/pools?page=9&per_page=2');
    expect(namesIn(answer)).to.deep.equal([]);
    expect(linksOf(answer).get('prev')?.searchParams.get('page')).to.equal('3');
    expect(linksOf(answer).has('next')).to.equal(false);
  });

  it('keep the sandbox context in their links', async () => {
    const links = linksOf(await own.api.get('/api/demand/sources?sandbox=true&per_page=1'));
    expect(links.get('first')?.searchParams.get('sandbox')).to.equal('true');
  });

  it('refuse pages that cannot be, and orders that they do not have', async () => {
    for (const [query, field] of [
      ['page=0', 'page'],
      ['per_page=201', 'per_page'],
      ['per_page=x', 'per_page'],
      ['sort=floor', 'sort'],
    ] as const) {
      expect(errorOf(await own.api.get(`/api/supply/pools?${query}`)), query).to.equal(`400 INVALID_PARAMS ${field}`);
    }
  });

  it('keep the total that they always had where a page is asked for', async () => {
    for (const path of ['/api/webhooks', '/api/demand/sources', '/api/partners', '/api/supply/sources']) {
      const [all, page] = [await own.api.get(path), await own.api.get(`${path}?page=1&per_page=1`)];
      expect(page.status, path).to.equal(200);
      expect(page.body.total, path).to.equal(all.body.total);
      expect(page.headers.get('x-total-count'), path).to.equal(String(all.body.total));
    }
  });
});
