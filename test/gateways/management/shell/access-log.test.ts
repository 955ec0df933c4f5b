import { connect } from 'node:net';
import { Writable } from 'node:stream';
import { expect } from 'chai';
import { pino } from 'pino';
import { createManagement } from '#gateways/management/management';
import { eventually } from '#test/support/eventually';
import { type ManagementClient, managementClient } from '../management-client.ts';
import { type RunningManagement, startManagement } from '../running-management.ts';

type Line = Record<string, unknown>;

describe('gateways/management/shell/access-log', () => {
  let running: RunningManagement;
  let written = '';
  let close: () => Promise<void>;
  let api: ManagementClient;
  let baseUrl: string;

  before(async function () {
    running = await startManagement(this);
    const stream = new Writable({
      write(chunk, _encoding, done) {
        written += chunk;
        done();
      },
    });
    const { parts } = running;
    const management = createManagement({
      ...parts,
      logger: pino({ level: 'debug' }, stream),
      settings: { ...parts.settings, trustProxyHops: 1 },
    });
    baseUrl = `http://127.0.0.1:${await management.listen(0, '127.0.0.1')}`;
    api = managementClient(baseUrl);
    close = () => management.close();
  });
  after(async () => {
    await close();
    await running.close();
  });

  /** The line that the request of this id left. */
  const lineOf = (requestId: string, message = 'answered'): Promise<Line> =>
    eventually('the line of the request', () =>
      written
        .split('\n')
        .filter((line) => line !== '')
        .map((line): Line => JSON.parse(line))
        .find((line) => line.requestId === requestId && line.msg === message),
    );

  it('has a line for each answer, with the route and who asked', async () => {
    const source = { name: 'Logged', domain: 'd.example', type: 'web' };
    const { body } = await running.api.post('/api/supply/sources', source);
    const headers = { 'X-Request-Id': 'logged-1', 'X-API-Key': running.liveKey, 'X-Forwarded-For': '192.0.2.77' };
    const answer = await api.get(`/api/supply/sources/${body.id}?sandbox=false`, headers);
    const line = await lineOf('logged-1');
    expect(line).to.include({
      level: 30,
      method: 'GET',
      route: '/api/supply/sources/:id',
      status: 200,
      account: running.accountId,
      credential: 'api-key',
      sandbox: false,
      address: '192.0.2.0/24',
      bytes: Number(answer.headers.get('content-length')),
    });
    expect(line.key).to.be.a('string').and.not.equal('');
    expect(line.durationMs).to.be.a('number').above(0);
  });

  it('has one for a caller that went away, and knows where it was', async () => {
    const head = [
      'POST /api/supply/sources HTTP/1.1',
      'Host: x',
      `X-API-Key: ${running.liveKey}`,
      'X-Request-Id: logged-3',
      'Content-Type: application/json',
      'Content-Length: 1000',
      // Answered at once, so that it is known when the request is under way.
      'Expect: 100-continue',
    ];
    const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    await new Promise((resolve) => socket.once('data', resolve));
    socket.resetAndDestroy();
    const line = await lineOf('logged-3', 'cut short');
    expect(line).to.include({ route: '/api/supply/sources', address: '127.0.0.0/24' });
  });

  it('has one for what is refused before it is known who asks', async () => {
    await api.get('/api/supply/sources', { 'X-Request-Id': 'logged-2', 'X-API-Key': 'pk_live_nobodys' });
    expect(await lineOf('logged-2')).to.include({ status: 401, route: '/api/supply/sources', credential: null });
  });

  it('holds no secret, nothing of bodies and queries, no whole address, and no unknown path', async () => {
    const secrets = {
      key: running.liveKey,
      wrongKey: 'pk_live_wrong-but-secret',
      cookie: 'cookie-of-a-session',
      password: 'password-in-a-body',
      body: 'name-in-a-body',
      query: 'device-id-in-a-query',
      path: 'secret-in-a-path',
      idempotency: 'idempotency-key-of-mine',
      bearer: 'bearer-token',
      address: '192.0.2.78',
    };
    const ids = ['a', 'b', 'c', 'd', 'e'].map((id) => `secret-run-${id}`);
    const common = (id: number, key = secrets.key) => ({
      'X-Request-Id': ids[id]!,
      'X-API-Key': key,
      'X-Forwarded-For': secrets.address,
      Authorization: `Bearer ${secrets.bearer}`,
      'Idempotency-Key': secrets.idempotency,
    });
    await api.post('/api/supply/sources', { name: secrets.body, domain: 'd.example', type: 'web' }, common(0));
    await api.post('/api/supply/sources', { name: secrets.body, [secrets.password]: 1 }, common(1));
    await api.get(`/api/supply/sources?status=${secrets.query}`, common(2));
    await api.get(`/${secrets.path}`, common(3));
    await api.get('/api/supply/sources', {
      ...common(4, secrets.wrongKey),
      Cookie: `exchange_session=${secrets.cookie}`,
    });
    for (const id of ids) await lineOf(id);
    for (const [what, secret] of Object.entries(secrets)) expect(written, what).not.to.include(secret);
  });

  it('can be switched off', async () => {
    const lines: string[] = [];
    const logger = { ...running.parts.logger, info: (_: object, message: string) => void lines.push(message) };
    const settings = { ...running.parts.settings, accessLog: false };
    const management = createManagement({ ...running.parts, logger, settings });
    const quiet = managementClient(`http://127.0.0.1:${await management.listen(0, '127.0.0.1')}`);
    await quiet.get('/api/health');
    // Every line of a request is written before its connection is gone.
    await management.close();
    expect(lines).to.deep.equal([]);
  });
});
