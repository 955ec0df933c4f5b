import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import type { Context } from 'mocha';
import type { Counters } from '#runtime/ports/counters';
import { openRedisCounters } from '#runtime/providers/redis/open-redis-counters';
import { redisUrl } from '../../support/real-servers.ts';
import { openTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';

/** Counters in the real Redis as several edges hold them, all behind one proxy; under a prefix of their own. */
export interface SharedCounters {
  readonly proxy: TcpProxy;
  /** Those of one more edge. */
  edge(): Promise<Counters>;
  close(): Promise<void>;
}

export async function sharedCounters(test: Context): Promise<SharedCounters> {
  const url = redisUrl(test);
  const server = new URL(url);
  const proxy = await openTcpProxy(server.hostname, Number(server.port || 6379));
  const prefix = `test-${randomUUID()}`;
  const opened: Counters[] = [];
  return {
    proxy,
    async edge() {
      const counters = await openRedisCounters({ url: `redis://127.0.0.1:${proxy.port}`, prefix });
      opened.push(counters);
      return counters;
    },
    async close() {
      await Promise.all(opened.map((counters) => counters.close()));
      await proxy.close();
      const direct = new Redis(url);
      const left = await direct.keys(`{${prefix}*`);
      if (left.length > 0) await direct.unlink(left);
      await direct.quit();
    },
  };
}
