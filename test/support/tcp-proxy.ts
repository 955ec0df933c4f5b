import { once } from 'node:events';
import { type AddressInfo, connect as connectTcp, createServer, type Socket } from 'node:net';

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

export async function openTcpProxy(host: string, port: number): Promise<TcpProxy> {
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
    near.pipe(far);
    far.pipe(near);
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
