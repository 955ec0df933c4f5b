import { once } from 'node:events';
import { type AddressInfo, connect as connectTcp, createServer, type Socket } from 'node:net';

/** A loopback port that passes everything on to another one, until a test breaks it. */
export interface TcpProxy {
  readonly port: number;
  /** Resets every connection; new ones are reset too, until `restore`. */
  cut(): void;
  /** Keeps every connection open but passes nothing on any more, as a vanished peer does; new ones pass. */
  stall(): void;
  restore(): void;
  /** Resolves after so many more attempts to connect, whatever came of them. */
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
