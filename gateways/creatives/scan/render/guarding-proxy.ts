import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { parseUrl } from '#exchange/parse-url';
import { namesForbiddenAddress } from '#gateways/http/address-guard';
import { type AddressPolicy, guardedConnect } from '#gateways/http/guarded-connect';

/** The host under which the proxy itself answers with what is to be rendered. No resolver knows it (RFC 6761 §6.4). */
export const RENDERED_HOST = 'creative.invalid';

export interface GuardingProxyOptions {
  readonly policy: AddressPolicy;
  /** The page at `RENDERED_HOST`. */
  readonly page: string;
  /** A host was asked for; `isPlain`: over plain HTTP. */
  readonly onHost: (url: URL, isPlain: boolean) => void;
  /** A host was asked for to which nothing may lead. */
  readonly onForbidden: (url: URL) => void;
}

/** Hosts that browsers ask on their own account. They are refused, and are nothing of the creative's. */
const HOSTS_OF_BROWSERS: ReadonlySet<string> = new Set([
  'accounts.google.com',
  'clients2.google.com',
  'clientservices.googleapis.com',
  'content-autofill.googleapis.com',
  'edgedl.me.gvt1.com',
  'optimizationguide-pa.googleapis.com',
  'redirector.gvt1.com',
  'safebrowsing.googleapis.com',
  'update.googleapis.com',
]);
const CONNECT_MS = 5_000;
const MAX_CONNECTIONS = 200;
const MAX_BYTES = 50 * 1024 * 1024;
/** Headers between a client and its proxy, which go no further (RFC 9110 §7.6.1). */
const HOP_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
]);

/**
 * A forward proxy on this machine for one rendering: everything that the browser asks goes through it, and it leads to
 * public addresses only, unless the policy allows others, and never to endpoints of the exchange. It judges the
 * addresses that sockets connect to.
 */
export class GuardingProxy {
  readonly #options: GuardingProxyOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Duplex>();
  readonly #connect: ReturnType<typeof guardedConnect>;
  #bytes = 0;

  private constructor(options: GuardingProxyOptions) {
    this.#options = options;
    this.#connect = guardedConnect(options.policy, CONNECT_MS);
    this.#server = createServer((asked, answer) => this.#plain(asked, answer));
    this.#server.maxConnections = MAX_CONNECTIONS;
    this.#server.on('connect', (asked: IncomingMessage, socket: Duplex, head: Buffer) =>
      this.#tunnel(asked, socket, head),
    );
    this.#server.on('connection', (socket) => this.#hold(socket));
    this.#server.on('clientError', (_error, socket) => socket.destroy());
  }

  static async start(options: GuardingProxyOptions): Promise<GuardingProxy> {
    const proxy = new GuardingProxy(options);
    await new Promise<void>((resolve, reject) => {
      proxy.#server.once('error', reject);
      proxy.#server.listen(0, '127.0.0.1', resolve);
    });
    return proxy;
  }

  get address(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #hold(socket: Duplex): void {
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#sockets.delete(socket));
  }

  #tunnel({ url = '' }: IncomingMessage, client: Duplex, head: Buffer): void {
    const target = parseUrl(`https://${url}`);
    this.#hold(client);
    if (target === null) {
      client.end('HTTP/1.1 400 Bad Request\r\n\r\n');
      return;
    }
    if (HOSTS_OF_BROWSERS.has(target.hostname)) {
      client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      return;
    }
    this.#options.onHost(target, false);
    this.#open(target, (socket) => {
      if (socket === null) {
        client.end('HTTP/1.1 403 Forbidden\r\n\r\n');
        return;
      }
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      if (head.length > 0) socket.write(head);
      socket.on('data', (chunk: Buffer) => this.#count(chunk));
      socket.pipe(client);
      client.pipe(socket);
      client.on('close', () => socket.destroy());
    });
  }

  #plain(asked: IncomingMessage, answer: ServerResponse): void {
    const url = parseUrl(asked.url ?? '');
    if (url === null || url.protocol !== 'http:') {
      answer.writeHead(400).end();
      return;
    }
    if (url.hostname === RENDERED_HOST) {
      answer.writeHead(url.pathname === '/' ? 200 : 404, { 'content-type': 'text/html; charset=utf-8' });
      answer.end(url.pathname === '/' ? this.#options.page : '');
      return;
    }
    if (HOSTS_OF_BROWSERS.has(url.hostname)) {
      answer.writeHead(403).end();
      return;
    }
    this.#options.onHost(url, true);
    this.#open(url, (socket) => {
      if (socket === null) {
        answer.writeHead(403).end();
        return;
      }
      const headers = Object.fromEntries(Object.entries(asked.headers).filter(([name]) => !HOP_HEADERS.has(name)));
      const { method = 'GET' } = asked;
      const path = url.pathname + url.search;
      const onward = request({ createConnection: () => socket, method, path, headers, setHost: false }, (answered) => {
        const kept = Object.entries(answered.headers).filter(([name]) => !HOP_HEADERS.has(name));
        answer.writeHead(answered.statusCode ?? 502, Object.fromEntries(kept));
        answered.on('data', (chunk: Buffer) => this.#count(chunk));
        answered.on('error', () => answer.destroy());
        answered.pipe(answer);
      });
      onward.on('error', () => (answer.headersSent ? answer.destroy() : answer.writeHead(502).end()));
      asked.pipe(onward);
    });
  }

  #open(url: URL, opened: (socket: Socket | null) => void): void {
    const { policy, onForbidden } = this.#options;
    if (!policy.allowPrivateNetworks && namesForbiddenAddress(url)) {
      onForbidden(url);
      opened(null);
      return;
    }
    const { hostname, host } = url;
    const port = url.port || (url.protocol === 'https:' ? '443' : '80');
    // TLS is between the browser and the host: the proxy opens the connection only.
    this.#connect({ hostname, host, port, protocol: 'http:' }, (error, socket) => {
      if (error !== null || socket === null) {
        if ((error as NodeJS.ErrnoException | null)?.code === 'ADDRESS_FORBIDDEN') onForbidden(url);
        opened(null);
        return;
      }
      this.#hold(socket);
      opened(socket as Socket);
    });
  }

  #count({ length }: Buffer): void {
    this.#bytes += length;
    if (this.#bytes > MAX_BYTES) for (const socket of this.#sockets) socket.destroy();
  }
}
