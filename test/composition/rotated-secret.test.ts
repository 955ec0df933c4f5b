import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { callJson, startTestExchange, type TestExchange } from '../support/exchange.ts';

const OLD = 'the master secret that was leaked to the world';
const NEW = 'the master secret that takes the place of it';

describe('a master secret that is changed', () => {
  let folder: string;
  let running: TestExchange | null = null;
  const keys = { BOOTSTRAP_API_KEY: `pk_live_${randomUUID()}`, ADMIN_PASSWORD: randomUUID() };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rotated-secret-'));
  });
  afterEach(async () => {
    await running?.stop();
    running = null;
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const start = async (test: Mocha.Context, environment: Record<string, string>) => {
    await running?.stop();
    running = await startTestExchange(test, 'embedded', { DATA_DIR: folder, ...keys, ...environment });
    const cookie = await running.logIn({ email: running.admin.email, password: keys.ADMIN_PASSWORD });
    const base = running.baseUrl;
    return (method: string, path: string, body?: unknown) =>
      callJson(method, `${base}${path}`, body, { Cookie: cookie });
  };

  it('shows the keys of sources by the earlier secret, and without it once they are sealed anew', async function () {
    const first = await start(this, { SECRET_KEY: OLD });
    const source = await first('POST', '/api/supply/sources', { name: 'News', domain: 'news.example', type: 'web' });
    const demand = await first('POST', '/api/demand/sources', { name: 'Buyer', mode: 'delegate' });
    const hook = await first('POST', '/api/webhooks', { url: 'http://127.0.0.1:9/', events: ['publisher.verified'] });
    expect([source.status, demand.status, hook.status]).to.deep.equal([201, 201, 201]);
    const paths = [`/api/supply/sources/${source.body.id}/key`, `/api/demand/sources/${demand.body.id}/key`];
    for (const path of paths) expect((await first('POST', path)).status).to.equal(201);
    const shown = async (call: typeof first) =>
      Promise.all(paths.map(async (path) => (await call('GET', path)).body.key));
    const made = await shown(first);
    expect(made[0]).to.match(/^pub_/);

    const overlap = await start(this, { SECRET_KEY: NEW, SECRET_KEY_PREVIOUS: OLD });
    expect(await shown(overlap)).to.deep.equal(made);
    await overlap('POST', '/api/jobs/reseal-secrets/run');
    await eventually('the secrets to be sealed anew', async () => {
      const { body } = await overlap('GET', '/api/jobs');
      const found = body.jobs.find(({ name }: { name: string }) => name === 'reseal-secrets');
      return found?.last_run?.outcome === '3 sealed anew, 0 that no SECRET_KEY opens' || null;
    });

    const after = await start(this, { SECRET_KEY: NEW });
    expect(await shown(after)).to.deep.equal(made);
  });

  it('leaves keys that were not sealed anew unreadable without the earlier secret, and says so', async function () {
    const call = await start(this, { SECRET_KEY: `${NEW}, another time` });
    const { body } = await call('GET', '/api/demand/sources');
    const buyer = body.dsps.find(({ name }: { name: string }) => name === 'Buyer');
    const answer = await call('GET', `/api/demand/sources/${buyer.id}/key`);
    expect(answer.status).to.equal(409);
    expect(answer.body.error.message).to.contain('another SECRET_KEY');
  });
});
