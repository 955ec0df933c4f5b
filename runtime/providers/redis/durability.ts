import type { Redis } from 'ioredis';

/**
 * What an operator should know of how durable this server makes an acknowledged write (law 12); nothing when all is
 * as the exchange wants it: append-only file, fsync before every answer, no eviction, a bound of memory, replicas waited for.
 * @throws what the server answers to INFO, or an Error when it is too old.
 */
export async function durabilityWarnings(server: Redis, waitReplicas: number): Promise<string[]> {
  const info = await server.info();
  const fact = (name: string) => info.match(new RegExp(`^${name}:(.*?)\\r?$`, 'm'))?.[1];
  const where = `Redis at ${server.options.host}:${server.options.port}`;
  const version = fact('redis_version') ?? '0';
  if (Number.parseInt(version, 10) < 7) throw new Error(`${where} is version ${version}; 7 or later is needed`);

  const warnings: string[] = [];
  const replicas = Number(fact('connected_slaves') ?? 0);
  if (replicas < waitReplicas) {
    warnings.push(`${where} has ${replicas} of the ${waitReplicas} replicas that writes wait for: writes will fail`);
  } else if (replicas > 0 && waitReplicas === 0) {
    warnings.push(`${where} has replicas that writes do not wait for: promoting one may lose acknowledged messages`);
  }

  const settings = await settingsOf(server, ['appendonly', 'appendfsync', 'maxmemory-policy', 'maxmemory']);
  if (!settings) {
    warnings.push(
      `${where} does not let its CONFIG be read: make sure of appendonly yes, appendfsync always, maxmemory-policy noeviction and a maxmemory`,
    );
    return warnings;
  }
  if (settings.get('appendonly') !== 'yes') {
    warnings.push(`${where} keeps no append-only file (appendonly no): a restart loses acknowledged messages`);
  } else if (settings.get('appendfsync') !== 'always') {
    warnings.push(
      `${where} has appendfsync ${settings.get('appendfsync')}: a crash may lose the last moments of acknowledged messages; use always`,
    );
  }
  if (settings.get('maxmemory-policy') !== 'noeviction') {
    warnings.push(
      `${where} has maxmemory-policy ${settings.get('maxmemory-policy')}: messages may be evicted unread; use noeviction`,
    );
  }
  if (settings.get('maxmemory') === '0') {
    warnings.push(
      `${where} has no maxmemory: when the machine's memory ends it is killed, where producers could have been refused; set at most 75 % of it`,
    );
  }
  return warnings;
}

async function settingsOf(server: Redis, names: string[]): Promise<Map<string, string> | undefined> {
  try {
    const flat = (await server.config('GET', ...(names as [string]))) as string[];
    const settings = new Map<string, string>();
    for (let at = 0; at < flat.length; at += 2) settings.set(flat[at]!, flat[at + 1]!);
    return settings.size > 0 ? settings : undefined;
  } catch {
    return undefined;
  }
}
