import { expect } from 'chai';
import { account } from '#actors/account/account';
import type { AccountProjection } from '#actors/account/fields';
import { createManagement, type Management } from '#gateways/management/management';
import type { ManagementSettings } from '#gateways/management/settings';
import { eventually } from '#test/support/eventually';
import { type Answer, errorOf, type ManagementClient, managementClient } from '../management-client.ts';
import { type RunningManagement, startManagement } from '../running-management.ts';

const sources = '/api/supply/sources';

describe('gateways/management/shell/rates', () => {
  let running: RunningManagement;
  const opened: Management[] = [];
  before(async function () {
    running = await startManagement(this);
  });
  after(async () => {
    await Promise.all(opened.map((management) => management.close()));
    await running.close();
  });

  /** Limit, remaining and reset, as the answer says them. */
  const rateOf = ({ headers }: Answer) =>
    ['limit', 'remaining', 'reset'].map((name) => Number(headers.get(`x-ratelimit-${name}`) ?? Number.NaN));

  /** Lets the account make so many requests in a minute, and waits until the replica knows. */
  const limitTo = async (accountId: string, requestsPerMinute: number) => {
    await running.node.messenger.ask(account, accountId, 'update', { tier: 'enterprise', requestsPerMinute });
    await eventually('the replica to know the rate', () => {
      const view = running.node.replica.get<AccountProjection>(account.kind, accountId);
      return view?.requestsPerMinute === requestsPerMinute;
    });
  };
  const accountWith = async (requestsPerMinute: number) => {
    const own = await running.newAccount();
    await limitTo(own.accountId, requestsPerMinute);
    return own;
  };

  /** Another gateway on the same actors. Its callers come from addresses that they make up, behind one proxy. */
  const gateway = async (settings: Partial<ManagementSettings>): Promise<ManagementClient> => {
    const management = createManagement({ ...running.parts, settings: { ...running.parts.settings, ...settings } });
    opened.push(management);
    return managementClient(`http://127.0.0.1:${await management.listen(0, '127.0.0.1')}`);
  };
  let lastHost = 0;
  const newAddress = () => ({ 'X-Forwarded-For': `198.51.100.${++lastHost}` });

  it('counts down to the limit and refuses what goes beyond, until the minute is over', async () => {
    const { api } = await accountWith(3);
    const before = Math.floor(Date.now() / 1000);
    const remaining: number[] = [];
    for (let call = 0; call < 3; call++) {
      const answer = await api.get(sources);
      expect(answer.status).to.equal(200);
      const [limit, left, reset] = rateOf(answer);
      expect(limit).to.equal(3);
      expect(reset).to.be.within(before + 59, before + 63);
      remaining.push(left!);
    }
    expect(remaining).to.deep.equal([2, 1, 0]);
    const refused = await api.get(sources);
    expect(errorOf(refused)).to.equal('429 RATE_LIMITED');
    expect(rateOf(refused).slice(0, 2)).to.deep.equal([3, 0]);
    expect(refused.headers.get('retry-after')).to.equal('60');
    expect(refused.body.error.reset_at).to.be.closeTo(rateOf(refused)[2]!, 1);
  });

  it('writes nothing for a refused request', async () => {
    const { api, accountId } = await accountWith(1);
    await api.get(sources);
    expect(errorOf(await api.post(sources, { name: 'n', domain: 'd.example', type: 'web' }))).to.equal(
      '429 RATE_LIMITED',
    );
    const { total } = await running.store.query('publisher', { where: { accountId } });
    expect(total).to.equal(0);
  });

  it('counts all keys of an account together, and no other account', async () => {
    const { api, sandboxApi } = await accountWith(2);
    await api.get(sources);
    await sandboxApi.get(sources);
    expect(errorOf(await api.get(sources))).to.equal('429 RATE_LIMITED');
    expect(errorOf(await sandboxApi.get(sources))).to.equal('429 RATE_LIMITED');
    expect((await (await accountWith(2)).api.get(sources)).status).to.equal(200);
  });

  describe('leaves half of the limit of an account to its other credentials, whatever is asked', () => {
    /** Makes all 20 requests of the limit, of which 10 count for the account, and goes on where none is left. */
    const useUp = async (ask: () => Promise<Answer>) => {
      for (let call = 0; call < 20; call++) {
        const answer = await ask();
        expect([answer.status, rateOf(answer)[0]], `call ${call}`).to.deep.equal([200, 20]);
      }
      for (let call = 0; call < 5; call++) {
        const refused = await ask();
        expect([errorOf(refused), ...rateOf(refused).slice(0, 2)]).to.deep.equal(['429 RATE_LIMITED', 20, 0]);
      }
    };

    it('by the key of a source', async () => {
      const own = await running.newAccount();
      const user = await running.newUser(own.accountId);
      const made = await Promise.all(
        ['One', 'Two'].map((name) => own.api.post(sources, { name, domain: 'd.example', type: 'web' })),
      );
      const keys = await Promise.all(made.map(({ body }) => user.api.post(`${sources}/${body.id}/key`, {})));
      const [one, other] = keys.map(({ body }) => ({ 'X-API-Key': body.key as string }));
      await limitTo(own.accountId, 20);
      await useUp(() => running.anonymous.get('/api/source/profile', one!));
      expect((await running.anonymous.get('/api/source/profile', other!)).status).to.equal(200);
      expect((await own.api.get(sources)).status).to.equal(200);
    });

    it('and refuses the narrower ones, too, when the others have used the rest up', async () => {
      const own = await accountWith(20);
      for (let call = 0; call < 12; call++) expect((await own.sandboxApi.get(sources)).status).to.equal(200);
      for (let call = 0; call < 10; call++) expect((await own.api.get(sources)).status).to.equal(200);
      const refused = await own.sandboxApi.get(sources);
      expect([errorOf(refused), ...rateOf(refused).slice(0, 2)]).to.deep.equal(['429 RATE_LIMITED', 20, 0]);
    });

    it('by sandbox keys', async () => {
      const own = await accountWith(20);
      await useUp(() => own.sandboxApi.get(sources));
      for (let left = 9; left >= 0; left--) {
        expect(rateOf(await own.api.get(sources)).slice(0, 2)).to.deep.equal([20, left]);
      }
      expect(errorOf(await own.api.get(sources))).to.equal('429 RATE_LIMITED');
    });
  });

  it('states the figures of the account to a sandbox key where these have fewer requests left', async () => {
    const { api, sandboxApi } = await accountWith(4);
    for (let call = 0; call < 3; call++) await api.get(sources);
    expect(rateOf(await sandboxApi.get(sources)).slice(0, 2)).to.deep.equal([4, 0]);
  });

  it('counts in all processes together', async () => {
    const { api, liveKey } = await accountWith(2);
    const other = await gateway({});
    await api.get(sources);
    expect(rateOf(await other.get(sources, { 'X-API-Key': liveKey }))[1]).to.equal(0);
    expect(errorOf(await api.get(sources))).to.equal('429 RATE_LIMITED');
  });

  it('follows a change of the rate', async () => {
    const own = await accountWith(5);
    expect(rateOf(await own.api.get(sources))[0]).to.equal(5);
    await running.node.messenger.ask(account, own.accountId, 'update', { tier: 'partner' });
    await eventually('the new limit', async () => rateOf(await own.api.get('/api/health'))[0] === 5000);
  });

  it('gives a new account its rate at once', async () => {
    const { api } = await running.newAccount();
    expect(rateOf(await api.get(sources))[0]).to.equal(1_000_000);
  });

  describe('without valid credentials', () => {
    it('counts by address', async () => {
      const api = await gateway({ anonymousRequestsPerMinute: 2, trustProxyHops: 1 });
      const [one, two] = [newAddress(), newAddress()];
      expect(rateOf(await api.get('/api/health', one)).slice(0, 2)).to.deep.equal([2, 1]);
      expect((await api.get('/sellers.json', one)).status).to.equal(200);
      expect(errorOf(await api.get('/api/health', one))).to.equal('429 RATE_LIMITED');
      expect((await api.get('/api/health', two)).status).to.equal(200);
    });

    it('counts wrong keys, in a flood of which a right key still passes', async () => {
      const api = await gateway({ anonymousRequestsPerMinute: 2, trustProxyHops: 1 });
      const address = newAddress();
      const guess = () => api.get(sources, { ...address, 'X-API-Key': 'pk_live_guessed_00000000' });
      expect(errorOf(await guess())).to.equal('401 UNAUTHORIZED');
      expect(errorOf(await guess())).to.equal('401 UNAUTHORIZED');
      expect(errorOf(await guess())).to.equal('429 RATE_LIMITED');
      expect((await api.get(sources, { ...address, 'X-API-Key': running.liveKey })).status).to.equal(200);
    });

    it('takes an IPv6 /64 for one address', async () => {
      const api = await gateway({ anonymousRequestsPerMinute: 1, trustProxyHops: 1 });
      const from = (address: string) => api.get('/api/health', { 'X-Forwarded-For': address });
      expect((await from('2001:db8:0:7::1')).status).to.equal(200);
      expect((await from('2001:db8:0:7:ffff::2')).status).to.equal(429);
      expect((await from('2001:db8:0:8::1')).status).to.equal(200);
    });

    it('counts by address where the proxy states its port', async () => {
      const api = await gateway({ anonymousRequestsPerMinute: 1, trustProxyHops: 1 });
      const from = (address: string) => api.get('/api/health', { 'X-Forwarded-For': address });
      expect((await from('203.0.113.40:51234')).status).to.equal(200);
      expect((await from('203.0.113.40:51235')).status).to.equal(429);
      expect((await from('203.0.113.41:51234')).status).to.equal(200);
      expect((await from('[2001:db8:0:9::1]:51234')).status).to.equal(200);
    });

    it('believes as many proxies as are configured, and none before them', async () => {
      const api = await gateway({ anonymousRequestsPerMinute: 1, trustProxyHops: 2 });
      const { 'X-Forwarded-For': address } = newAddress();
      const from = (claimed: string) =>
        api.get('/api/health', { 'X-Forwarded-For': `${claimed}, ${address}, 10.0.0.1` });
      expect((await from('192.0.2.1')).status).to.equal(200);
      expect((await from('192.0.2.2')).status).to.equal(429);
    });

    it('lets one caller behind an unconfigured balancer use up its own share alone', async () => {
      const publicBaseUrl = 'http://exchange.example.com';
      const api = await gateway({ anonymousRequestsPerMinute: 2, trustProxyHops: 0, publicBaseUrl });
      const [one, two] = [newAddress(), newAddress()];
      for (let call = 0; call < 2; call++) expect((await api.get('/api/health', one)).status).to.equal(200);
      expect(errorOf(await api.get('/api/health', one))).to.equal('429 RATE_LIMITED');
      expect((await api.get('/api/health', two)).status).to.equal(200);
    });

    it('bounds what one private address gets by making X-Forwarded-For up', async () => {
      const publicBaseUrl = 'http://exchange.example.com';
      const api = await gateway({ anonymousRequestsPerMinute: 1, trustProxyHops: 0, publicBaseUrl });
      let passed = 0;
      for (let call = 0; call < 40; call++)
        passed += (await api.get('/api/health', newAddress())).status === 200 ? 1 : 0;
      expect(passed).to.be.at.most(20);
    });

    it('believes no X-Forwarded-For where no proxy is configured', async () => {
      const api = await gateway({ trustProxyHops: 0 });
      const [, first] = rateOf(await api.get('/api/health', newAddress()));
      const [, second] = rateOf(await api.get('/api/health', newAddress()));
      expect(second).to.be.below(first!);
    });
  });

  describe('says on every answer where the caller stands', () => {
    const cases: [what: string, status: number, ask: (api: ManagementClient) => Promise<Answer>][] = [
      ['200', 200, (api) => api.get(sources)],
      ['HEAD', 200, (api) => api.request('HEAD', sources)],
      ['an unknown path', 404, (api) => api.get('/nothing')],
      ['an unknown method', 405, (api) => api.request('PATCH', sources)],
      ['OPTIONS', 200, (api) => api.request('OPTIONS', sources)],
      [
        'a bad body',
        400,
        (api) => api.request('POST', sources, { raw: '{', headers: { 'Content-Type': 'application/json' } }),
      ],
      [
        'another media type',
        415,
        (api) => api.request('POST', sources, { raw: 'a', headers: { 'Content-Type': 'text/plain' } }),
      ],
      ['a foreign partner', 403, (api) => api.get(sources, { 'X-User-Partner-ID': 'x' })],
      ['no key', 401, () => running.anonymous.get(sources)],
      ['a wrong key', 401, () => running.anonymous.get(sources, { 'X-API-Key': 'pk_live_wrong' })],
      ['a public path', 200, () => running.anonymous.get('/api/health')],
      [
        'a preflight',
        204,
        () =>
          running.anonymous.request('OPTIONS', sources, {
            headers: { Origin: 'http://localhost:8080', 'Access-Control-Request-Method': 'PUT' },
          }),
      ],
    ];
    for (const [what, status, ask] of cases) {
      it(what, async () => {
        const answer = await ask(running.api);
        expect(answer.status).to.equal(status);
        const [limit, remaining, reset] = rateOf(answer);
        expect(limit).to.equal(1_000_000);
        expect(remaining).to.be.within(0, 1_000_000);
        expect(reset).to.be.closeTo(Date.now() / 1000, 62);
      });
    }

    it('304', async () => {
      const { body, headers } = await running.api.post(sources, { name: 'Seen', domain: 'd.example', type: 'web' });
      const tag = { 'If-None-Match': headers.get('etag')! };
      const unchanged = await running.api.get(`${sources}/${body.id}`, tag);
      expect([unchanged.status, unchanged.body]).to.deep.equal([304, null]);
      expect(rateOf(unchanged)[0]).to.equal(1_000_000);
      await running.api.put(`${sources}/${body.id}`, { name: 'Changed' });
      expect((await running.api.get(`${sources}/${body.id}`, tag)).status).to.equal(200);
    });
  });
});
