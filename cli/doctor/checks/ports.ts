import { createServer } from 'node:net';
import type { Settings } from '#settings';
import type { Check } from '../check.ts';
import { type Finding, fail, ok } from '../finding.ts';

const ASK_MS = 2_000;

interface Wanted {
  readonly name: string;
  readonly port: number;
  readonly host?: string;
  /** What only an exchange answers at this port. */
  readonly path: string;
  readonly isOurs: (response: Response) => Promise<boolean>;
}

/** Whether the ports of this process are free, or open by an exchange. */
export const ports: Check = {
  name: 'ports',
  find: (settings) => Promise.all(wantedPorts(settings).map(look)),
};

function wantedPorts({ roles, port, edgePort, opsPort, opsHost }: Settings): Wanted[] {
  const answersJson = (field: string) => async (response: Response) =>
    typeof ((await response.json()) as Record<string, unknown>)[field] === 'string';
  const wanted: Wanted[] = [];
  if (roles.has('management')) {
    wanted.push({ name: 'PORT', port, path: '/api/health', isOurs: answersJson('region') });
  }
  if (roles.has('edge')) {
    const isOurs = async (response: Response) => response.ok && (await response.text()).includes('data-ad-publisher');
    wanted.push({ name: 'EDGE_PORT', port: edgePort, path: '/tag.js', isOurs });
  }
  wanted.push({ name: 'OPS_PORT', port: opsPort, host: opsHost, path: '/readyz', isOurs: answersJson('status') });
  return wanted.filter(({ port }) => port !== 0);
}

async function look(wanted: Wanted): Promise<Finding> {
  const { name, port, host } = wanted;
  const code = await errorOfOpening(port, host);
  if (code === null) return ok(`port ${port} (${name}) is free`);
  if (code === 'EADDRINUSE') {
    if (await isOurs(wanted)) return ok(`port ${port} (${name}) is served by an exchange`);
    const todo = `stop that program, or set ${name}`;
    return fail(`port ${port} (${name}) is in use by another program`, 'the exchange does not start', todo);
  }
  const todo = `use a port from 1024 on, or one that is allowed; set ${name}`;
  return fail(`port ${port} (${name}) may not be opened: ${code}`, 'the exchange does not start', todo);
}

/** The code of the error when the port is opened; null when it can be. It is closed again at once. */
function errorOfOpening(port: number, host: string | undefined): Promise<string | null> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ port, ...(host !== undefined && { host }) }, () => server.close(() => resolve(null)));
  });
}

async function isOurs({ port, host = 'localhost', path, isOurs }: Wanted): Promise<boolean> {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  try {
    return await isOurs(await fetch(`http://${name}:${port}${path}`, { signal: AbortSignal.timeout(ASK_MS) }));
  } catch {
    return false;
  }
}
