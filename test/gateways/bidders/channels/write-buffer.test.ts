import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect } from 'chai';
import type { ChannelPool } from '#gateways/bidders/channels/channel';
import type { SocketChannel } from '#gateways/bidders/channels/socket-channel';
import { SocketChannels } from '#gateways/bidders/channels/socket-channels';
import { VirtualClock } from '#test/support/virtual-clock';
import { startRawBidder } from './raw-bidder.ts';
import { type CallEnd, RecordedCall } from './recorded-call.ts';

/** Requests of this size share the memory that they are written from. */
const BODY_BYTES = 15_000;
const ANSWER = 'HTTP/1.1 204 No Content\r\n\r\n';

describe('the memory that requests to plain sockets share', () => {
  const clock = new VirtualClock();
  const closings: (() => unknown)[] = [];
  afterEach(async () => {
    for (const close of closings.splice(0).reverse()) await close();
  });

  const poolFor = (url: URL): ChannelPool => {
    const options = { policy: { allowPrivateNetworks: true }, connectTimeoutMs: 5_000, keepAliveMs: 4_000 };
    const pool = new SocketChannels(url, ['content-type', 'application/json'], options, clock);
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
