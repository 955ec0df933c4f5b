import { connect } from 'node:net';
import { expect } from 'chai';
import { type RunningManagement, startManagement } from '../running-management.ts';

describe('gateways/management/shell/refuse-empty-headers', () => {
  let running: RunningManagement;
  before(async function () {
    running = await startManagement(this);
  });
  after(() => running.close());

  /** The whole answer to a request with one more header line, as it came: clients leave empty headers out. */
  const ask = (line: string) =>
    new Promise<string>((resolve, reject) => {
      const { hostname, port } = new URL(running.baseUrl);
      const head = [
        'GET /api/supply/sources HTTP/1.1',
        'Host: x',
        `X-API-Key: ${running.liveKey}`,
        'Connection: close',
      ];
      const socket = connect(Number(port), hostname, () => socket.write(`${[...head, line].join('\r\n')}\r\n\r\n`));
      let answer = '';
      socket.on('data', (chunk) => {
        answer += chunk;
      });
      socket.once('error', reject);
      socket.once('close', () => resolve(answer));
    });

  for (const name of ['X-Sandbox', 'X-User-Partner-ID', 'Idempotency-Key', 'If-Match']) {
    it(`answers 400 to an empty ${name}`, async () => {
      const answer = await ask(`${name}:`);
      expect(answer).to.match(/^HTTP\/1.1 400 /);
      expect(answer).to.include('INVALID_PARAMS').and.include(`"field":"${name}"`);
    });
  }

  it('lets other headers be empty', async () => {
    expect(await ask('X-Request-Id:')).to.match(/^HTTP\/1.1 200 /);
  });
});
