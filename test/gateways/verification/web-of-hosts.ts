import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { buildConnector } from 'undici';

/** What is served under one URL: a text, or whatever a function makes of the request; `refused` takes no connection. */
export type Page = string | ((request: IncomingMessage, response: ServerResponse) => void);

/**
 * A Web of a test's own: real servers, one for all hosts over https and one over http, to which names lead without DNS
 * and certificates.
 */
export class WebOfHosts {
  /** By URL. What is not here is 404. */
  readonly pages = new Map<string, Page>();
  /** `https://host` that takes no connections. */
  readonly refused = new Set<string>();
  readonly asked: string[] = [];
  readonly #servers = new Map<string, Server>();

  static async open(): Promise<WebOfHosts> {
    const web = new WebOfHosts();
    for (const scheme of ['http:', 'https:']) {
      const server = createServer((request, response) => web.#serve(scheme, request, response));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      web.#servers.set(scheme, server);
    }
    return web;
  }

  readonly connect: buildConnector.connector = ({ protocol, hostname }, done) => {
    const server = this.#servers.get(protocol);
    if (server === undefined || this.refused.has(`${protocol}//${hostname}`)) {
      done(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }), null);
      return;
    }
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.once('connect', () => done(null, socket));
    socket.once('error', (error) => done(error, null));
  };

  #serve(scheme: string, request: IncomingMessage, response: ServerResponse): void {
    const url = `${scheme}//${request.headers.host}${request.url}`;
    this.asked.push(url);
    const page = this.pages.get(url);
    if (page === undefined) response.writeHead(404, { 'Content-Type': 'text/html' }).end('<h1>Not found</h1>');
    else if (typeof page === 'string') {
      response.writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8' }).end(page);
    } else page(request, response);
  }

  async close(): Promise<void> {
    for (const server of this.#servers.values()) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  }
}

export function redirectTo(location: string, status = 302): Page {
  return (_request, response) => void response.writeHead(status, { Location: location }).end();
}

export function answer(status: number, contentType = 'text/plain', body: string | Buffer = ''): Page {
  return (_request, response) => void response.writeHead(status, { 'Content-Type': contentType }).end(body);
}
