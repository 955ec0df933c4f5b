import { openTcpProxy } from '../../test/support/tcp-proxy.ts';
import { jobOf, sendToParent } from './child.ts';

/** Reaches servers across an ocean: sends a URL for each of `urls`, where everything is under way for `delayMs`. */
const { urls, delayMs } = jobOf<{ urls: readonly string[]; delayMs: number }>();
const far: string[] = [];
for (const url of urls) {
  const server = new URL(url);
  const { port } = await openTcpProxy(server.hostname, Number(server.port), delayMs);
  server.hostname = '127.0.0.1';
  server.port = String(port);
  far.push(server.href);
}
sendToParent({ urls: far });
