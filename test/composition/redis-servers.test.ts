import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openEmbedded } from '../../runtime/providers/embedded/open-embedded.ts';
import type { InSyncSet } from '../../runtime/providers/redis/replication/in-sync-set.ts';
import { InSyncSetStore } from '../../runtime/providers/redis/replication/in-sync-set-store.ts';
import { systemClock } from '../../runtime/providers/system/system-clock.ts';
import { type Ended, exchangeCommand } from '../support/exchange-command.ts';
import { requireRedisServer, startRedisServer } from '../support/redis-server.ts';

const SET: InSyncSet = {
  groups: [
    {
      members: ['10.0.0.1:6379', '10.0.0.2:6379'],
      primary: '10.0.0.1:6379',
      joining: ['10.0.0.3:6379'],
      epoch: 4,
      written: 3,
    },
    { members: ['10.0.1.1:6379'], primary: '10.0.1.1:6379', joining: [], epoch: 1, written: 1 },
  ],
  demoted: { '10.0.0.9:6379': '100' },
};

describe('exchange redis-servers', () => {
  let dataDir: string;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'exchange-redis-servers-'));
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  async function withServers<T>(work: (servers: InSyncSetStore) => Promise<T>): Promise<T> {
    const embedded = await openEmbedded({ folder: dataDir, partitions: 4, clock: systemClock });
    try {
      return await work(new InSyncSetStore(embedded.store, randomUUID()));
    } finally {
      await embedded.close();
    }
  }
  const keep = () => withServers(async (servers) => servers.replace(await servers.read(), SET));
  const kept = () => withServers(async (servers) => (await servers.read()).set);

  const run = (args: readonly string[], environment: Record<string, string> = {}): Promise<Ended> =>
    exchangeCommand({ DATA_DIR: dataDir, PARTITIONS: '4', ...environment }, 'redis-servers', ...args);

  it('shows which servers are in sync, which join, and which were dropped', async () => {
    await keep();
    const { code, stdout } = await run([]);
    expect(code).to.equal(0);
    expect(stdout.trimEnd().split('\n')).to.deep.equal([
      'in sync: 10.0.0.1:6379, 10.0.0.2:6379; joining: 10.0.0.3:6379 (epoch 4)',
      'in sync: 10.0.1.1:6379 (epoch 1)',
      'dropped, and made unpromotable: 10.0.0.9:6379',
    ]);
  });

  it('says so where none are waited for', async () => {
    await withServers(async () => {});
    expect(await run(['show'])).to.deep.include({ code: 1, stdout: 'No Redis servers are waited for.\n' });
  });

  it('removes a server, but never the last of its group', async () => {
    await keep();
    expect(await run(['remove', '10.0.0.2:6379'])).to.include({ code: 0 });
    expect(await run(['remove', '10.0.0.3:6379'])).to.include({ code: 0 });
    for (const name of ['10.0.0.1:6379', '10.0.1.1:6379', '10.0.7.7:6379']) {
      expect(await run(['remove', name]), name).to.include({ code: 1 });
    }
    expect((await kept())!.groups[0]).to.deep.equal({
      members: ['10.0.0.1:6379'],
      primary: '10.0.0.1:6379',
      joining: [],
      epoch: 4,
      written: 3,
    });
  });

  it('adds a primary with its replicas, once', async function () {
    requireRedisServer(this);
    await keep();
    const server = await startRedisServer();
    try {
      const name = `127.0.0.1:${server.port}`;
      const redis = { REDIS_URL: server.url };
      expect(await run(['add-shard', name], redis)).to.include({ code: 0 });
      expect(await run(['add-shard', name], redis)).to.include({ code: 1 });
      expect((await kept())!.groups[2]).to.deep.equal({
        members: [name],
        primary: name,
        joining: [],
        epoch: 1,
        written: 1,
      });
    } finally {
      await server.remove();
    }
  });

  it('forgets the set', async () => {
    await keep();
    expect(await run(['forget'])).to.include({ code: 0 });
    expect(await kept()).to.equal(null);
  });

  it('changes nothing for what it does not know, and says how it is called', async () => {
    await keep();
    for (const args of [['remove'], ['show', 'all'], ['drop', 'x:1'], ['remove', 'a', 'b'], ['--all']]) {
      const { code, stderr } = await run(args);
      expect(code, args.join(' ')).to.equal(2);
      expect(stderr).to.include('Usage: exchange redis-servers').and.not.include('    at ');
    }
    expect(await kept()).to.deep.equal(SET);
  });
});
