import type { Redis } from 'ioredis';

/** Whether a server knows WAITAOF, by client: 7.2 and later. */
const knowsWaitAof = new WeakMap<Redis['stream'], boolean>();

/**
 * Resolves when `replicas` replicas have acknowledged what this connection has seen of the replication stream, or when
 * the time is up. With WAITAOF the replicas and the server itself have it on disk by then; without it, replicas with
 * `appendfsync always` acknowledge what they have synced.
 */
export async function waitForReplicas(client: Redis, replicas: number, timeoutMs: number): Promise<number> {
  const wholeMs = Math.ceil(timeoutMs);
  if (!knowsWaitAof.get(client.stream)) return client.wait(replicas, wholeMs);
  const [, reached] = (await client.call('WAITAOF', 1, replicas, wholeMs)) as [number, number];
  return reached;
}

/**
 * Checks once per connection whether the server has WAITAOF; must be called before the first {@link waitForReplicas}.
 */
export async function detectWaitAof(client: Redis): Promise<void> {
  const { stream } = client;
  if (knowsWaitAof.has(stream)) return;
  const [known] = (await client.command('INFO', 'WAITAOF')) as [unknown];
  knowsWaitAof.set(stream, known !== null);
}
