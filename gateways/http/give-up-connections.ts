import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../runtime/ports/clock.ts';

/** A connection without a request for so long is no load, and stays. */
const GIVING_UP_MS = 2_000;

/** Resolves with the number of connections that are open. */
export function openConnections(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, open) => (error ? reject(error) : resolve(open)));
  });
}

/**
 * Has one of several servers that share a port (`node:cluster`) give up all connections but about `kept` within two
 * seconds: every second, third, … one by its share ends with its next answer (RFC 9112 §9.6), and new ones go to the
 * other servers meanwhile, as Node does beyond `maxConnections`. Returns what ends that at once.
 */
export function giveUpConnections(server: Server, open: number, kept: number, clock: Clock): () => void {
  if (open <= kept) return () => {};
  const share = (open - kept) / open;
  const seen = new WeakSet<Socket>();
  let due = 0;
  const endSome = ({ socket }: IncomingMessage, response: ServerResponse) => {
    if (seen.has(socket)) return;
    seen.add(socket);
    due += share;
    if (due < 1) return;
    due--;
    response.setHeader('Connection', 'close');
  };
  const end = () => {
    cancel();
    server.off('request', endSome);
    server.maxConnections = Number.POSITIVE_INFINITY;
  };
  const cancel = clock.after(GIVING_UP_MS, end);
  server.prependListener('request', endSome);
  server.maxConnections = Math.max(1, kept);
  return end;
}
