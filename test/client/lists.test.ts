import { expect } from 'chai';
import { createClient, type ExchangeClient } from '#client/index';
import { type RunningManagement, startManagement } from '../gateways/management/running-management.ts';
import { eventually } from '../support/eventually.ts';
import { openLosingProxy } from './losing-proxy.ts';

describe('lists and updates by the client', () => {
  let api: RunningManagement;
  let client: ExchangeClient;
  before(async function () {
    api = await startManagement(this);
  });
  after(() => api.close());
  beforeEach(async () => {
    client = createClient({ baseUrl: api.baseUrl, apiKey: (await api.newAccount()).liveKey });
  });

  const makeSources = async (count: number) => {
    for (let number = 1; number <= count; number++) {
      const body = { name: `Site ${number}`, type: 'web', domain: `site-${number}.example` } as const;
      await client.post('/api/supply/sources', { body });
    }
  };

  it('are iterated over all pages, in order, with the query of the first', async () => {
    await makeSources(5);
    const names: string[] = [];
    const query = { per_page: 2, sort: '-created_at' } as const;
    for await (const { name } of client.iterate('/api/supply/sources', { params: { query } })) names.push(name);
    expect(names).to.deep.equal(['Site 5', 'Site 4', 'Site 3', 'Site 2', 'Site 1']);
  });

  it('are asked for page by page, and no further than they are read', async () => {
    await makeSources(3);
    const proxy = await openLosingProxy(api.baseUrl);
    const counting = createClient({ baseUrl: proxy.baseUrl, apiKey: (await api.newAccount()).liveKey });
    for (const name of ['a', 'b', 'c']) await counting.post('/api/partners', { body: { name } });
    proxy.seen.length = 0;
    for await (const { data, total } of counting.pages('/api/partners', { params: { query: { per_page: 2 } } })) {
      expect(data.partners).to.have.length(2);
      expect(total).to.equal(3);
      break;
    }
    expect(proxy.seen).to.have.length(1);
    await proxy.close();
  });

  it('end at once where there is nothing', async () => {
    for await (const source of client.iterate('/api/supply/sources')) expect.fail(source.id);
  });

  it('that go by cursors are iterated too', async () => {
    const account = await api.newAccount();
    const { email, password } = await api.newUser(account.accountId, 'operator');
    const user = createClient({ baseUrl: api.baseUrl, session: { email, password } });
    for (const name of ['a', 'b', 'c', 'd']) await user.post('/api/partners', { body: { name } });
    const of = { account_id: account.accountId };
    const params = { query: { ...of, limit: 2 } };
    const everything = { query: { ...of, limit: 100 } };
    await eventually('the trail to have the partners', async () => {
      const { data } = await user.get('/api/audit-trail', { params: everything });
      return data.entries.filter((entry: { resource: string }) => entry.resource.startsWith('partner/')).length === 4;
    });
    const sizes: number[] = [];
    const ids: string[] = [];
    for await (const { data } of user.pages('/api/audit-trail', { params })) {
      sizes.push(data.entries.length);
      for (const { position } of data.entries) ids.push(position);
    }
    expect(Math.max(...sizes)).to.equal(2);
    expect(new Set(ids).size).to.equal(ids.length);
    const { data: whole } = await user.get('/api/audit-trail', { params: everything });
    expect(ids).to.deep.equal(whole.entries.map(({ position }: { position: string }) => position));
    expect(ids.length).to.be.at.least(4);
  });

  it('that are feeds end where they have no more, and are followed when asked to', async () => {
    const { data } = await client.post('/api/demand/sources', { body: { name: 'Buyer', mode: 'delegate' } });
    const params = { path: { id: data.id } };
    for await (const event of client.iterate('/api/dsp/{id}/feed', { params })) expect.fail(event.type);
    const ended = new AbortController();
    let pages = 0;
    const cursors = new Set<string>();
    const follow = { everyMs: 1 };
    const following = client.pages('/api/dsp/{id}/feed', { params, follow, signal: ended.signal });
    try {
      for await (const page of following) {
        cursors.add(page.data.next_cursor);
        if (++pages === 3) ended.abort(new Error('seen enough'));
      }
    } catch (error) {
      expect((error as Error).message).to.equal('seen enough');
    }
    expect(pages).to.equal(3);
    expect(cursors.size).to.be.at.least(1);
  });

  it('a change of what was read meets nobody else: it begins again after a 412', async () => {
    await makeSources(1);
    const { data: list } = await client.get('/api/supply/sources');
    const params = { path: { id: list.publishers[0]!.id } };
    const seen: string[] = [];
    const { data } = await client.update('/api/supply/sources/{id}', { params }, async ({ name }) => {
      seen.push(name);
      if (seen.length === 1) {
        await client.patch('/api/supply/sources/{id}', { params, body: { name: 'Renamed' } });
      }
      return { name: `${name}, daily` };
    });
    expect(seen).to.deep.equal(['Site 1', 'Renamed']);
    expect(data.name).to.equal('Renamed, daily');
  });

  it('changes nothing where there is nothing to change', async () => {
    await makeSources(1);
    const { data: list } = await client.get('/api/supply/sources');
    const params = { path: { id: list.publishers[0]!.id } };
    const before = await client.get('/api/supply/sources/{id}', { params });
    const answer = await client.update('/api/supply/sources/{id}', { params }, () => undefined);
    expect([answer.etag, answer.data.name]).to.deep.equal([before.etag, 'Site 1']);
  });

  it('gives up after five times that somebody else was first', async () => {
    await makeSources(1);
    const { data: list } = await client.get('/api/supply/sources');
    const params = { path: { id: list.publishers[0]!.id } };
    let attempts = 0;
    const changing = client.update('/api/supply/sources/{id}', { params }, async () => {
      await client.patch('/api/supply/sources/{id}', { params, body: { name: `Other ${++attempts}` } });
      return { name: 'Never' };
    });
    const error = await changing.catch((thrown) => thrown);
    expect([error.status, error.code, attempts]).to.deep.equal([412, 'PRECONDITION_FAILED', 5]);
  });
});
