import { expect } from 'chai';
import { closeClient, createServerClient, whenReady } from '#runtime/providers/redis/client';
import { parseRedisUrl } from '#runtime/providers/redis/redis-url';
import { RedisNode } from '#test/faults/servers/redis-node';
import { eventually } from '#test/support/eventually';
import { requireRedisServer } from '#test/support/redis-server';

describe('a client that finds its primary through Sentinels', () => {
  let primary: RedisNode;
  let sentinel: RedisNode;
  before(async function () {
    requireRedisServer(this);
    primary = await RedisNode.start({});
    sentinel = await RedisNode.startSentinel([`sentinel monitor exchange 127.0.0.1 ${primary.announcedPort} 1`]);
  });
  after(async () => {
    await sentinel?.remove();
    await primary?.remove();
  });

  it('goes on looking when another primary is announced while it looks, and stays closed once it is closed', async () => {
    const address = parseRedisUrl(`redis+sentinel://127.0.0.1:${sentinel.port}/exchange`);
    const client = createServerClient(address, { name: 'looking', silenceMs: 2_000, report: () => {} });
    const becomes = (status: string) => new Promise<void>((resolve) => client.once(status, () => resolve()));
    try {
      await whenReady(client, 10_000);
      for (let round = 0; round < 3; round++) {
        client.disconnect(true);
        await becomes('connecting');
        // What an announcement does, and what is done where the other end turns out to be a replica.
        client.disconnect(true);
        await becomes('end');
        await eventually('a connection', () => client.status === 'ready');
        expect(await client.ping()).to.equal('PONG');
      }
    } finally {
      await closeClient(client);
    }
    expect(client.status).to.equal('end');
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(client.status, 'afterwards').to.equal('end');
  });
});
