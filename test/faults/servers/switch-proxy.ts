import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** An address that an operator moves from one server to another, as a virtual address or a balancer does. */
export interface SwitchProxy {
  readonly url: string;
  /** Resets every connection; new ones go there. */
  switchTo(port: number): void;
  close(): Promise<void>;
}

export async function openSwitchProxy(port: number): Promise<SwitchProxy> {
  const sockets = new Set<Socket>();
  let target = port;
  const listener = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const reset = () => {
    for (const socket of [...sockets]) socket.resetAndDestroy();
  };
  return {
    url: `redis://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    switchTo(next) {
      target = next;
      reset();
    },
    async close() {
      reset();
      listener.close();
      await once(listener, 'close');
    },
  };
}
