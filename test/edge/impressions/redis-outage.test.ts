import { expect } from 'chai';
import type { LogProvider } from '#runtime/ports/log-provider';
import { openRedisLog } from '#runtime/providers/redis/open-redis-log';
import { eventually } from '../../support/eventually.ts';
import { type RedisServer, requireRedisServer, startRedisServer } from '../../support/redis-server.ts';
import { IngestHarness } from './ingest-harness.ts';

describe('impressions while Redis is killed and restarted', () => {
  let server: RedisServer;
  let provider: LogProvider;
  let edge: IngestHarness;

  beforeEach(async function () {
    requireRedisServer(this);
    server = await startRedisServer();
    provider = await openRedisLog({ url: server.url, partitions: 4, requestTimeoutMs: 500 });
    edge = await IngestHarness.start(provider.log);
  });

  afterEach(async () => {
    await edge?.close();
    await provider?.close();
    await server?.remove();
  });

  it('are answered 200 all along and billed once each', async () => {
    const paths = Array.from({ length: 60 }, () => edge.pixel());
    const statuses: number[] = [];
    const callAll = async (some: readonly string[]) => {
      for (const path of some) statuses.push((await edge.call(path)).status);
    };
    await callAll(paths.slice(0, 20));
    await Promise.all([server.kill(), callAll(paths.slice(20, 40))]);
    await callAll(paths.slice(0, 5));
    await server.start();
    await callAll(paths.slice(40));
    await eventually('every impression to be in the log', async () => (await edge.logged()).length >= paths.length, {
      timeoutMs: 60_000,
    });
    await callAll(paths);
    expect(new Set(statuses)).to.deep.equal(new Set([200]));
    const ids = (await edge.logged()).map(({ id }) => id);
    expect(ids).to.have.length(paths.length);
    expect(new Set(ids).size).to.equal(paths.length);
  });
});
