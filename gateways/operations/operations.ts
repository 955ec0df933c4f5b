import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';

export interface OperationsOptions {
  readonly registry: Registry;
  /** Names of what is not ready yet; ready when empty. */
  readonly unready: () => Promise<readonly string[]>;
  readonly host?: string;
}

export interface Operations {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * The operations port, apart from the public ones: `/metrics` (Prometheus text), `/livez` (200 while the process
 * answers), `/readyz` (200 only when log, store and catalogue are; 503 with the names of what is missing).
 */
export async function openOperations(port: number, options: OperationsOptions): Promise<Operations> {
  const server = createServer((request, response) => {
    const path = (request.url ?? '/').split('?', 1)[0];
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return answer(response, 405, { status: 'method not allowed' });
    if (path === '/livez') return answer(response, 200, { status: 'live' });
    if (path === '/metrics') return void answerMetrics(response, options.registry);
    if (path === '/readyz') return void answerReadiness(response, options.unready);
    answer(response, 404, { status: 'not found' });
  });
  await listen(server, port, options.host);
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answerMetrics(response: ServerResponse, registry: Registry): Promise<void> {
  try {
    const text = await registry.metrics();
    response.writeHead(200, { 'content-type': registry.contentType }).end(text);
  } catch (error) {
    answer(response, 500, { status: String(error) });
  }
}

async function answerReadiness(response: ServerResponse, unready: () => Promise<readonly string[]>): Promise<void> {
  const missing = await unready().catch((error) => [String(error)]);
  answer(response, missing.length === 0 ? 200 : 503, { status: missing.length === 0 ? 'ready' : 'unready', missing });
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

function listen(server: Server, port: number, host?: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
