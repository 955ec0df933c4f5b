import type { Redis } from 'ioredis';
import { createOneShotClient } from '../client.ts';
import type { RedisAddress } from '../redis-url.ts';
import type { ServerName } from './in-sync-set.ts';
import { addressOf } from './server-name.ts';

const TIMEOUT_MS = 1_000;

/**
 * Calls `ask` with a client of one server, with the credentials of `address`. Rejects when the call has not ended
 * within 1 s.
 */
export async function askServer<T>(
  address: RedisAddress,
  server: ServerName,
  ask: (client: Redis) => Promise<T>,
): Promise<T> {
  const { options } = address;
  const client = createOneShotClient(
    { nodes: [addressOf(server)], cluster: false, options },
    { name: 'servers', silenceMs: TIMEOUT_MS, report: () => {} },
  );
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer from ${server} within ${TIMEOUT_MS} ms`)), TIMEOUT_MS);
  });
  try {
    return await Promise.race([ask(client), late]);
  } finally {
    clearTimeout(timer);
    client.disconnect();
  }
}
