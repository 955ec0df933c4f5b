import { createServer, type Socket } from 'node:net';
import { openEmbedded } from '#runtime/providers/embedded/open-embedded';
import { systemClock } from '#runtime/providers/system/system-clock';
import { readFrames, sendFrame } from './frames.ts';
import { SCANS, type StoreAnswer, type StoreCall } from './served-store.ts';

/**
 * The embedded store in a process of its own, for several processes. Its argument is the folder; tells its parent the
 * port.
 */
const AT_ONCE = 200;

const { store, close } = await openEmbedded({ folder: process.argv[2]!, partitions: 1, clock: systemClock });
const methods = store as unknown as Record<string, (...args: readonly unknown[]) => Promise<unknown>>;

function serve(socket: Socket): void {
  const scans = new Map<number, AsyncIterator<unknown>>();
  const next = async (scan: number): Promise<unknown[]> => {
    const part: unknown[] = [];
    while (part.length < AT_ONCE) {
      const { done, value } = await scans.get(scan)!.next();
      if (done) break;
      part.push(value);
    }
    if (part.length === 0) scans.delete(scan);
    return part;
  };
  const answer = async ({ number, method, args }: StoreCall): Promise<unknown> => {
    if (method === 'next') return next(args[0] as number);
    if (method === 'countBy') return [...((await methods[method]!(...args)) as ReadonlyMap<unknown, number>)];
    // An argument that was left out has come as null.
    if (!(SCANS as readonly string[]).includes(method)) return methods[method]!(...args.map((one) => one ?? undefined));
    const scanned = method === 'scan' ? store.scan(args[0] as string) : store.versions(args[0] as string);
    scans.set(number, scanned[Symbol.asyncIterator]());
    return number;
  };
  socket.setNoDelay(true);
  socket.on('error', () => {});
  readFrames(socket, (frame) => {
    const call = frame as StoreCall;
    const { number } = call;
    answer(call)
      .then(
        (value): StoreAnswer => ({ number, value }),
        (error): StoreAnswer => ({ number, error: String(error) }),
      )
      .then((answered) => sendFrame(socket, answered));
  });
}

const server = createServer(serve);
server.listen(0, '127.0.0.1', () => process.send!((server.address() as { port: number }).port));
process.on('disconnect', () => void close().finally(() => process.exit(0)));
