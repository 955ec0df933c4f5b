import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect } from 'chai';
import { endWithText } from '#gateways/http/end-with-text';

const TEXT = 'é is one byte here';
const HEAD = ['Date', 'Mon, 30 Nov 2026 00:00:00 GMT', 'Content-Length', String(TEXT.length)];

type End = (response: ServerResponse) => void;
const byEnd: End = (response) => void response.end(TEXT, 'latin1');
const byText: End = (response) => endWithText(response, TEXT, 'latin1');

/** The bytes of the answers to `requests`, which are sent in one write, until the server closes the connection. */
async function answers(end: End, requests: string, order: RequestListener): Promise<string> {
  const server = createServer((request, response) => {
    response.writeHead(200, HEAD);
    order(request, response);
    response.on('answer', () => end(response));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let received = '';
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text;
  });
  socket.write(requests);
  await once(socket, 'close');
  server.close();
  return received;
}

const LAST = 'GET /2 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

describe('gateways/http/end-with-text', () => {
  for (const [what, requests] of [
    ['one request', LAST],
    ['a request for the head alone', `HEAD /1 HTTP/1.1\r\nHost: x\r\n\r\n${LAST}`],
    ['HTTP/1.0', 'GET / HTTP/1.0\r\n\r\n'],
    ['requests behind each other', `GET /1 HTTP/1.1\r\nHost: x\r\n\r\n${LAST}`],
  ] as const) {
    for (const reversed of [false, true]) {
      it(`answers as end does: ${what}${reversed ? ', the last one first' : ''}`, async () => {
        const count = requests.split('HTTP/1').length - 1;
        const compared = await Promise.all(
          [byEnd, byText].map((end) => {
            const waiting: ServerResponse[] = [];
            return answers(end, requests, (_request, response) => {
              waiting.push(response);
              if (waiting.length < count) return;
              const all = reversed ? waiting.reverse() : waiting;
              setImmediate(() => {
                for (const one of all) one.emit('answer');
              });
            });
          }),
        );
        expect(compared[1]).to.equal(compared[0]);
        expect(compared[0]!.split(TEXT).length - 1).to.equal(count - (requests.startsWith('HEAD') ? 1 : 0));
      });
    }
  }

  it('ends the answer of a caller that has hung up without an error', async () => {
    const errors: unknown[] = [];
    let ended: Promise<unknown> | null = null;
    const server = createServer((request, response) => {
      response.on('error', (error) => errors.push(error));
      response.writeHead(200, HEAD);
      request.socket.on('error', () => undefined);
      ended = once(request.socket, 'close').then(() => byText(response));
      socket.destroy();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(LAST);
    await once(server, 'request');
    await ended;
    await new Promise((resolve) => setImmediate(resolve));
    expect(errors).to.have.length(0);
    server.close();
  });
});
