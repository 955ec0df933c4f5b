import { expect } from 'chai';
import { createClient, type ExchangeClient, type Retry } from '#client/index';
import { type RunningManagement, startManagement } from '../gateways/management/running-management.ts';
import { failureOf } from './failure-of.ts';
import { type LosingProxy, openLosingProxy } from './losing-proxy.ts';

const SOURCE = { name: 'Daily News', type: 'web', domain: 'news.example' } as const;

describe('a call of the client that fails for a moment', () => {
  let api: RunningManagement;
  let proxy: LosingProxy;
  let client: ExchangeClient;
  let retries: Retry[];
  before(async function () {
    api = await startManagement(this);
  });
  after(() => api.close());
  beforeEach(async () => {
    proxy = await openLosingProxy(api.baseUrl);
    retries = [];
    const { liveKey } = await api.newAccount();
    client = createClient({ baseUrl: proxy.baseUrl, apiKey: liveKey, onRetry: (retry) => retries.push(retry) });
  });
  afterEach(() => proxy.close());

  it('makes a resource once when the answer is lost after the exchange has acted', async () => {
    proxy.fates.push('lose', 'lose');
    const { data, status } = await client.post('/api/supply/sources', { body: SOURCE });
    expect(status).to.equal(201);
    expect(proxy.seen.map(({ method }) => method)).to.deep.equal(['POST', 'POST', 'POST']);
    expect(new Set(proxy.seen.map(({ headers }) => headers['idempotency-key'])).size).to.equal(1);
    expect(retries.map(({ attempt, error }) => [attempt, error.code])).to.deep.equal([
      [1, 'UNREACHABLE'],
      [2, 'UNREACHABLE'],
    ]);
    const { data: list } = await client.get('/api/supply/sources');
    expect(list.publishers.map(({ id }: { id: string }) => id)).to.deep.equal([data.id]);
  });

  it('makes it once when the answer is cut in the middle', async () => {
    proxy.fates.push('halve');
    await client.post('/api/supply/sources', { body: SOURCE });
    expect(proxy.seen).to.have.length(2);
    expect((await client.get('/api/supply/sources')).total).to.equal(1);
  });

  it('makes it once when no answer comes in time', async () => {
    proxy.fates.push('keep');
    await client.post('/api/supply/sources', { body: SOURCE, timeoutMs: 5_000 });
    expect(retries.map(({ error }) => error.code)).to.deep.equal(['TIMEOUT']);
    expect((await client.get('/api/supply/sources')).total).to.equal(1);
  });

  it('makes two of two calls: each has a key of its own', async () => {
    await client.post('/api/supply/sources', { body: SOURCE });
    await client.post('/api/supply/sources', { body: { ...SOURCE, name: 'Other News', domain: 'other.example' } });
    expect((await client.get('/api/supply/sources')).total).to.equal(2);
    expect(new Set(proxy.seen.map(({ headers }) => headers['idempotency-key'])).size).to.equal(3);
  });

  it('changes under If-Match what it changed itself: no 412 for the repetition', async () => {
    const { data } = await client.post('/api/supply/sources', { body: SOURCE });
    const params = { path: { id: data.id } };
    const { etag } = await client.get('/api/supply/sources/{id}', { params });
    proxy.fates.push('lose');
    const changed = await client.patch('/api/supply/sources/{id}', {
      params,
      body: { name: 'Evening News' },
      ifMatch: etag!,
    });
    expect(changed.data.name).to.equal('Evening News');
    expect(retries).to.have.length(1);
  });

  it('waits as long as it is told to', async () => {
    proxy.fates.push({ status: 503, headers: { 'Retry-After': '1' } });
    await client.get('/api/account');
    expect(retries[0]!.waitMs).to.be.within(1000, 1500);
    expect(retries[0]!.error.status).to.equal(503);
  });

  it('fails at once when it is told to come back later than a call can wait', async () => {
    proxy.fates.push({ status: 429, headers: { 'Retry-After': '900' } });
    const error = await failureOf(client.get('/api/account'));
    expect([error.status, error.retryAfterMs]).to.deep.equal([429, 900_000]);
    expect(proxy.seen).to.have.length(1);
  });

  it('gives up after as many attempts as it was allowed, with the last failure', async () => {
    proxy.fates.push('lose', 'lose', { status: 502, body: '<h1>Bad gateway</h1>' });
    const error = await failureOf(client.get('/api/account', { retries: 2 }));
    expect([error.status, error.code, error.method, error.path]).to.deep.equal([502, 'UNKNOWN', 'GET', '/api/account']);
    expect(proxy.seen).to.have.length(3);
  });

  it('fails with UNKNOWN when a success has a body that is not the exchange’s', async () => {
    const page = { status: 200, headers: { 'Content-Type': 'text/html' }, body: '<h1>Log in to the network</h1>' };
    proxy.fates.push(page, { status: 200 });
    for (const _ of ['a page', 'no body']) {
      const error = await failureOf(client.get('/api/account'));
      expect([error.status, error.code, error.method, error.path]).to.deep.equal([
        200,
        'UNKNOWN',
        'GET',
        '/api/account',
      ]);
      expect(error.message).to.equal("GET /api/account: The answer is 200 and not the exchange's.");
    }
    proxy.fates.push(page);
    const session = { email: 'ann@news.example', password: 'of this test' };
    const error = await failureOf(createClient({ baseUrl: proxy.baseUrl, session }).get('/api/account'));
    expect([error.status, error.code, error.path]).to.deep.equal([200, 'UNKNOWN', '/api/auth/login']);
  });

  it('does not repeat what is refused for good', async () => {
    await failureOf(client.get('/api/keys/{id}' as '/api/account'));
    await failureOf(client.post('/api/supply/sources', { body: { ...SOURCE, domain: '' } }));
    expect(proxy.seen).to.have.length(2);
  });

  it('does not repeat a change that takes no key after it may have been made', async () => {
    proxy.fates.push('lose');
    const error = await failureOf(client.post('/api/auth/logout'));
    expect(error.code).to.equal('UNREACHABLE');
    expect(proxy.seen).to.have.length(1);
  });

  it('is not sent when its caller ends it before', async () => {
    const ended = new AbortController();
    const onRequest = () => ended.abort(new Error('enough'));
    const stopped = createClient({ baseUrl: proxy.baseUrl, apiKey: api.liveKey, onRequest });
    const failure = await stopped.get('/api/account', { signal: ended.signal }).catch((error) => error);
    expect(failure.message).to.equal('enough');
    expect(proxy.seen).to.have.length(0);
  });

  it('ends when its caller ends it, also between two attempts', async () => {
    const ended = new AbortController();
    const impatient = createClient({
      baseUrl: proxy.baseUrl,
      apiKey: api.liveKey,
      onRetry: () => ended.abort(new Error('enough')),
    });
    proxy.fates.push('lose');
    const failure = await impatient.get('/api/account', { signal: ended.signal }).catch((error) => error);
    expect(failure.message).to.equal('enough');
    expect(proxy.seen).to.have.length(1);
  });
});
