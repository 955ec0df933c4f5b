import type { Redis } from 'ioredis';

/** Settings of a server by name; undefined when its CONFIG cannot be read. */
export async function readConfig(
  server: Redis,
  names: readonly string[],
): Promise<ReadonlyMap<string, string> | undefined> {
  try {
    const flat = (await server.config('GET', ...(names as [string]))) as string[];
    const settings = new Map<string, string>();
    for (let at = 0; at < flat.length; at += 2) settings.set(flat[at]!, flat[at + 1]!);
    return settings.size > 0 ? settings : undefined;
  } catch {
    return undefined;
  }
}
