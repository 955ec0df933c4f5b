import { expect } from 'chai';
import { createClient, type ExchangeClient } from '#client/index';
import { VERSION } from '#client/version';
import { type RunningManagement, startManagement } from '../gateways/management/running-management.ts';
import { failureOf } from './failure-of.ts';
import { type LosingProxy, openLosingProxy } from './losing-proxy.ts';

const SOURCE = { name: 'Daily News', type: 'web', domain: 'news.example' } as const;

describe('the client of the management API', () => {
  let api: RunningManagement;
  let proxy: LosingProxy;
  let client: ExchangeClient;
  before(async function () {
    api = await startManagement(this);
    proxy = await openLosingProxy(api.baseUrl);
  });
  after(async () => {
    await proxy.close();
    await api.close();
  });
  beforeEach(async () => {
    proxy.seen.length = 0;
    client = createClient({ baseUrl: `${api.baseUrl}/`, apiKey: (await api.newAccount()).liveKey });
  });

  it('answers the body with what the headers say of it', async () => {
    const made = await client.post('/api/supply/sources', { body: SOURCE });
    expect(made.status).to.equal(201);
    const params = { path: { id: made.data.id } };
    const read = await client.get('/api/supply/sources/{id}', { params });
    expect(read.data.name).to.equal('Daily News');
    expect(read.etag).to.match(/^"\d/);
    expect(read.requestId).to.equal(read.headers.get('X-Request-Id'));
    const list = await client.get('/api/supply/sources', { params: { query: { q: 'daily' } } });
    expect([list.total, list.data.publishers[0]!.id]).to.deep.equal([1, made.data.id]);
  });

  it('answers undefined where there is no body', async () => {
    const user = await api.newUser((await api.newAccount()).accountId);
    const { email, password } = user;
    const own = createClient({ baseUrl: api.baseUrl, session: { email, password } });
    const { data: key } = await own.post('/api/keys', { body: { name: 'Reports', environment: 'live' } });
    const revoked = await own.delete('/api/keys/{id}', { params: { path: { id: key.id } } });
    expect([revoked.status, revoked.data]).to.deep.equal([204, undefined]);
  });

  it('answers tables as text', async () => {
    const { email, password } = await api.newUser(api.accountId, 'operator');
    const user = createClient({ baseUrl: api.baseUrl, session: { email, password } });
    const { data, headers } = await user.csv('/api/statements');
    expect(headers.get('Content-Type')).to.match(/^text\/csv/);
    expect(data.split('\r\n')[0]).to.contain('month');
  });

  it('fails with what the exchange says', async () => {
    const error = await failureOf(
      client.post('/api/supply/sources', { body: { ...SOURCE, domain: 'no domain', name: '' } }),
    );
    expect([error.status, error.code, error.method, error.path]).to.deep.equal([
      400,
      'VALIDATION_ERROR',
      'POST',
      '/api/supply/sources',
    ]);
    expect(error.fields.map(({ field }) => field)).to.include.members(['name', 'domain']);
    expect(error.field).to.equal(error.fields[0]!.field);
    expect(error.requestId).to.match(/^\S+$/);
    expect(error.message).to.contain('POST /api/supply/sources: ');
    const missing = await failureOf(
      client.get('/api/supply/sources/{id}', { params: { path: { id: '00000000-0000-4000-8000-000000000000' } } }),
    );
    expect([missing.status, missing.code, missing.fields]).to.deep.equal([404, 'NOT_FOUND', []]);
  });

  it('fails with UNREACHABLE where there is no exchange', async () => {
    const nobody = createClient({ baseUrl: 'http://127.0.0.1:1', apiKey: 'pk_live_x', retries: 0 });
    const error = await failureOf(nobody.get('/api/account'));
    expect([error.status, error.code]).to.deep.equal([0, 'UNREACHABLE']);
    expect(error.message).to.contain('GET /api/account: the exchange could not be reached (');
    expect(error.cause).to.be.instanceOf(Error);
  });

  it('calls in the sandbox and for a partner when it is told to', async () => {
    const { liveKey: apiKey } = await api.newAccount();
    const live = createClient({ baseUrl: api.baseUrl, apiKey });
    const { data: partner } = await live.post('/api/partners', { body: { name: 'Regional' } });
    const sandbox = createClient({ baseUrl: api.baseUrl, apiKey, sandbox: true });
    const regional = createClient({ baseUrl: api.baseUrl, apiKey, partner: partner.id });
    await sandbox.post('/api/supply/sources', { body: { ...SOURCE, name: 'Rehearsal' } });
    await regional.post('/api/supply/sources', { body: { ...SOURCE, name: 'Local' } });
    const namesOf = async (of: ExchangeClient) => {
      const names: string[] = [];
      for await (const { name } of of.iterate('/api/supply/sources')) names.push(name);
      return names;
    };
    expect(await namesOf(sandbox)).to.deep.equal(['Rehearsal']);
    expect(await namesOf(regional)).to.deep.equal(['Local']);
  });

  it('says what it is, and lets its caller see and change what it sends', async () => {
    const seeing = createClient({
      baseUrl: proxy.baseUrl,
      apiKey: api.liveKey,
      userAgent: 'reporting/2.1',
      onRequest: (request) => request.headers.set('X-Request-Id', 'from-the-caller'),
    });
    const { requestId } = await seeing.get('/api/account', { headers: { 'X-Trace': 'a' } });
    expect(requestId).to.equal('from-the-caller');
    expect(proxy.seen[0]!.headers).to.include({
      'user-agent': `reporting/2.1 ad-exchange-client/${VERSION}`,
      'x-trace': 'a',
    });
    expect(proxy.seen[0]!.headers).not.to.have.property('idempotency-key');
  });

  describe('with the session of a user', () => {
    it('logs in once, whatever is asked at once', async () => {
      const { email, password } = await api.newUser(api.accountId);
      const user = createClient({ baseUrl: proxy.baseUrl, session: { email, password } });
      await Promise.all([user.get('/api/account'), user.get('/api/keys'), user.get('/api/webhooks')]);
      const logins = proxy.seen.filter(({ url }) => url === '/api/auth/login');
      expect(logins).to.have.length(1);
      expect((await user.get('/api/auth/session')).data.user.email).to.equal(email);
    });

    it('logs in again when the session has ended, and makes the change once', async () => {
      const { email, password, userId } = await api.newUser(api.accountId);
      const user = createClient({ baseUrl: proxy.baseUrl, session: { email, password } });
      const { data } = await user.get('/api/auth/sessions');
      // Another session of the same user ends this one.
      const other = createClient({ baseUrl: api.baseUrl, session: { email, password } });
      const { data: all } = await other.get('/api/auth/sessions');
      expect(all.sessions.length).to.be.above(data.sessions.length);
      for (const { id, current } of all.sessions) {
        if (!current) await other.delete('/api/auth/sessions/{id}', { params: { path: { id } } });
      }
      const { status } = await user.post('/api/keys', { body: { name: `Of ${userId}`, environment: 'live' } });
      expect(status).to.equal(201);
      const logins = proxy.seen.filter(({ url }) => url === '/api/auth/login');
      expect(logins).to.have.length(2);
      const { data: keys } = await user.get('/api/keys');
      expect(keys.keys.filter(({ name }: { name: string }) => name === `Of ${userId}`)).to.have.length(1);
    });

    it('fails with what the exchange says of a wrong password', async () => {
      const { email } = await api.newUser(api.accountId);
      const user = createClient({ baseUrl: api.baseUrl, session: { email, password: 'not that' } });
      const error = await failureOf(user.get('/api/account'));
      expect([error.status, error.method, error.path]).to.deep.equal([401, 'POST', '/api/auth/login']);
    });
  });
});
