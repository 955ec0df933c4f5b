import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import WebSocket from 'ws';
import { routes } from '#gateways/management/routes';
import { eventually } from '#test/support/eventually';
import { PROVIDER_PAIRS } from '#test/support/exchange';
import { errorOf } from '../management-client.ts';
import { type RunningManagement, startManagement, type UserClient } from '../running-management.ts';
import { MovedClock } from './moved-clock.ts';

for (const pair of PROVIDER_PAIRS)
  describe(`gateways/management/auth: users of a source, on ${pair}`, () => {
    const clock = new MovedClock();
    let running: RunningManagement;
    let operator: UserClient;

    before(async function () {
      running = await startManagement(this, pair, { clock });
      operator = await running.newUser(running.accountId, 'operator');
    });
    after(() => running?.close());

    const made = async (path: string, body: object): Promise<string> => {
      const answer = await running.api.post(path, { name: randomUUID(), ...body });
      expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
      return answer.body.id;
    };
    const publisher = (fields: object = {}) =>
      made('/api/supply/sources', { domain: 'd.example', type: 'web', ...fields });
    const ofPublisher = (id: string) => running.newUserOf(running.accountId, { type: 'publisher', id });
    const ofDsp = (id: string) => running.newUserOf(running.accountId, { type: 'dsp', id });

    it('read what their source’s key reads, and nothing of the account', async () => {
      const ids = [await publisher(), await made('/api/demand/sources', { mode: 'delegate' })] as const;
      const people = { 'publisher-key': await ofPublisher(ids[0]), 'dsp-key': await ofDsp(ids[1]) };
      for (const [access, { api }] of Object.entries(people)) {
        for (const route of routes) {
          const path = route.path.replace(/:\w+/g, randomUUID());
          const asked = `${route.method} ${path}`;
          if (route.access === 'public' || route.access === 'login') continue;
          const isOwn = route.access === access || route.access === access.replace('-key', '-session');
          const body = (isOwn && route.examples?.body) || {};
          const { status } = await api.request(route.method, path, route.method === 'GET' ? {} : { body });
          if (isOwn) expect(status, asked).to.be.oneOf([200, 201, 404]);
          else expect(status, asked).to.equal(403);
        }
      }
    });

    it('see in the session which source they belong to, and that it is in the sandbox', async () => {
      const id = await publisher({ sandbox: true, name: 'Rehearsal' });
      const { api } = await ofPublisher(id);
      const { body } = await api.get('/api/auth/session');
      expect(body.source).to.deep.equal({ type: 'publisher', id, name: 'Rehearsal', sandbox: true });
      expect(body.user).to.deep.include({ role: 'source', source: { type: 'publisher', id } });
      expect((await api.get('/api/source/report')).body.publisher_id).to.equal(id);
    });

    it('change their password, list and end their sessions, and log out', async () => {
      const { api, email, password } = await ofPublisher(await publisher());
      const changed = await api.put('/api/auth/password', {
        current_password: password,
        new_password: 'another one of hers',
      });
      expect([changed.status, changed.body.source.type]).to.deep.equal([200, 'publisher']);
      expect(errorOf(await api.get('/api/source/report'))).to.equal('401 UNAUTHORIZED');
      const answer = await running.anonymous.post('/api/auth/login', { email, password: 'another one of hers' });
      const again = running.anonymous.as({ Cookie: answer.headers.getSetCookie()[0]!.split(';', 1)[0]! });
      expect((await again.get('/api/auth/sessions')).body.sessions).to.have.length(2);
      await again.post('/api/auth/logout');
      expect(errorOf(await again.get('/api/source/report'))).to.equal('401 UNAUTHORIZED');
    });

    it('are out at once when they are disabled or removed', async () => {
      const id = await publisher();
      const [disabled, removed] = [await ofPublisher(id), await ofPublisher(id)];
      await operator.api.put(`/api/users/${disabled.userId}`, { status: 'disabled' });
      await operator.api.delete(`/api/users/${removed.userId}`);
      for (const { api } of [disabled, removed]) {
        expect(errorOf(await api.get('/api/source/report'))).to.equal('401 UNAUTHORIZED');
      }
    });

    it('are listed and enabled again by operators, as all users are', async () => {
      const { userId, email, password } = await ofPublisher(await publisher());
      const listed = async (query: string): Promise<string[]> => {
        const { users } = (await operator.api.get(`/api/users?account_id=${running.accountId}${query}`)).body;
        return users.map(({ id }: { id: string }) => id);
      };
      for (const query of ['', '&status=active']) expect(await listed(query), query).to.include(userId);
      await operator.api.put(`/api/users/${userId}`, { status: 'disabled' });
      expect(
        [await listed('&status=active'), await listed('&status=disabled')].map((ids) => ids.includes(userId)),
      ).to.deep.equal([false, true]);
      expect((await operator.api.put(`/api/users/${userId}`, { status: 'active' })).body.status).to.equal('active');
      expect((await running.anonymous.post('/api/auth/login', { email, password })).status).to.equal(200);
    });

    it('are listed and removed by their account’s members, of each source its own', async () => {
      const { api } = await running.newUser(running.accountId);
      const ids = [
        await publisher(),
        await publisher(),
        await made('/api/demand/sources', { mode: 'delegate' }),
      ] as const;
      const people = [await ofPublisher(ids[0]), await ofPublisher(ids[0]), await ofDsp(ids[2])] as const;
      const paths = [`/api/supply/sources/${ids[0]}`, `/api/supply/sources/${ids[1]}`, `/api/demand/sources/${ids[2]}`];
      const listed = async (path: string): Promise<string[]> => {
        const { users, total } = (await api.get(`${path}/users`)).body;
        expect(total).to.equal(users.length);
        return users.map(({ id }: { id: string }) => id);
      };
      expect(await Promise.all(paths.map(listed))).to.deep.equal([
        [people[0].userId, people[1].userId],
        [],
        [people[2].userId],
      ]);
      for (const path of [paths[1], paths[2]]) {
        expect(errorOf(await api.delete(`${path}/users/${people[0].userId}`))).to.equal('404 NOT_FOUND');
      }
      expect(errorOf(await api.delete(`${paths[0]}/users/${operator.userId}`))).to.equal('404 NOT_FOUND');
      expect((await api.delete(`${paths[0]}/users/${people[0].userId}`)).status).to.equal(204);
      expect(errorOf(await people[0].api.get('/api/source/report'))).to.equal('401 UNAUTHORIZED');
      expect((await people[1].api.get('/api/source/report')).status).to.equal(200);
      expect(await listed(paths[0]!)).to.deep.equal([people[1].userId]);
    });

    it('have no other role, even if an operator would give it', async () => {
      const { userId, api } = await ofPublisher(await publisher());
      const path = `/api/users/${userId}`;
      for (const role of ['member', 'operator']) {
        expect(errorOf(await operator.api.put(path, { role }))).to.equal('409 CONFLICT');
      }
      const made = { email: `${randomUUID()}@d.example`, password: 'a long password', role: 'source' };
      expect(errorOf(await operator.api.post('/api/users', made))).to.equal('400 VALIDATION_ERROR role');
      expect((await operator.api.put(path, { name: 'Ann' })).body).to.include({ name: 'Ann', role: 'source' });
      expect((await api.get('/api/source/report')).status).to.equal(200);
    });

    it('go on reading an archived source, as its key does: it is paid after it has ended', async () => {
      const id = await publisher();
      const { api } = await ofPublisher(id);
      await running.api.delete(`/api/supply/sources/${id}`);
      expect((await api.get('/api/source/billing')).status).to.equal(200);
      expect((await api.get('/api/auth/session')).body.source.id).to.equal(id);
    });

    it('read their own source, whatever context and partner they name', async () => {
      const { api } = await ofPublisher(await publisher());
      const elsewhere = api.as({ 'X-Sandbox': 'true', 'X-User-Partner-ID': randomUUID() });
      expect((await elsewhere.get('/api/source/report')).body).to.deep.equal(
        (await api.get('/api/source/report')).body,
      );
    });

    it('do nothing that another site asks for in their name', async () => {
      const { api } = await ofPublisher(await publisher());
      const headers = { Origin: 'https://elsewhere.example', 'Sec-Fetch-Site': 'cross-site' };
      const body = { current_password: 'x', new_password: 'a long password' };
      expect(errorOf(await api.put('/api/auth/password', body, headers))).to.equal('403 FORBIDDEN');
    });

    it('are counted with their account’s other callers', async () => {
      const { api } = await ofPublisher(await publisher());
      const left = async (client: typeof api, path: string) =>
        Number((await client.get(path)).headers.get('x-ratelimit-remaining'));
      const before = await left(running.api, '/api/account');
      expect(await left(api, '/api/source/report')).to.be.below(before);
    });

    it('keep their session while they use it, under a cookie that is given again', async () => {
      const { api } = await ofPublisher(await publisher());
      clock.move(23 * 3_600_000);
      const renewed = await api.get('/api/source/report');
      expect(renewed.headers.getSetCookie().join()).to.include('exchange_session=');
      await eventually('the use to be written down', async () => {
        const { sessions } = (await api.get('/api/auth/sessions')).body;
        return Date.parse(sessions[0].last_used_at) > clock.now() - 3_600_000;
      });
      clock.move(23 * 3_600_000);
      expect((await api.get('/api/source/report')).status).to.equal(200);
      operator = await running.newUser(running.accountId, 'operator');
    });

    it('are refused by the metrics WebSocket with 403', async () => {
      const { cookie } = await ofPublisher(await publisher());
      const url = running.baseUrl.replace('http', 'ws');
      const socket = new WebSocket(`${url}/ws/metrics`, { headers: { Cookie: cookie }, origin: running.baseUrl });
      const status = await new Promise((resolve) => {
        socket.once('unexpected-response', (_request, { statusCode }) => resolve(statusCode));
        socket.once('open', () => resolve('open'));
        socket.once('error', () => {});
      });
      socket.terminate();
      expect(status).to.equal(403);
    });
  });
