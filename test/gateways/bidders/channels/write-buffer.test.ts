import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createSecureContext, createServer as createTlsServer } from 'node:tls';
import { expect } from 'chai';
import type { ChannelPool } from '#gateways/bidders/channels/channel';
import type { SocketChannel } from '#gateways/bidders/channels/socket-channel';
import { SocketChannels } from '#gateways/bidders/channels/socket-channels';
import { LOCAL_CERTIFICATE } from '#test/support/local-certificate';
import { VirtualClock } from '#test/support/virtual-clock';
import { startRawBidder } from './raw-bidder.ts';
import { type CallEnd, RecordedCall } from './recorded-call.ts';

/** Requests of this size share the memory that they are written from. */
const BODY_BYTES = 15_000;
const ANSWER = 'HTTP/1.1 204 No Content\r\n\r\n';

const clock = new VirtualClock();
const HEADERS = ['content-type', 'application/json'];
const options = { policy: { allowPrivateNetworks: true }, connectTimeoutMs: 5_000, keepAliveMs: 4_000 };

describe('the memory that requests to plain sockets share', () => {
  const closings: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closings.splice(0).reverse()) await close();
  });

  const poolFor = (url: URL): ChannelPool => {
    const pool = new SocketChannels(url, HEADERS, options, clock);
    closings.push(() => pool.destroy());
    return pool;
  };

  it('is left to a request that its bidder has not read, when another bidder is called', async () => {
    const other = await startRawBidder((socket) => socket.write(ANSWER));
    closings.push(() => other.close());
    const poolOfOther = poolFor(other.url);
    const callOther = (body: Buffer): Promise<CallEnd> => {
      const call = new RecordedCall();
      poolOfOther.take(clock.monotonic()).send(call, body);
      return call.ended;
    };
    // Now there is an open connection, on which the next request leaves at once.
    expect(await callOther(Buffer.from('{}'))).to.include({ how: 'complete' });

    const unread = createServer({ pauseOnConnect: true });
    const accepted = new Promise<Socket>((resolve) => unread.once('connection', resolve));
    unread.on('connection', (socket) => closings.push(() => socket.destroy()));
    await new Promise<void>((resolve) => unread.listen(0, '127.0.0.1', resolve));
    closings.push(() => unread.close());
    const pool = poolFor(new URL(`http://127.0.0.1:${(unread.address() as AddressInfo).port}/bid`));
    const bodies: string[] = [];
    for (;;) {
      const body = `${bodies.length}`.padEnd(BODY_BYTES, '.');
      bodies.push(body);
      const call = new RecordedCall();
      const sending = new Promise<void>((resolve) => {
        call.onSending = resolve;
      });
      const channel = pool.take(clock.monotonic()) as SocketChannel;
      channel.send(call, Buffer.from(body));
      await sending;
      if (channel.hasUnsent) break;
      (await accepted).write(ANSWER);
      expect(await call.ended).to.include({ how: 'complete', status: 204 });
    }
    // The first bidder still reads nothing.
    const called = callOther(Buffer.alloc(BODY_BYTES, '#'));
    expect(await called).to.include({ how: 'complete', status: 204 });
    expect(other.requests[1]!.endsWith('#'.repeat(BODY_BYTES))).to.equal(true);

    const received = await readRequests(await accepted, bodies.length);
    expect(received.filter((text) => text.includes('#'))).to.have.length(0);
    const head = received[0]!.slice(0, -BODY_BYTES);
    expect(head.split('\r\n')).to.include.members(['POST /bid HTTP/1.1', `content-length: ${BODY_BYTES}`]);
    expect(received.findIndex((text, index) => text !== head + bodies[index])).to.equal(-1);
  });
});

describe('the memory of requests over TLS', () => {
  it('has room for requests of any length on one connection', async () => {
    let received = '';
    let connections = 0;
    const server = createTlsServer(LOCAL_CERTIFICATE, (socket) => {
      connections += 1;
      socket.on('error', () => undefined);
      socket.on('data', (bytes) => {
        received += bytes.toString('latin1');
        // Each body ends so.
        if (received.endsWith(']}')) socket.write(ANSWER);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const secureContext = createSecureContext({ ca: LOCAL_CERTIFICATE.cert });
    const url = new URL(`https://localhost:${port}/bid`);
    const pool = new SocketChannels(url, HEADERS, { ...options, secureContext }, clock);
    try {
      for (const [index, bytes] of [20, 10, 300, 5_000, 4_000, 9_000, 8_000, 30, 20_000, 6_500].entries()) {
        received = '';
        const body = `${String(index).repeat(bytes)}]}`;
        const call = new RecordedCall();
        const channel = pool.take(clock.monotonic()) as SocketChannel;
        channel.send(call, Buffer.from(body));
        expect(await call.ended).to.include({ how: 'complete', status: 204 });
        const head = ['POST /bid HTTP/1.1', `host: localhost:${port}`, 'connection: keep-alive'];
        const text = [...head, 'content-type: application/json', `content-length: ${body.length}`, '', body];
        expect(received).to.equal(text.join('\r\n'));
        // Over TLS it is known a turn later that all is written.
        while (channel.hasUnsent) await new Promise(setImmediate);
      }
      expect(connections).to.equal(1);
    } finally {
      pool.destroy();
      server.close();
    }
  });
});

/** Reads as many requests, each as long as the first one, as a socket is sent. */
async function readRequests(socket: Socket, count: number): Promise<string[]> {
  const chunks: Buffer[] = [];
  let missing = Number.POSITIVE_INFINITY;
  let length = 0;
  for await (const chunk of socket) {
    chunks.push(chunk);
    if (length === 0) {
      length = chunk.indexOf('\r\n\r\n') + 4 + BODY_BYTES;
      missing = length * count;
    }
    missing -= chunk.length;
    if (missing <= 0) break;
  }
  const text = Buffer.concat(chunks).toString('latin1');
  return Array.from({ length: count }, (_, index) => text.slice(index * length, (index + 1) * length));
}
