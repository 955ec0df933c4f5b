import { expect } from 'chai';
import type { ManagementDeps } from '#gateways/management/deps';
import { createManagement, type Management } from '#gateways/management/management';
import { ActorTimeout, LogUnavailable, Overloaded, Parked, StoreUnavailable } from '#runtime/actor/errors';
import { errorOf, type ManagementClient, managementClient } from './management-client.ts';
import { type RunningManagement, startManagement } from './running-management.ts';

const secret = 'mongodb://user:password@10.0.0.7';

describe('gateways/management/failures', () => {
  let running: RunningManagement;
  const opened: Management[] = [];

  before(async function () {
    running = await startManagement(this);
  });
  after(async () => {
    await Promise.all(opened.map((management) => management.close()));
    await running.close();
  });

  /** A second gateway on the same actors, of which one part fails. */
  const withParts = async (parts: Partial<ManagementDeps>) => {
    const logged: object[] = [];
    const error = (fields: object) => void logged.push(fields);
    const logger = { ...running.parts.logger, error };
    const management = createManagement({ ...running.parts, logger, ...parts });
    opened.push(management);
    const port = await management.listen(0, '127.0.0.1');
    const anonymous = managementClient(`http://127.0.0.1:${port}`);
    return { anonymous, api: anonymous.as({ 'X-API-Key': running.liveKey }), logged };
  };
  const failingAsks = (failure: Error) => ({
    messenger: { tell: running.parts.messenger.tell, ask: () => Promise.reject(failure) },
  });
  const body = { name: 'Any', domain: 'd.example', type: 'web' };

  for (const failure of [
    new ActorTimeout(secret),
    new Overloaded(secret),
    new LogUnavailable(secret),
    new StoreUnavailable(secret),
  ]) {
    it(`answers 503 and when to come back on ${failure.name}`, async () => {
      const { api, logged } = await withParts(failingAsks(failure));
      const answer = await api.post('/api/supply/sources', body);
      expect(errorOf(answer)).to.equal('503 SERVICE_UNAVAILABLE');
      expect(answer.headers.get('retry-after')).to.equal('30');
      expect(JSON.stringify(answer.body)).not.to.include('mongodb');
      expect(logged).to.have.length(1);
    });
  }

  for (const failure of [new Parked(secret), new TypeError(secret)]) {
    it(`answers 500 and says nothing of itself on ${failure.name}`, async () => {
      const { api, logged } = await withParts(failingAsks(failure));
      const answer = await api.post('/api/supply/sources', body);
      expect(errorOf(answer)).to.equal('500 INTERNAL_ERROR');
      expect(JSON.stringify(answer.body)).not.to.include('mongodb');
      expect(logged).to.have.length(1);
      expect(logged[0]).to.deep.include({ err: failure, requestId: answer.body.error.request_id });
    });
  }

  it('answers 503 while the store is away, and health says so', async () => {
    const away = () => Promise.reject(new StoreUnavailable('away'));
    const store = { ...running.store, query: away, load: away, healthy: async () => false };
    const { api } = await withParts({ store });
    expect(errorOf(await api.get('/api/supply/sources'))).to.equal('503 SERVICE_UNAVAILABLE');
    expect((await api.get('/api/health')).body.status).to.equal('degraded');
  });

  describe('while the store is away and credentials cannot be looked up', () => {
    const away = () => Promise.reject(new StoreUnavailable('away'));
    let headersOf: Record<'session' | 'source key', Record<string, string>>;
    let api: ManagementClient;

    before(async () => {
      const { cookie, api: ann } = await running.newUser(running.accountId);
      const source = await ann.post('/api/supply/sources', body);
      const { key } = (await ann.post(`/api/supply/sources/${source.body.id}/key`)).body;
      headersOf = { session: { Cookie: cookie }, 'source key': { 'X-API-Key': key } };
      const store = { ...running.store, query: away, load: away, healthy: async () => false };
      api = (await withParts({ store })).anonymous;
    });

    for (const credential of ['session', 'source key'] as const) {
      it(`answers the same with a ${credential} as without one`, async () => {
        const headers = headersOf[credential];
        const health = await api.get('/api/health', headers);
        expect([health.status, health.body.status]).to.deep.equal([200, 'degraded']);
        expect((await api.get('/sellers.json', headers)).status).to.equal(200);
      });

      it(`refuses a ${credential}`, async () => {
        for (const path of ['/api/supply/sources', '/api/users', '/api/keys', '/api/source/report']) {
          expect(errorOf(await api.get(path, headersOf[credential]))).to.equal('503 SERVICE_UNAVAILABLE');
        }
      });
    }

    it('still refuses what another site sends', async () => {
      const headers = { ...headersOf.session, 'Sec-Fetch-Site': 'cross-site' };
      expect(errorOf(await api.post('/api/auth/logout', undefined, headers))).to.equal('403 FORBIDDEN');
    });
  });

  it('answers what is under way before it closes, and takes nothing after', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let arrived = () => {};
    const underWay = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const healthy = async () => {
      arrived();
      await held;
      return true;
    };
    const management = createManagement({ ...running.parts, store: { ...running.store, healthy } });
    const baseUrl = `http://127.0.0.1:${await management.listen(0, '127.0.0.1')}`;
    const answering = fetch(`${baseUrl}/api/health`);
    await underWay;
    const closing = management.close();
    release();
    const answer = await answering;
    expect([answer.status, answer.headers.get('connection')]).to.deep.equal([200, 'close']);
    await closing;
    const refused = await fetch(`${baseUrl}/api/health`).catch(() => 'refused');
    expect(refused).to.equal('refused');
  });
});
