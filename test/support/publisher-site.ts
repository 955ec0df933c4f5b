import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SiteFile {
  readonly type: string;
  readonly body: string | Buffer;
}

/** A publisher's web server, on another site than the exchange: `localhost` here, `127.0.0.1` there. */
export interface PublisherSite {
  readonly origin: string;
  /** Files by path; a test may add some. */
  readonly files: Map<string, SiteFile>;
  /** Adds a page and answers its URL. */
  page(path: string, html: string): string;
  /** Number of requests for a path, whatever the query. */
  hits(path: string): number;
  close(): Promise<void>;
}

export async function startPublisherSite(): Promise<PublisherSite> {
  const files = new Map<string, SiteFile>();
  const requestedPaths: string[] = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    requestedPaths.push(pathname);
    const file = files.get(pathname);
    // An ad may send requests from any origin; a tracker has no body.
    response.setHeader('Access-Control-Allow-Origin', '*');
    if (file === undefined) response.writeHead(pathname.startsWith('/tracked') ? 204 : 404).end();
    else response.writeHead(200, { 'Content-Type': file.type }).end(file.body);
  });
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    files,
    page(path, html) {
      files.set(path, { type: 'text/html; charset=utf-8', body: html });
      return `${origin}${path}`;
    },
    hits: (path) => requestedPaths.filter((one) => one === path).length,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
