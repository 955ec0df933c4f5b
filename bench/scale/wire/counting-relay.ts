import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A relay to a port of this machine that counts the bytes of each direction, without those of TCP and IP. */
export interface CountingRelay {
  readonly port: number;
  /** Bytes towards the server, and back. */
  readonly counted: { asked: number; answered: number };
  close(): void;
}

export async function countingRelay(toPort: number): Promise<CountingRelay> {
  const counted = { asked: 0, answered: 0 };
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(toPort, '127.0.0.1');
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    client.on('data', (chunk) => {
      counted.asked += chunk.length;
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      counted.answered += chunk.length;
      client.write(chunk);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    counted,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
