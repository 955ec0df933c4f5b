import { request } from 'node:http';
import { expect } from 'chai';
import { apiKey } from '#actors/api-key/api-key';
import { credentialId } from '#gateways/http/credential-id';
import { LiveRecorder } from '#gateways/live/live-recorder';
import { createManagement, type Management } from '#gateways/management/management';
import { eventually } from '../../support/eventually.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';
import { type AccountClients, type RunningManagement, startManagement } from '../management/running-management.ts';
import { MetricsClient, refusal } from './metrics-client.ts';

const PUSH_EVERY_MS = 5_000;
const FIELDS = ['type', 'timestamp', 'rps', 'fill_rate_1m', 'revenue_cents_1m'];

describe('gateways/live: the metrics WebSocket', () => {
  let running: RunningManagement;
  let own: AccountClients;
  let bearer: Record<string, string>;
  let partner: string;
  let edge: LiveRecorder;
  const clock = new VirtualClock();
  const clients: MetricsClient[] = [];
  const started: Management[] = [];

  const connect = async (headers: Record<string, string> = bearer, path?: string, baseUrl = running.baseUrl) => {
    const client = await MetricsClient.open(baseUrl, headers, path);
    clients.push(client);
    return client;
  };
  /** Time goes on until it has been sent so many messages. */
  const heard = async (client: MetricsClient, messages = 1) => {
    while (client.messages.length < messages) {
      const before = client.messages.length;
      clock.advance(PUSH_EVERY_MS);
      await eventually('the next message', () => client.messages.length > before);
    }
  };
  /** Time goes on, push by push, until it has been sent away. */
  const sentAway = (client: MetricsClient) =>
    eventually('the WebSocket to be closed', () => {
      if (client.closed === null) clock.advance(PUSH_EVERY_MS);
      return client.closed;
    });
  /** Another process of the same exchange. */
  const another = async (live: { maxSockets?: number; maxSocketsPerCredential?: number }): Promise<string> => {
    const { parts } = running;
    const management = createManagement({
      ...parts,
      settings: { ...parts.settings, live: { ...parts.settings.live, ...live } },
    });
    started.push(management);
    return `http://127.0.0.1:${await management.listen(0, '127.0.0.1')}`;
  };

  before(async function () {
    running = await startManagement(this, undefined, { clock });
    own = await running.newAccount();
    bearer = { Authorization: `Bearer ${own.liveKey}` };
    partner = (await own.api.post('/api/partners', { name: 'Partner' })).body.id;
    edge = new LiveRecorder({
      sums: running.counters.sums,
      clock,
      region: 'fra',
      ownerOf: (id) => ({ accountId: own.accountId, partnerId: id === 'partners' ? partner : null }),
    });
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.end();
    for (const management of started.splice(0)) await management.close();
  });
  after(async () => {
    await edge?.close();
    await running?.close();
  });

  it("pushes exactly these fields, every five seconds, of the live, the sandbox and a partner's context", async () => {
    edge.count('plain', false, new Map([['auctions', 100], ['imps', 200], ['filledImps', 50]])); // biome-ignore format: short
    edge.count('partners', false, new Map([['auctions', 10], ['imps', 10], ['filledImps', 10]])); // biome-ignore format: short
    edge.count('plain', true, new Map([['auctions', 1], ['imps', 1]])); // biome-ignore format: short
    edge.earned('plain', false, 123_000_000);
    await edge.flush();
    const sandboxed = { ...bearer, 'X-Sandbox': 'true' };
    const [live, ofPartner, byHeader, byQuery, byKey] = await Promise.all([
      connect(),
      connect({ ...bearer, 'X-User-Partner-ID': partner }),
      connect(sandboxed),
      connect(bearer, '/ws/metrics?sandbox=true'),
      connect({ Authorization: `Bearer ${own.sandboxKey}` }),
    ]);
    for (const client of [live, ofPartner, byHeader, byQuery, byKey]) await heard(client);
    expect(Object.keys(live.last)).to.deep.equal(FIELDS);
    expect(live.last.type).to.equal('metrics_update');
    expect(new Date(live.last.timestamp).toISOString()).to.equal(live.last.timestamp);
    // 60 of 210 imps; 12.3 cents.
    expect(live.last.fill_rate_1m).to.equal(0.2857);
    expect(live.last.revenue_cents_1m).to.equal(12);
    expect(live.last.rps).to.be.within(110 / 60 - 0.01, 110 / 55 + 0.01);
    expect(ofPartner.last.fill_rate_1m).to.equal(1);
    for (const client of [byHeader, byQuery, byKey]) {
      expect(client.last).to.include({ fill_rate_1m: 0, revenue_cents_1m: 0 });
      expect(client.last.rps).to.be.within(1 / 60, 1 / 50);
    }
    clock.advance(PUSH_EVERY_MS - 1);
    expect(await live.countAfterPing()).to.equal(1);
    clock.advance(1);
    await eventually('the second message', () => live.messages.length === 2);
    await heard(live, 3);
    const [first, second, third] = live.messages.map(({ text }) => Date.parse(JSON.parse(text).timestamp));
    expect([second! - first!, third! - second!]).to.deep.equal([PUSH_EVERY_MS, PUSH_EVERY_MS]);
  });

  it('refuses before the upgrade, as every request is refused', async () => {
    const cases: readonly [Record<string, string>, number, string][] = [
      [{}, 401, 'UNAUTHORIZED'],
      [{ Authorization: 'Bearer pk_live_nobody' }, 401, 'UNAUTHORIZED'],
      [{ Authorization: `Basic ${own.liveKey}` }, 401, 'UNAUTHORIZED'],
      [{ 'X-API-Key': 'pk_live_nobody' }, 401, 'UNAUTHORIZED'],
      [{ ...bearer, 'X-User-Partner-ID': 'ffffffff-ffff-4fff-8fff-ffffffffffff' }, 403, 'FORBIDDEN'],
      [{ ...bearer, 'X-Sandbox': 'perhaps' }, 400, 'INVALID_PARAMS'],
    ];
    for (const [headers, status, code] of cases) {
      const answer = await refusal(running.baseUrl, headers);
      expect(answer.status, JSON.stringify(headers)).to.equal(status);
      expect(answer.body.error).to.include({ code });
      expect(answer.body.error).to.have.property('request_id', answer.headers['x-request-id']);
      expect(answer.headers).to.include.all.keys('x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset');
    }
    const query = await refusal(running.baseUrl, {}, `/ws/metrics?api_key=${own.liveKey}`);
    expect(query.status).to.equal(401);
  });

  it('is no ordinary resource, and upgrades nothing else', async () => {
    const plain = await running.anonymous.as(bearer).get('/ws/metrics');
    expect([plain.status, plain.body.error.code]).to.deep.equal([400, 'INVALID_PARAMS']);
    const elsewhere = await refusal(running.baseUrl, bearer, '/ws/other');
    expect(elsewhere.status).to.equal(404);
    // What some clients send with any request is answered as if they had not (RFC 9110 §7.8).
    const status = await new Promise((resolve, reject) => {
      const headers = { Connection: 'Upgrade, HTTP2-Settings', Upgrade: 'h2c', 'HTTP2-Settings': 'AAMAAABkAAQAAP__' };
      request(`${running.baseUrl}/api/health`, { headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      })
        .on('error', reject)
        .end();
    });
    expect(status).to.equal(200);
  });

  it('takes the session of a user from our own pages alone, and ends with it', async () => {
    const user = await running.newUser(own.accountId);
    const cookie = { Cookie: user.cookie };
    expect((await refusal(running.baseUrl, cookie)).status).to.equal(403);
    expect((await refusal(running.baseUrl, { ...cookie, Origin: 'https://elsewhere.example' })).status).to.equal(403);
    const client = await connect({ ...cookie, Origin: running.baseUrl });
    await heard(client);
    await user.api.post('/api/auth/logout');
    expect(await sentAway(client)).to.include({ code: 1008 });
  });

  it('ends with its key', async () => {
    const key = `pk_live_${'k'.repeat(30)}`;
    const body = { accountId: own.accountId, environment: 'live', name: 'test', hint: key.slice(0, 12) } as const;
    await running.node.messenger.ask(apiKey, credentialId(key), 'create', body);
    const [ending, staying] = [await connect({ Authorization: `Bearer ${key}` }), await connect()];
    await heard(ending);
    await running.node.messenger.ask(apiKey, credentialId(key), 'revoke', { accountId: own.accountId });
    expect(await sentAway(ending)).to.include({ code: 1008 });
    expect(staying.closed).to.equal(null);
    expect((await refusal(running.baseUrl, { Authorization: `Bearer ${key}` })).status).to.equal(401);
  });

  it('holds so many sockets of one key, and so many in all', async () => {
    const baseUrl = await another({ maxSockets: 3, maxSocketsPerCredential: 2 });
    const first = await connect(bearer, undefined, baseUrl);
    await connect(bearer, undefined, baseUrl);
    expect((await refusal(baseUrl, bearer)).status).to.equal(429);
    const other = await running.newAccount();
    await connect({ Authorization: `Bearer ${other.liveKey}` }, undefined, baseUrl);
    const full = await refusal(baseUrl, { Authorization: `Bearer ${own.sandboxKey}` });
    expect([full.status, full.body.error.code]).to.deep.equal([503, 'SERVICE_UNAVAILABLE']);
    await first.end();
    await eventually('room for another', async () => {
      const client = await connect(bearer, undefined, baseUrl).catch(() => null);
      return client !== null;
    });
  });

  it('holds so many sockets of one account, whatever its credentials', async () => {
    const baseUrl = await another({ maxSockets: 8, maxSocketsPerCredential: 2 });
    await connect(bearer, undefined, baseUrl);
    await connect({ Authorization: `Bearer ${own.sandboxKey}` }, undefined, baseUrl);
    const full = await refusal(baseUrl, bearer);
    expect([full.status, full.body.error.message]).to.deep.equal([
      429,
      'Too many WebSockets of this account are open.',
    ]);
    const other = await running.newAccount();
    await connect({ Authorization: `Bearer ${other.liveKey}` }, undefined, baseUrl);
  });

  it('answers no flood of pings', async () => {
    const pinging = await connect();
    for (let said = 0; said < 50; said++) pinging.socket.ping();
    await heard(pinging);
    expect(pinging.closed).to.equal(null);
    for (let said = 0; said < 140; said++) pinging.socket.ping();
    // Sent away by us, or cut off by the library, whose bound is that of answers on the way.
    expect((await pinging.ended()).code).to.be.oneOf([1006, 1008]);
  });

  it('takes no messages: large ones end the connection, small ones are ignored until they are too many', async () => {
    const [large, chatty, polite] = [await connect(), await connect(), await connect()];
    large.socket.send('x'.repeat(2_000));
    expect(await large.ended()).to.include({ code: 1009 });
    polite.socket.send('{"type":"subscribe"}');
    for (let said = 0; said < 200; said++) chatty.socket.send('?');
    expect(await chatty.ended()).to.include({ code: 1008 });
    await heard(polite, 1);
    expect(polite.closed).to.equal(null);
  });

  it('closes connections when the process stops, and accepts no more', async () => {
    const baseUrl = await another({});
    const client = await connect(bearer, undefined, baseUrl);
    started[0]!.drain();
    expect(await client.ended()).to.include({ code: 1001 });
    expect((await refusal(baseUrl, bearer)).status).to.equal(503);
    await started.splice(0)[0]!.close();
  });
});
