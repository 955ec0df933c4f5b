import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import type { LogProvider } from '#runtime/ports/log-provider';
import { Keys } from '#runtime/providers/redis/keys';
import { openRedisLog, type RedisLogOptions } from '#runtime/providers/redis/open-redis-log';
import { openTcpProxy, type TcpProxy } from '#test/support/tcp-proxy';
import type { LogHarness } from '../../log-contract/harness.ts';

/** A log of its own on one Redis server, reached through a proxy that can be broken. */
export interface RedisLogHarness extends LogHarness {
  readonly proxy: TcpProxy;
  readonly prefix: string;
  readonly keys: Keys;
  /** A plain client of the server, past the proxy. */
  readonly direct: Redis;
  connect(): Promise<LogProvider>;
}

/** So little that a test can write more. */
export const KEPT_CATALOGUE = { entries: 10_000, bytes: 64 * 1_048_576 };

export async function openRedisHarness(url: string, options: Partial<RedisLogOptions> = {}): Promise<RedisLogHarness> {
  const server = new URL(url);
  const proxy = await openTcpProxy(server.hostname, Number(server.port || 6379));
  const proxied = new URL(url);
  proxied.host = `127.0.0.1:${proxy.port}`;
  const prefix = `test-${randomUUID()}`;
  const keys = new Keys(prefix);
  const open = () =>
    openRedisLog({
      url: proxied.href,
      prefix,
      partitions: 4,
      requestTimeoutMs: 2000,
      keptCatalogue: KEPT_CATALOGUE,
      ...options,
      name: prefix,
    });
  const provider = await open();
  const direct = new Redis(url);
  return {
    provider,
    proxy,
    prefix,
    keys,
    direct,
    connect: open,
    async reopen() {
      await provider.close();
      return open();
    },
    async interrupt() {
      proxy.cut();
      return async () => proxy.restore();
    },
    async wipePartition(partition) {
      await direct.del(keys.stream(partition));
    },
    async wipeCatalogue() {
      await direct.del(keys.catalogue(), keys.catalogueNumber(), keys.catalogueSum());
    },
    async close() {
      await provider.close();
      await proxy.close();
      const left = await direct.keys(`{${prefix}*`);
      if (left.length > 0) await direct.unlink(left);
      await direct.quit();
    },
  };
}
