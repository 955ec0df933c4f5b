import { once } from 'node:events';
import { type AddressInfo, connect as connectTcp, createServer, type Socket } from 'node:net';
import { Duplex } from 'node:stream';

/** A loopback port that forwards to another one, until a test breaks it. */
export interface TcpProxy {
  readonly port: number;
  /** Resets all connections, and new ones too, until `restore`. */
  cut(): void;
  /** Keeps all connections open but forwards nothing any more, as with a vanished peer; new connections work. */
  stall(): void;
  restore(): void;
  /** Resolves after `attempts` more connection attempts, whatever their outcome. */
  waitForAttempts(attempts: number): Promise<void>;
  close(): Promise<void>;
}

/** `delayMs`: how long everything is under way, in each direction. */
export async function openTcpProxy(host: string, port: number, delayMs = 0): Promise<TcpProxy> {
  const pairs = new Set<[Socket, Socket]>();
  let refusing = false;

  const server = createServer((near) => {
    near.on('error', () => {});
    if (refusing) {
      near.resetAndDestroy();
      return;
    }
    const far = connectTcp(port, host);
    far.on('error', () => {});
    const pair: [Socket, Socket] = [near, far];
    pairs.add(pair);
    for (const [from, to] of [pair, [far, near]] as const) {
      if (delayMs > 0) from.pipe(delayed(delayMs)).pipe(to);
      else from.pipe(to);
    }
    for (const socket of pair) {
      socket.on('close', () => {
        pairs.delete(pair);
        for (const end of pair) end.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  function cut(): void {
    refusing = true;
    for (const [near, far] of [...pairs]) {
      near.resetAndDestroy();
      far.destroy();
    }
  }

  return {
    port: (server.address() as AddressInfo).port,
    cut,
    stall() {
      for (const [near, far] of pairs) {
        near.unpipe(far);
        far.unpipe(near);
        near.pause();
        far.pause();
      }
    },
    restore() {
      refusing = false;
    },
    async waitForAttempts(attempts) {
      for (let left = attempts; left > 0; left--) await once(server, 'connection');
    },
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Passes everything on in order, each part after `delayMs`, however many parts are under way. */
function delayed(delayMs: number): Duplex {
  const stream = new Duplex({
    read() {},
    write(chunk, _encoding, done) {
      setTimeout(() => stream.push(chunk), delayMs);
      done();
    },
    final(done) {
      setTimeout(() => stream.push(null), delayMs);
      done();
    },
  });
  return stream;
}
