import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the proxy does to an answer that it has received whole. */
export type Fate =
  /** Gives it to the caller. */
  | 'pass'
  /** Cuts the connection before a byte of it. */
  | 'lose'
  /** Cuts the connection in the middle of the body. */
  | 'halve'
  /** Says nothing, and leaves the connection open. */
  | 'keep'
  /** Gives this instead of it. */
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string };

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

/** A proxy in front of an API: every request reaches it and is acted upon, and its answer is what gets lost. */
export interface LosingProxy {
  readonly baseUrl: string;
  /** All that came, in order. */
  readonly seen: SeenRequest[];
  /** The fates of the next answers, in order; those after them pass. */
  readonly fates: Fate[];
  close(): Promise<void>;
}

export async function openLosingProxy(target: string): Promise<LosingProxy> {
  const seen: SeenRequest[] = [];
  const fates: Fate[] = [];
  const server = createServer((incoming, outgoing) => {
    const { method = '', url = '', headers } = incoming;
    seen.push({ method, url, headers });
    const fate = fates.shift() ?? 'pass';
    const forwarded = request(`${target}${url}`, { method, headers }, async (answer) => {
      const body: Buffer[] = [];
      for await (const chunk of answer) body.push(chunk);
      const whole = Buffer.concat(body);
      if (fate === 'keep') return;
      if (fate === 'lose') outgoing.destroy();
      else if (fate === 'pass') outgoing.writeHead(answer.statusCode!, answer.headers).end(whole);
      else if (fate === 'halve') {
        outgoing.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': whole.length });
        outgoing.write(whole.subarray(0, whole.length / 2), () => outgoing.destroy());
      } else outgoing.writeHead(fate.status, fate.headers).end(fate.body ?? '');
    });
    incoming.pipe(forwarded);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    fates,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
