import { Agent, request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { type RunningManagement, startManagement } from '../running-management.ts';

describe('gateways/management/routing/read-body', () => {
  let running: RunningManagement;
  before(async function () {
    running = await startManagement(this);
  });
  after(() => running.close());

  const ask = (agent: Agent, method: string, headers: Record<string, string>, body?: Buffer) =>
    new Promise<number | undefined>((resolve, reject) => {
      const all = { 'X-API-Key': running.liveKey, 'Content-Type': 'application/json', ...headers };
      const asking = request(`${running.baseUrl}/api/partners`, { agent, method, headers: all }, (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode));
      });
      asking.once('error', reject);
      asking.setTimeout(5_000, () => asking.destroy(new Error('no answer')));
      asking.end(body);
    });

  const chunked = { 'Transfer-Encoding': 'chunked' };
  const gzip = { 'Content-Encoding': 'gzip' };
  for (const [what, headers, body, status] of [
    ['of a length that is too large', {}, Buffer.alloc(3_000_000, 'a'), 413],
    ['in chunks that become too many', chunked, Buffer.alloc(3_000_000, 'a'), 413],
    ['that becomes too large when decompressed', gzip, gzipSync(Buffer.alloc(200_000_000)), 413],
    ['that is not the gzip it is said to be', gzip, Buffer.alloc(500_000, 1), 400],
  ] as const) {
    it(`leaves the connection good for the next request after a body ${what}`, async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      try {
        expect(await ask(agent, 'POST', headers, body)).to.equal(status);
        expect(await ask(agent, 'GET', {})).to.equal(200);
      } finally {
        agent.destroy();
      }
    });
  }
});
