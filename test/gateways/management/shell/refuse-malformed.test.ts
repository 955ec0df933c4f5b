import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { refuseMalformed } from '#gateways/management/shell/refuse-malformed';
import { type RunningManagement, startManagement } from '../running-management.ts';

describe('gateways/management/shell/refuse-malformed', () => {
  let running: RunningManagement;
  before(async function () {
    running = await startManagement(this);
  });
  after(() => running.close());

  /** Sends bytes as they are; resolves with all that came back before the connection ended. */
  const send = (bytes: string) =>
    new Promise<string>((resolve, reject) => {
      const { hostname, port } = new URL(running.baseUrl);
      const socket = connect(Number(port), hostname, () => socket.write(bytes));
      let answer = '';
      socket.on('data', (chunk) => {
        answer += chunk;
      });
      socket.once('error', reject);
      socket.once('close', () => resolve(answer));
    });

  for (const [what, bytes, message] of [
    ['what is no HTTP', 'hello\r\n\r\n', 'The request is no HTTP/1.1.'],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      'no HTTP/1.1',
    ],
    ['no Host', 'GET /api/health HTTP/1.1\r\nConnection: close\r\n\r\n', 'no Host header'],
    ['a target that is no URL', 'GET http://[ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 'cannot be read'],
    ['headers without end', `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 'too large'],
  ] as const) {
    it(`answers 400 to ${what}, as it answers all errors, and closes`, async () => {
      const answer = await send(bytes);
      const [head = '', body = ''] = answer.split('\r\n\r\n');
      expect(head).to.match(/^HTTP\/1\.1 400 Bad Request\r\n/);
      expect(head)
        .to.match(/^X-RateLimit-Remaining: \d+$/m)
        .and.match(/^Connection: close$/m);
      const { error } = JSON.parse(body);
      expect(error).to.include({ code: 'INVALID_PARAMS' });
      expect(error.message).to.include(message);
      expect(head).to.include(`X-Request-Id: ${error.request_id}`);
    });
  }

  it('ends the connection of a caller that it cannot answer', async () => {
    const rates = { ...running.parts.rates, consume: () => Promise.reject(new Error('no counts')) };
    const server = createServer();
    refuseMalformed(server, { ...running.parts, rates });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write('hello\r\n\r\n');
    expect(await text(socket)).to.equal('');
    server.close();
  });

  it('goes on serving', async () => {
    await send('\0\0\0\0');
    expect((await running.api.get('/api/health')).status).to.equal(200);
  });
});
