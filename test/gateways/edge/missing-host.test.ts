import { connect } from 'node:net';
import { expect } from 'chai';
import { EdgeUnderTest } from '../../support/edge.ts';

describe('a call of the edge without a Host header', () => {
  let edge: EdgeUnderTest;
  before(async () => {
    edge = await new EdgeUnderTest().start();
  });
  after(() => edge.close());

  /** Sends a request line with a body, and closes after the answer; resolves with all that came back. */
  const send = (requestLine: string, body = '') =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(edge.origin).port), '127.0.0.1', () =>
        socket.write(`${requestLine}\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`),
      );
      let answer = '';
      socket.on('data', (chunk) => {
        answer += chunk;
      });
      socket.once('error', reject);
      socket.once('close', () => resolve(answer));
    });

  for (const line of ['POST /rtb', 'POST /', 'GET /track/impression?id=1', 'GET /vast?site_id=pub-1', 'GET /nothing']) {
    it(`is answered 400 with an error of the catalogue: ${line}`, async () => {
      const answer = await send(`${line} HTTP/1.1`, line.startsWith('POST') ? '{}' : '');
      const [head = '', body = ''] = answer.split('\r\n\r\n');
      expect(head).to.match(/^HTTP\/1\.1 400 Bad Request\r\n/);
      const { error } = JSON.parse(body);
      expect(error).to.include({ code: 'INVALID_PARAMS', message: 'The request has no Host header.' });
      expect(head).to.include(`X-Request-Id: ${error.request_id}`);
    });
  }

  it('is taken as HTTP/1.0, which knows no Host', async () => {
    expect(await send('GET /ping HTTP/1.0')).to.match(/^HTTP\/1\.1 (?:200|204) /);
  });
});
