import { createServer } from 'node:net';
import type { Settings } from '../settings.ts';

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use by another program',
  EACCES: 'may not be opened by this user',
};

/** Opens a port. When the system refuses the port, the error names the setting (`name`) that chose it. */
export async function openPort<T>(name: string, port: number, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    const reason = REASONS[(error as NodeJS.ErrnoException).code ?? ''];
    if (reason === undefined) throw error;
    throw new Error(`port ${port} (${name}) ${reason}`, { cause: error });
  }
}

/**
 * Throws as {@link openPort} does when a port of this process's roles is taken. The ports stay closed until they are
 * served.
 */
export async function assertFreePorts({ roles, port, edgePort }: Pick<Settings, 'roles' | 'port' | 'edgePort'>) {
  if (roles.has('management')) await openPort('PORT', port, () => tryPort(port));
  if (roles.has('edge')) await openPort('EDGE_PORT', edgePort, () => tryPort(edgePort));
}

function tryPort(port: number): Promise<void> {
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, () => server.close(() => resolve()));
  });
}
