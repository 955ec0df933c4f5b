import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { session } from '../../actors/session/session.ts';
import { makeSessionToken, readSessionToken } from '../../gateways/management/identity/session-token.ts';
import { systemRandom } from '../../runtime/providers/system/system-random.ts';
import { eventually } from '../support/eventually.ts';
import { callJson } from '../support/exchange.ts';
import { againstExchange, errorOf } from './against-exchange.ts';
import { shows } from './shows.ts';

const hourMs = 3_600_000;

againstExchange('keys and sessions', (exchange) => {
  const api = (method: string, path: string, headers: Record<string, string>, body?: unknown) =>
    callJson(method, `${exchange.running.baseUrl}${path}`, body, headers);
  const withKey = (key: string, path = '/api/supply/sources') => api('GET', path, { 'X-API-Key': key });
  let user: { Cookie: string };

  before(async () => {
    user = { Cookie: await exchange.running.logIn() };
  });

  const makeKey = async () => {
    const answer = await api('POST', '/api/keys', user, { name: 'A server', environment: 'live' });
    expect(answer.status).to.equal(201);
    return answer.body;
  };
  const publisher = () => exchange.create('/api/supply/sources', { domain: 'd.example', type: 'web' });
  const demand = () => exchange.create('/api/demand/sources', { mode: 'delegate' });
  const sourceKey = async (path: string): Promise<string> => {
    const answer = await api('POST', `${path}/key`, user);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
    return answer.body.key;
  };
  const adRequest = (publisherId: string, key: string) =>
    callJson(
      'POST',
      `${exchange.running.edgeUrl}/rtb`,
      { id: randomUUID(), imp: [{ id: '1', banner: { w: 300, h: 250 } }], site: { id: publisherId } },
      { 'X-API-Key': key },
    );

  shows(['auth.keys.create', 'auth.api-key.live', 'auth.api-key.sandbox'], async () => {
    const { id, key } = await makeKey();
    expect(key).to.match(/^pk_live_/);
    const rehearsing = await api('POST', '/api/keys', user, { name: 'A rehearsal', environment: 'sandbox' });
    expect(rehearsing.body.key).to.match(/^pk_sandbox_/);
    expect((await withKey(rehearsing.body.key)).status).to.equal(200);
    expect((await withKey(key)).status).to.equal(200);
    const { body } = await api('GET', '/api/keys', user);
    expect(body.keys.map((one: { id: string }) => one.id)).to.include(id);
    expect(JSON.stringify(body)).not.to.include(key);
    const byKey = await exchange.call('POST', '/api/keys', { name: 'x', environment: 'live' });
    expect(errorOf(byKey)).to.equal('403 FORBIDDEN');
  });

  shows('auth.keys.rotate', async () => {
    const [ended, overlapping] = [await makeKey(), await makeKey()];
    const atOnce = await api('POST', `/api/keys/${ended.id}/rotate`, user);
    const later = await api('POST', `/api/keys/${overlapping.id}/rotate`, user, { overlap_seconds: 1 });
    expect([atOnce.status, later.status]).to.deep.equal([201, 201]);
    for (const { key } of [atOnce.body, later.body]) expect((await withKey(key)).status).to.equal(200);
    expect((await withKey(ended.key)).status).to.equal(401);
    await eventually('the overlap to end', async () => (await withKey(overlapping.key)).status === 401);
  });

  shows('auth.keys.revoke', async () => {
    const { id, key } = await makeKey();
    const { id: publisherId } = await publisher();
    await eventually('the edge to know the key', async () => (await adRequest(publisherId, key)).status === 204);
    expect((await api('DELETE', `/api/keys/${id}`, user)).status).to.equal(204);
    expect(errorOf(await withKey(key))).to.equal('401 UNAUTHORIZED');
    await eventually('the edge to refuse the key', async () => (await adRequest(publisherId, key)).status === 401);
  });

  shows('auth.source-key.pub', async () => {
    const key = await sourceKey(`/api/supply/sources/${(await publisher()).id}`);
    expect(key).to.match(/^pub_\d{10}_[0-9a-f]{32,}$/);
  });
  shows('auth.source-key.dsp', async () => {
    const key = await sourceKey(`/api/demand/sources/${(await demand()).id}`);
    expect(key).to.match(/^dsp_\d{10}_[0-9a-f]{32,}$/);
  });

  shows('auth.source-key.shown', async () => {
    for (const path of [
      `/api/supply/sources/${(await publisher()).id}`,
      `/api/demand/sources/${(await demand()).id}`,
    ]) {
      const key = await sourceKey(path);
      expect((await api('GET', `${path}/key`, user)).body.key).to.equal(key);
      expect(errorOf(await exchange.get(`${path}/key`))).to.equal('403 FORBIDDEN');
    }
  });

  shows('auth.source-key.scope', async () => {
    const [{ id: publisherId }, { id: dspId }] = [await publisher(), await demand()];
    const [pub, dsp] = [
      await sourceKey(`/api/supply/sources/${publisherId}`),
      await sourceKey(`/api/demand/sources/${dspId}`),
    ];
    expect((await withKey(pub, '/api/source/report')).body.publisher_id).to.equal(publisherId);
    expect((await withKey(dsp, '/api/demand/report')).body.dsp_id).to.equal(dspId);
    for (const path of [`/api/supply/sources/${publisherId}`, '/api/metrics', '/api/demand/report', '/api/keys']) {
      expect(errorOf(await withKey(pub, path)), path).to.equal('403 FORBIDDEN');
    }
    expect(errorOf(await withKey(dsp, '/api/source/report'))).to.equal('403 FORBIDDEN');
    expect(errorOf(await exchange.get('/api/source/report'))).to.equal('403 FORBIDDEN');
  });

  shows('auth.source-key.regenerate', async () => {
    const path = `/api/supply/sources/${(await publisher()).id}`;
    const [old, fresh] = [await sourceKey(path), await sourceKey(path)];
    expect(errorOf(await withKey(old, '/api/source/report'))).to.equal('401 UNAUTHORIZED');
    expect((await withKey(fresh, '/api/source/report')).status).to.equal(200);
  });

  shows('auth.session.login', async () => {
    const { admin } = exchange.running;
    const answer = await api('POST', '/api/auth/login', {}, admin);
    expect(answer.status).to.equal(200);
    expect(answer.body.user).to.include({ email: admin.email, role: 'operator' });
    const Cookie = answer.headers.get('set-cookie')!.split(';')[0]!;
    expect((await api('GET', '/api/supply/sources', { Cookie })).status).to.equal(200);
    const wrong = await api('POST', '/api/auth/login', {}, { ...admin, password: 'wrong' });
    expect(errorOf(wrong)).to.equal('401 UNAUTHORIZED');
  });

  shows('auth.session.cookie', async () => {
    const answer = await api('POST', '/api/auth/login', {}, exchange.running.admin);
    const cookie = answer.headers.get('set-cookie');
    expect(cookie).to.match(/^exchange_session=/);
    expect(cookie)
      .to.match(/; httponly/i)
      .and.match(/; samesite=lax/i)
      .and.match(/; path=\//i);
  });

  shows(['auth.session.24h', 'limit.session'], async () => {
    const { messenger } = exchange.running.exchange.node;
    const { body } = await api('GET', '/api/auth/session', user);
    expect(Date.parse(body.expires_at)).to.be.closeTo(Date.now() + 24 * hourMs, 2 * 60_000);
    const lastUsed = async (agoMs: number) => {
      const token = makeSessionToken(body.user.id, systemRandom);
      const { sessionId } = readSessionToken(token)!;
      await messenger.ask(session, sessionId, 'open', { userId: body.user.id, epoch: 0, atMs: Date.now() - agoMs });
      return { Cookie: `exchange_session=${token}` };
    };
    const [almost, over] = [await lastUsed(24 * hourMs - 60_000), await lastUsed(24 * hourMs + 1_000)];
    expect((await api('GET', '/api/supply/sources', almost)).status).to.equal(200);
    expect(errorOf(await api('GET', '/api/supply/sources', over))).to.equal('401 UNAUTHORIZED');
    const renewed = await api('GET', '/api/auth/session', almost);
    expect(Date.parse(renewed.body.expires_at)).to.be.closeTo(Date.now() + 24 * hourMs, 2 * 60_000);
  });

  shows('auth.partner.required', async () => {
    for (const path of ['/api/partner/publishers', '/api/partner/stats', '/api/partner/dsps', '/api/metrics/partner']) {
      expect(errorOf(await exchange.get(path)), path).to.equal('403 FORBIDDEN');
      expect(errorOf(await api('GET', path, user)), path).to.equal('403 FORBIDDEN');
    }
  });

  shows('edge.post.403.foreign-key', async () => {
    const opened = await api('POST', '/api/accounts', user, { name: 'Other', tier: 'standard' });
    expect(opened.status, JSON.stringify(opened.body)).to.equal(201);
    const stranger = { email: `${randomUUID()}@other.example`, password: randomUUID() };
    await api('POST', '/api/users', user, { ...stranger, account_id: opened.body.id });
    const other = { Cookie: await exchange.running.logIn(stranger) };
    const { body: foreign } = await api('POST', '/api/keys', other, { name: 'Foreign', environment: 'live' });
    const [{ id: publisherId }, { id: neighbourId }] = [await publisher(), await publisher()];
    const own = await sourceKey(`/api/supply/sources/${publisherId}`);
    await eventually(
      'the edge to know the publisher’s own key',
      async () => (await adRequest(publisherId, own)).status === 204,
    );
    await eventually(
      'the edge to know the foreign key',
      async () => (await adRequest(publisherId, foreign.key)).status !== 401,
    );
    expect(errorOf(await adRequest(publisherId, foreign.key))).to.equal('403 FORBIDDEN');
    expect(errorOf(await adRequest(neighbourId, own))).to.equal('403 FORBIDDEN');
  });
});
