import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { ChannelPool } from '#gateways/bidders/channels/channel';
import type { SocketChannel } from '#gateways/bidders/channels/socket-channel';
import { SocketChannels } from '#gateways/bidders/channels/socket-channels';
import { UndiciChannels } from '#gateways/bidders/channels/undici-channels';
import { LOCAL_CERTIFICATE } from '#test/support/local-certificate';
import { VirtualClock } from '#test/support/virtual-clock';
import { type RawBidder, type RawScript, startRawBidder } from './raw-bidder.ts';
import { type CallEnd, RecordedCall } from './recorded-call.ts';

const BODY = Buffer.from('{"id":"r","imp":[{"id":"1"}]}');
const HEADERS = ['content-type', 'application/json', 'x-openrtb-version', '2.6'];
const sized = (body: string, more = ''): string =>
  `HTTP/1.1 200 OK\r\n${more}Content-Length: ${body.length}\r\n\r\n${body}`;

const clock = new VirtualClock();
const options = { policy: { allowPrivateNetworks: true }, connectTimeoutMs: 5_000, keepAliveMs: 4_000 };
const CLIENTS: Readonly<Record<string, (url: URL) => ChannelPool>> = {
  sockets: (url) => new SocketChannels(url, HEADERS, options, clock),
  undici: (url) => new UndiciChannels(url, HEADERS, options),
};

/** Answers byte by byte, each in a write and a turn of its own. */
async function drip(socket: Socket, answer: string): Promise<void> {
  for (const byte of Buffer.from(answer, 'latin1')) {
    if (socket.destroyed) return;
    await new Promise((resolve) => socket.write(Buffer.of(byte), resolve));
  }
}

const answers: readonly (readonly [what: string, answer: string, end: Partial<CallEnd>])[] = [
  ['a length', sized('{}'), { how: 'complete', status: 200, body: '{}' }],
  ['a length of nothing', sized(''), { how: 'complete', status: 200, body: '' }],
  ['204', 'HTTP/1.1 204 No Content\r\n\r\n', { how: 'complete', status: 204, body: '' }],
  [
    'chunks with extensions and trailers',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a=b;c="d"\r\n{"\r\n0004\r\na":1\r\n1\r\n}\r\n0;last\r\nX-Sum: 1\r\n\r\n',
    { how: 'complete', status: 200, body: '{"a":1}' },
  ],
  [
    '1xx before the answer',
    `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${sized('{}')}`,
    { how: 'complete', status: 200, body: '{}' },
  ],
  [
    'HTTP/1.0 until the connection closes',
    'HTTP/1.0 200 OK\r\n\r\n{"a":2}',
    { how: 'complete', status: 200, body: '{"a":2}' },
  ],
  [
    'HTTP/1.1 until the connection closes',
    'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{}',
    { how: 'complete', body: '{}' },
  ],
  [
    'an error with a body',
    `HTTP/1.1 503 No\r\nContent-Length: 4\r\n\r\nbusy`,
    { how: 'complete', status: 503, body: 'busy' },
  ],
  [
    'gzip',
    sized(gzipSync('{}').toString('latin1'), 'content-encoding: GZIP\r\n'),
    { how: 'complete', coding: 'gzip', body: gzipSync('{}').toString('latin1') },
  ],
  ['a coding that was not offered', sized('x', 'Content-Encoding: br\r\n'), { how: 'complete', coding: 'unknown' }],
  ['an answer cut off', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}', { how: 'failed' }],
  ['a head cut off', 'HTTP/1.1 200 OK\r\nContent-', { how: 'failed' }],
  ['chunks cut off', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab', { how: 'failed' }],
  ['no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n\r\n\r\n', { how: 'failed' }],
  ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 4\r\n\r\n{}{}', { how: 'failed' }],
  [
    'a length and chunks',
    'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    { how: 'failed' },
  ],
  [
    'a chunk without a size',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n{}\r\n0\r\n\r\n',
    { how: 'failed' },
  ],
  ['a space before a colon', 'HTTP/1.1 200 OK\r\nContent-Length : 2\r\n\r\n{}', { how: 'failed' }],
  ['a folded header', 'HTTP/1.1 200 OK\r\nX: a\r\n b\r\nContent-Length: 2\r\n\r\n{}', { how: 'failed' }],
  [
    'a head past the bound',
    `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(17_000)}\r\nContent-Length: 2\r\n\r\n{}`,
    { how: 'failed' },
  ],
];

for (const [client, open] of Object.entries(CLIENTS)) {
  describe(`calls to a bidder over HTTP: ${client}`, () => {
    const bidders: RawBidder[] = [];
    const pools: ChannelPool[] = [];
    afterEach(async () => {
      for (const pool of pools.splice(0)) pool.destroy();
      await Promise.all(bidders.splice(0).map((bidder) => bidder.close()));
    });

    const serve = async (script: RawScript): Promise<RawBidder> => {
      const bidder = await startRawBidder(script);
      bidders.push(bidder);
      return bidder;
    };
    const poolOf = ({ url }: RawBidder): ChannelPool => {
      const pool = open(url);
      pools.push(pool);
      return pool;
    };
    const call = async (pool: ChannelPool): Promise<CallEnd> => {
      const recorded = new RecordedCall();
      pool.take(clock.monotonic()).send(recorded, BODY);
      return recorded.ended;
    };

    it('sends one request, with its path, host, headers and length', async () => {
      const bidder = await serve((socket) => socket.write(sized('{}')));
      expect(await call(poolOf(bidder))).to.include({ how: 'complete', body: '{}' });
      const [head, body] = bidder.requests[0]!.split('\r\n\r\n');
      expect(body).to.equal(BODY.toString());
      const lines = head!.toLowerCase().split('\r\n');
      expect(lines[0]).to.equal('post /bid?seat=1 http/1.1');
      expect(lines).to.include.members([
        `host: ${bidder.url.host}`,
        'content-type: application/json',
        'x-openrtb-version: 2.6',
        `content-length: ${BODY.length}`,
      ]);
    });

    for (const [what, answer, end] of answers) {
      it(`reads ${what}, whole and byte by byte, and makes the next call`, async () => {
        const closes = end.how !== 'complete' || /HTTP\/1\.0|Connection: close/.test(answer);
        const bidder = await serve((socket) => {
          if (closes) socket.end(answer, 'latin1');
          else socket.write(answer, 'latin1');
        });
        const pool = poolOf(bidder);
        expect(await call(pool)).to.include(end);
        const whole = bidder.script;
        bidder.script = (socket) => {
          void drip(socket, answer).then(() => closes && socket.end());
        };
        expect(await call(pool)).to.include(end);
        bidder.script = whole;
        expect(await call(pool)).to.include(end);
      });
    }

    it('makes one call after the other on one connection', async () => {
      const bidder = await serve((socket, request) => socket.write(sized(`${request.length}`)));
      const pool = poolOf(bidder);
      for (let calls = 0; calls < 20; calls++) {
        expect(await call(pool)).to.include({ how: 'complete' });
        // undici puts a connection back a turn after its call has ended.
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(bidder.connections()).to.equal(1);
    });

    it('keeps the answers of bidders apart whose bytes come in turns', async () => {
      const waiting: { socket: Socket; answer: Buffer }[] = [];
      const letters = 'abcdefgh';
      const bodyOf = (index: number): string => `${letters[index]}`.repeat(600 + index * 7);
      const bidder = await serve((socket) => {
        const body = bodyOf(waiting.length);
        const chunked = `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
        waiting.push({ socket, answer: Buffer.from(waiting.length % 2 === 0 ? sized(body) : chunked) });
        if (waiting.length === letters.length) void inTurns();
      });
      const inTurns = async (): Promise<void> => {
        for (let at = 0; waiting.some(({ answer }) => at < answer.length); at++)
          for (const { socket, answer } of waiting)
            if (at < answer.length) await new Promise((done) => socket.write(answer.subarray(at, at + 1), done));
      };
      const pool = poolOf(bidder);
      const ends = await Promise.all(Array.from(letters, () => call(pool)));
      expect(ends.map(({ body }) => body).sort()).to.deep.equal(
        Array.from(letters, (_, index) => bodyOf(index)).sort(),
      );
    });

    it('ends a call once when the bidder closes an idle connection as the request leaves', async () => {
      const bidder = await serve((socket) => socket.write(sized('{}'), () => socket.destroy()));
      const pool = poolOf(bidder);
      for (let calls = 0; calls < 50; calls++) {
        const recorded = new RecordedCall();
        pool.take(clock.monotonic()).send(recorded, BODY);
        expect((await recorded.ended).how).to.be.oneOf(['complete', 'failed']);
        expect(recorded.ends).to.equal(1);
      }
      bidder.script = (socket) => socket.write(sized('{}'));
      await bidder.waitForClosed(bidder.connections());
      expect(await call(pool)).to.include({ how: 'complete' });
    });

    it('closes the connection of a call that is given up, and says no more of it', async () => {
      const bidder = await serve(() => undefined);
      const pool = poolOf(bidder);
      const recorded = new RecordedCall();
      const sent = new Promise<void>((resolve) => {
        recorded.onSending = resolve;
      });
      const channel = pool.take(clock.monotonic());
      channel.send(recorded, BODY);
      await sent;
      await new Promise((resolve) => setImmediate(resolve));
      channel.abandon();
      await bidder.waitForClosed(1);
      expect(recorded.ends).to.equal(0);
      bidder.script = (socket) => socket.write(sized('{}'));
      expect(await call(pool)).to.include({ how: 'complete' });
    });

    it('keeps the connection of a call that was given up while it was opened', async () => {
      const bidder = await serve((socket) => socket.write(sized('{}')));
      const pool = poolOf(bidder);
      const recorded = new RecordedCall();
      recorded.givenUp = true;
      pool.take(clock.monotonic()).send(recorded, BODY);
      expect((await recorded.ended).how).to.equal('dropped');
      expect(await call(pool)).to.include({ how: 'complete' });
      expect(bidder.requests).to.have.length(1);
      expect(bidder.connections()).to.equal(1);
    });

    it('reads no more of a body that is not wanted', async () => {
      const bidder = await serve((socket) => socket.write(sized('x'.repeat(100_000))));
      const recorded = new RecordedCall();
      recorded.maxBytes = 1_000;
      const pool = poolOf(bidder);
      pool.take(clock.monotonic()).send(recorded, BODY);
      expect((await recorded.ended).how).to.equal('unwanted');
      await bidder.waitForClosed(1);
      expect(recorded.ends).to.equal(1);
    });

    it('fails calls under way when it is closed at once', async () => {
      const bidder = await serve(() => pool.destroy());
      const pool = poolOf(bidder);
      expect((await call(pool)).how).to.equal('failed');
    });

    it('ends calls under way in peace when it is closed', async () => {
      const bidder = await serve((socket) => {
        pool.close();
        socket.write(sized('{}'));
      });
      const pool = poolOf(bidder);
      expect((await call(pool)).how).to.equal('complete');
      await bidder.waitForClosed(1);
    });

    it('says that nobody listens', async () => {
      const bidder = await startRawBidder(() => undefined);
      await bidder.close();
      expect((await call(poolOf(bidder))).how).to.equal('failed');
    });
  });
}

describe('the connections of the exchange’s own client', () => {
  const pools: SocketChannels[] = [];
  const bidders: RawBidder[] = [];
  afterEach(async () => {
    for (const pool of pools.splice(0)) pool.destroy();
    await Promise.all(bidders.splice(0).map((bidder) => bidder.close()));
  });
  const openTo = async (script: RawScript) => {
    const bidder = await startRawBidder(script);
    bidders.push(bidder);
    const time = new VirtualClock();
    const pool = new SocketChannels(bidder.url, HEADERS, options, time);
    pools.push(pool);
    const call = (): Promise<CallEnd> => {
      const recorded = new RecordedCall();
      pool.take(time.monotonic()).send(recorded, BODY);
      return recorded.ended;
    };
    return { bidder, call, time };
  };

  /** Makes a call, and resolves before sockets are read in a turn, with the bidder's side of the idle connection. */
  const callOnce = async () => {
    let accepted!: Socket;
    const opened = await openTo((socket) => {
      accepted = socket;
      socket.write(sized('{}'));
    });
    await opened.call();
    // Timers run before sockets are read, and these before the end of the turn.
    await new Promise((resolve) => setTimeout(resolve, 0));
    return { ...opened, accepted };
  };

  it('are not used again after bytes beyond the answer, which is taken', async () => {
    const { bidder, call } = await openTo((socket) => socket.write(`${sized('{}')}HTTP/1.1 200 OK\r\n`));
    expect(await call()).to.include({ how: 'complete', body: '{}' });
    expect(await call()).to.include({ how: 'complete', body: '{}' });
    expect(bidder.connections()).to.equal(2);
  });

  it('are closed when the bidder speaks unasked', async () => {
    const { bidder, call } = await openTo((socket) => {
      socket.write(sized('{}'));
      setImmediate(() => socket.write('HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n'));
    });
    expect(await call()).to.include({ status: 200 });
    await bidder.waitForClosed(1);
    expect(await call()).to.include({ status: 200 });
  });

  it('write all requests of a turn at its end, but none of a call that has failed or was given up by then', async () => {
    const { bidder, call } = await openTo((socket) => socket.write(sized('{}')));
    await Promise.all([call(), call(), call()]);
    const [failing, givenUp, kept] = [new RecordedCall(), new RecordedCall(), new RecordedCall()];
    const sent: RecordedCall[] = [];
    const pool = pools[0]!;
    const channels = [failing, givenUp, kept].map((recorded) => {
      recorded.onSending = () => sent.push(recorded);
      const channel = pool.take(0) as SocketChannel;
      channel.send(recorded, BODY);
      return channel;
    });
    expect(sent).to.have.length(0);
    channels[0]!.destroy();
    givenUp.givenUp = true;
    expect(await failing.ended).to.include({ how: 'failed' });
    expect(await givenUp.ended).to.include({ how: 'dropped' });
    expect(await kept.ended).to.include({ how: 'complete', body: '{}' });
    expect(sent).to.deep.equal([givenUp, kept]);
    expect([failing.ends, givenUp.ends, kept.ends]).to.deep.equal([1, 1, 1]);
    expect(bidder.requests).to.have.length(4);
    // The connection of the call that was given up takes the next one.
    await Promise.all([call(), call()]);
    expect(bidder.connections()).to.equal(3);
  });

  for (const [what, act] of [
    [
      'speaks unasked',
      (socket: Socket) => void socket.write('HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n'),
    ],
    ['hangs up', (socket: Socket) => void socket.destroy()],
  ] as const) {
    it(`are opened anew for a call whose bidder ${what} before the end of the turn: nothing of it was written`, async () => {
      const { bidder, call, accepted } = await callOnce();
      act(accepted);
      expect(await call()).to.include({ how: 'complete', body: '{}' });
      expect(await call()).to.include({ how: 'complete', body: '{}' });
      expect(bidder.requests).to.have.length(3);
      expect(bidder.connections()).to.equal(2);
    });
  }

  it('are opened anew once: a call fails whose bidder takes no connection any more', async () => {
    const { bidder, call, accepted } = await callOnce();
    bidders.splice(bidders.indexOf(bidder), 1);
    const closed = bidder.close();
    accepted.destroy();
    expect((await call()).how).to.equal('failed');
    await closed;
    expect(bidder.requests).to.have.length(1);
  });

  it('are closed after the time of disuse, by ourselves and before the next call', async () => {
    const { bidder, call, time } = await openTo((socket) => socket.write(sized('{}')));
    await call();
    time.advance(3_000);
    await call();
    expect(bidder.connections()).to.equal(1);
    time.advance(9_000);
    await bidder.waitForClosed(1);
    await call();
    expect(bidder.connections()).to.equal(2);
  });

  it('are closed a second before the time that the bidder names', async () => {
    const { bidder, call, time } = await openTo((socket) =>
      socket.write(sized('{}', 'Keep-Alive: timeout=3, max=9\r\n')),
    );
    await call();
    time.advance(1_999);
    await call();
    expect(bidder.connections()).to.equal(1);
    time.advance(2_001);
    await call();
    expect(bidder.connections()).to.equal(2);
  });

  it('are closed at once where the bidder says that it keeps none', async () => {
    const { bidder, call } = await openTo((socket) => socket.write(sized('{}', 'Keep-Alive: timeout=0\r\n')));
    await call();
    await call();
    expect(bidder.connections()).to.equal(2);
  });

  it('are not used again while a part of the request is still unsent', async () => {
    const large = Buffer.alloc(8 * 1024 * 1024, ' ');
    const accepted: Socket[] = [];
    const server = createServer((socket) => {
      // The answer comes when the request has begun; the rest of it is never read.
      socket.once('data', () => {
        socket.pause();
        socket.write('HTTP/1.1 429 Too Many Requests\r\nContent-Length: 0\r\n\r\n');
      });
      socket.on('error', () => undefined);
      accepted.push(socket);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/bid`);
    const pool = new SocketChannels(url, HEADERS, options, clock);
    pools.push(pool);
    for (let calls = 0; calls < 2; calls++) {
      const recorded = new RecordedCall();
      pool.take(clock.monotonic()).send(recorded, large);
      expect(await recorded.ended).to.include({ how: 'complete', status: 429 });
    }
    expect(accepted).to.have.length(2);
    for (const socket of accepted) socket.destroy();
    server.close();
  });

  it('over TLS are kept where a call begins in the turn in which the last one was answered', async () => {
    const counts = new Int32Array(new SharedArrayBuffer(8));
    const bidder = new Worker(new URL('./tls-bidder-thread.js', import.meta.url), { workerData: counts });
    try {
      const [port] = await once(bidder, 'message');
      const secureContext = createSecureContext({ ca: LOCAL_CERTIFICATE.cert });
      const pool = new SocketChannels(
        new URL(`https://localhost:${port}/bid`),
        HEADERS,
        { ...options, secureContext },
        clock,
      );
      pools.push(pool);
      for (let calls = 0; calls < 30; calls++) {
        const recorded = new RecordedCall();
        recorded.onSending = () => {
          // Until the answer is there, this thread does nothing else: it is the first that it reads after it has
          // written.
          queueMicrotask(() => Atomics.wait(counts, 0, calls, 5_000));
        };
        pool.take(clock.monotonic()).send(recorded, BODY);
        expect(await recorded.ended).to.include({ how: 'complete', body: '{}' });
      }
      expect(counts[1]).to.be.at.most(3);
    } finally {
      await bidder.terminate();
    }
  });

  it('are used last in, first out', async () => {
    const held: Socket[] = [];
    const { bidder, call, time } = await openTo((socket) => void held.push(socket));
    const both = [call(), call()];
    await bidder.waitForRequests(2);
    for (const socket of held.splice(0)) {
      socket.write(sized('{}'));
      time.advance(1);
    }
    await Promise.all(both);
    bidder.script = (socket) => socket.write(sized('{}'));
    for (let calls = 0; calls < 5; calls++) await call();
    expect(bidder.connections()).to.equal(2);
    // The other one has been idle for all that time.
    time.advance(3_000);
    await call();
    time.advance(2_000);
    await bidder.waitForClosed(1);
    await call();
    expect(bidder.connections()).to.equal(2);
  });
});
