import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { Upgrades } from '#gateways/http/upgrades';
import { eventually } from '../../support/eventually.ts';

describe('gateways/http: requests that name another protocol', () => {
  let server: Server;
  let open: number;
  let begun: number;

  beforeEach(async () => {
    open = 0;
    begun = 0;
    server = createServer();
    const upgrades = new Upgrades();
    const handler: Parameters<Upgrades['serve']>[1] = (request, response) => {
      void text(request).then((body) => {
        const { connection, upgrade, 'x-kept': kept } = request.headers;
        response.end(JSON.stringify({ method: request.method, url: request.url, body, connection, upgrade, kept }));
      });
    };
    server.on('request', handler);
    upgrades.serve(server, handler);
    server.on('connection', (socket) => {
      begun += 1;
      if (socket.listenerCount('close', closed) > 0) return;
      open += 1;
      socket.on('close', closed);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });
  const closed = () => {
    open -= 1;
  };

  /** A caller that never closes its side. */
  const caller = () => {
    const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true });
    let heard = '';
    socket.on('data', (data) => {
      heard += data;
    });
    socket.on('error', () => {});
    const answers = () =>
      heard
        .split(/(?=HTTP\/1\.1 )/)
        .flatMap((one) => (one.endsWith('}') ? [JSON.parse(one.split('\r\n\r\n')[1]!)] : []));
    return { socket, answers };
  };
  const h2c =
    'Host: x\r\nX-Kept: \xe9\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n';
  const expected = { method: 'POST', url: '/a?b=c', body: 'hello', connection: 'close', kept: '\xe9' };

  for (const [body, rest] of [
    ['Content-Length: 5\r\n\r\nhello', ''],
    ['Content-Length: 5\r\n\r\n', 'hello'],
    ['Transfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n', '3\r\nllo\r\n0\r\n\r\n'],
  ] as const) {
    it(`serves them as if it were not named, with their body: ${JSON.stringify(body + rest)}`, async () => {
      const { socket, answers } = caller();
      socket.write(`POST /a?b=c HTTP/1.1\r\n${h2c}${body}`, 'latin1');
      await eventually('the request to have begun again', () => begun === 2);
      socket.write(rest);
      await eventually('an answer', () => answers().length === 1);
      expect(answers()).to.deep.equal([expected]);
      await eventually('the connection to be closed', () => open === 0);
      socket.destroy();
    });
  }

  it('closes a connection that was to be a WebSocket and was answered otherwise', async () => {
    const { socket, answers } = caller();
    socket.write('GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    await eventually('an answer', () => answers().length === 1);
    await eventually('the connection to be closed', () => open === 0);
    socket.destroy();
  });

  const first = 'GET /first HTTP/1.1\r\nHost: x\r\n';
  const second = (protocol: string) =>
    `GET /second HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`;
  const protocols = ['websocket', 'h2c'];

  it('ends the connection of a request that does not wait for the answer before it, and serves others', async () => {
    for (const protocol of protocols) {
      // The last is answered by Node itself.
      for (const before of [`${first}\r\n`, `${first}\r\n${first}\r\n`, `${first}Expect: another\r\n\r\n`]) {
        const sofar = begun;
        const { socket, answers } = caller();
        socket.write(before + second(protocol));
        await eventually('the connection to have begun', () => begun > sofar);
        await eventually('the connection to be closed', () => open === 0);
        expect(answers()).to.deep.equal([]);
        socket.destroy();
        const next = caller();
        next.socket.write(`${first}\r\n`);
        await eventually('an answer to the next caller', () => next.answers().length === 1);
        next.socket.destroy();
        await eventually('its connection to be closed', () => open === 0);
      }
    }
  });

  for (const protocol of protocols) {
    it(`serves a request for ${protocol} that follows an answer on the same connection`, async () => {
      const { socket, answers } = caller();
      socket.write(`${first}\r\n`);
      await eventually('the first answer', () => answers().length === 1);
      socket.write(second(protocol));
      await eventually('the second answer', () => answers().length === 2);
      expect(answers().map(({ url }) => url)).to.deep.equal(['/first', '/second']);
      await eventually('the connection to be closed', () => open === 0);
      socket.destroy();
    });
  }
});
