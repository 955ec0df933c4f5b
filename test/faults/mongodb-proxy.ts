import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** A loopback port in front of a server that speaks MongoDB's protocol, until a test breaks it. */
export interface MongodbProxy {
  /** The server's URL, through here. */
  readonly url: string;
  /** Resets every connection and refuses new ones, until `restore`. */
  cut(): void;
  restore(): void;
  /** Holds every write command back for so long; reads overtake it on other connections. 0: no more. */
  delayWrites(delayMs: number): void;
  /** The same of the commands that are named. */
  delayCommands(names: readonly string[], delayMs: number): void;
  /** How many commands of this name came by. */
  counted(name: string): number;
  /** Write commands that were held back and reached the server after all. */
  readonly lateWrites: number;
  close(): Promise<void>;
}

const WRITES = ['insert', 'update', 'delete', 'findAndModify'];
const HEADER_BYTES = 16;
const OP_MSG = 2013;

/** `maxPoolSize` bounds the connections of each client that uses the URL. */
export async function openMongodbProxy(serverUrl: string, maxPoolSize: number): Promise<MongodbProxy> {
  const server = new URL(serverUrl);
  const nearSockets = new Set<Socket>();
  const farSockets = new Set<Socket>();
  let refusing = false;
  const delays = new Map<string, number>();
  const counts = new Map<string, number>();
  let lateWrites = 0;

  const listener = createServer((near) => {
    near.on('error', () => {});
    if (refusing) {
      near.resetAndDestroy();
      return;
    }
    const far = connect(Number(server.port || 27017), server.hostname);
    far.on('error', () => {});
    nearSockets.add(near);
    farSockets.add(far);
    near.on('close', () => nearSockets.delete(near));
    far.on('close', () => farSockets.delete(far));
    far.pipe(near);
    far.on('close', () => near.destroy());

    // In order on each connection. What was taken in reaches the server even when its sender has hung up meanwhile.
    let passed = Promise.resolve();
    const pass = (message: Buffer): void => {
      const name = commandOf(message);
      counts.set(name, (counts.get(name) ?? 0) + 1);
      const heldMs = delays.get(name) ?? 0;
      passed = passed.then(async () => {
        if (heldMs > 0) await pause(heldMs);
        if (!far.writable) return;
        far.write(message);
        if (heldMs > 0 && WRITES.includes(name)) lateWrites++;
      });
    };
    let rest = Buffer.alloc(0);
    near.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk]);
      while (rest.length >= HEADER_BYTES && rest.length >= rest.readInt32LE(0)) {
        const length = rest.readInt32LE(0);
        pass(rest.subarray(0, length));
        rest = rest.subarray(length);
      }
    });
    near.on('close', () => void passed.then(() => far.destroySoon()));
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');

  const proxied = new URL(serverUrl);
  proxied.host = `127.0.0.1:${(listener.address() as AddressInfo).port}`;
  proxied.searchParams.set('maxPoolSize', String(maxPoolSize));
  // Else a client of a replica set goes past the proxy, to the addresses that the members name.
  proxied.searchParams.set('directConnection', 'true');

  function cut(): void {
    refusing = true;
    for (const near of [...nearSockets]) near.resetAndDestroy();
    for (const far of [...farSockets]) far.destroy();
  }

  function delayCommands(names: readonly string[], delayMs: number): void {
    for (const name of names) delays.set(name, delayMs);
  }

  return {
    url: proxied.href,
    cut,
    restore() {
      refusing = false;
    },
    delayWrites: (delayMs) => delayCommands(WRITES, delayMs),
    delayCommands,
    counted: (name) => counts.get(name) ?? 0,
    get lateWrites() {
      return lateWrites;
    },
    async close() {
      for (const socket of [...nearSockets, ...farSockets]) socket.destroy();
      listener.close();
      await once(listener, 'close');
    },
  };
}

/**
 * The command's name is the first field of the document of section kind 0, right after the flags; '' of what is no
 * command.
 */
function commandOf(message: Buffer): string {
  if (message.readInt32LE(12) !== OP_MSG || message[HEADER_BYTES + 4] !== 0) return '';
  const nameAt = HEADER_BYTES + 4 + 1 + 4 + 1;
  return message.toString('latin1', nameAt, message.indexOf(0, nameAt));
}
