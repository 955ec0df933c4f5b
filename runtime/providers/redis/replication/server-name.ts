import type { Redis } from 'ioredis';
import { readConfig } from '../read-config.ts';
import type { ServerName } from './in-sync-set.ts';

/**
 * The name by which a primary knows the server at the other end of `client` when that is its replica: the announced
 * name, otherwise the address at which it is reached and the port on which it listens.
 */
export async function nameOfServer(client: Redis): Promise<ServerName> {
  const { remoteAddress = '', remotePort = 0 } = client.stream as { remoteAddress?: string; remotePort?: number };
  const settings = await readConfig(client, ['replica-announce-ip', 'replica-announce-port', 'port', 'tls-port']);
  const port = ['replica-announce-port', 'port', 'tls-port']
    .map((name) => Number(settings?.get(name) ?? 0))
    .find(Boolean);
  return `${settings?.get('replica-announce-ip') || remoteAddress.replace(/^::ffff:/, '')}:${port ?? remotePort}`;
}

/** Host and port of a name; the host may be an IPv6 address. */
export function addressOf(name: ServerName): { readonly host: string; readonly port: number } {
  const at = name.lastIndexOf(':');
  return { host: name.slice(0, at), port: Number(name.slice(at + 1)) };
}
