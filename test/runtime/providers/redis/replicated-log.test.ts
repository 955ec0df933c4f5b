import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import type { LogProvider } from '#runtime/ports/log-provider';
import type { StateStore } from '#runtime/ports/store';
import { Keys } from '#runtime/providers/redis/keys';
import { openRedisLog } from '#runtime/providers/redis/open-redis-log';
import { drop, type InSyncSet, type ServerGroup } from '#runtime/providers/redis/replication/in-sync-set';
import { InSyncSetStore } from '#runtime/providers/redis/replication/in-sync-set-store';
import { eventually } from '#test/support/eventually';
import { requireRedisServer } from '#test/support/redis-server';
import { openTcpProxy, type TcpProxy } from '#test/support/tcp-proxy';
import { type Replica, type ReplicatedServers, startReplicatedServers } from './replicated-servers.ts';

interface Opened {
  readonly provider: LogProvider;
  readonly reported: string[];
  notInSync: number;
}

describe('the log on a Redis with replicas', () => {
  let servers: ReplicatedServers;
  let proxy: TcpProxy;
  let prefix: string;
  let slow: Pick<StateStore, 'load' | 'save'> | undefined;
  const opened: Opened[] = [];

  const open = async (
    replication: { waitReplicas: number; minReplicas?: number },
    url?: string,
    withinMs = 12_000,
  ): Promise<Opened> => {
    const reported: string[] = [];
    const one: { provider?: LogProvider; reported: string[]; notInSync: number } = { reported, notInSync: 0 };
    one.provider = await openRedisLog({
      url: url ?? `redis://127.0.0.1:${proxy.port}`,
      prefix,
      partitions: 4,
      connectTimeoutMs: withinMs,
      report: (problem, cause) => reported.push(`${problem}: ${(cause as Error).message}`),
      replication: {
        minReplicas: replication.waitReplicas,
        ...replication,
        store: slow ?? servers.store,
        writer: randomUUID(),
        notInSync: () => one.notInSync++,
      },
    });
    opened.push(one as Opened);
    return one as Opened;
  };
  const kept = () => new InSyncSetStore(servers.store, 'test').read();
  const group = async (): Promise<ServerGroup> => (await kept()).set!.groups[0]!;
  const settled = (members: readonly string[]) =>
    eventually(`${members.join(', ')} to be the servers in sync`, async () => {
      const now = await group();
      return now.joining.length === 0 && now.written === now.epoch && equal(now.members, members);
    });
  const all = () => [servers.name, ...servers.replicas.map(({ name }) => name)];

  async function start(replicas: number): Promise<readonly Replica[]> {
    servers = await startReplicatedServers(replicas);
    proxy = await openTcpProxy('127.0.0.1', servers.primary.port);
    prefix = `test-${randomUUID()}`;
    return servers.replicas;
  }

  beforeEach(function () {
    slow = undefined;
    requireRedisServer(this);
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map(({ provider }) => provider.close()));
    await proxy?.close();
    await servers?.remove();
  });

  it('forms the set of servers in sync once every replica is attached', async () => {
    await start(2);
    const opening = open({ waitReplicas: 3 }, undefined, 500).catch((error: Error) => error);
    const refused = await opening;
    expect(refused).to.have.property('name', 'LogUnavailable');
    expect(refused).to.have.property('message').that.includes('has 2 of 3 replicas');
    expect((await kept()).set).to.equal(null);
    const { provider } = await open({ waitReplicas: 2 });
    await provider.log.append(0, ['a']);
    await settled(all());
  });

  it('acknowledges no append that one replica lacks', async () => {
    const [first] = await start(2);
    const { provider } = await open({ waitReplicas: 2 });
    await provider.log.append(0, ['a']);
    first!.link.stall();
    const refused = await provider.log.append(0, ['b']).catch((error: Error) => error);
    expect(refused).to.have.property('name', 'LogUnavailable');
    expect(refused).to.have.property('message').that.includes(first!.name);
    first!.link.cut();
    first!.link.restore();
    await eventually('appends to be acknowledged again', () => provider.log.append(0, ['c']).catch(() => false));
  });

  it('does not take a replica outside the set for one in it', async () => {
    const [first] = await start(1);
    const { provider } = await open({ waitReplicas: 1 });
    await settled(all());
    const other = await openTcpProxy('127.0.0.1', servers.primary.port);
    const stranger = await startStranger(other.port);
    try {
      await servers.attached(2);
      first!.link.stall();
      const refused = await provider.log.append(0, ['a']).catch((error: Error) => error);
      expect(refused).to.have.property('name', 'LogUnavailable');
    } finally {
      await stranger.remove();
      await other.close();
    }
  });

  it('sends nothing while it knows that a replica is missing', async () => {
    const [first] = await start(1);
    const { provider } = await open({ waitReplicas: 1 });
    await provider.log.append(0, ['a']);
    first!.link.cut();
    await eventually('the log to know that a replica is missing', async () => !(await provider.healthy()));
    const stream = new Keys(prefix).stream(0);
    const before = await servers.direct.xlen(stream);
    const refused = await provider.log.append(0, ['b']).catch((error: Error) => error);
    expect(refused).to.have.property('name', 'LogUnavailable');
    expect(await servers.direct.xlen(stream)).to.equal(before);
    first!.link.restore();
    await eventually('appends to be acknowledged again', () => provider.log.append(0, ['c']).catch(() => false));
  });

  it('hands out no entry that one replica lacks', async () => {
    const [first] = await start(1);
    const { provider } = await open({ waitReplicas: 1 });
    await provider.log.append(0, ['a']);
    const [entries] = [...(await provider.log.read(new Map([[0, '0-0']]), 10, 1000)).values()];
    const after = new Map([[0, entries!.at(-1)!.position]]);
    for (const waitMs of [0, 5_000]) {
      const waiting = provider.log.read(after, 10, waitMs).catch((error: Error) => error);
      if (waitMs > 0) await blocked(servers.direct);
      first!.link.stall();
      // Past the provider, whose own appends would be refused first.
      const position = await servers.direct.xadd(new Keys(prefix).stream(0), '*', 'm', `${waitMs}`);
      const read = waitMs > 0 ? await waiting : await provider.log.read(after, 10, 0).catch((error: Error) => error);
      expect(read).to.have.property('name', 'LogUnavailable');
      first!.link.cut();
      first!.link.restore();
      const handed = await eventually('the entry to be handed out', () =>
        provider.log.read(after, 10, 0).catch(() => undefined),
      );
      expect(handed.get(0)!.map((entry) => entry.position)).to.deep.equal([position]);
      after.set(0, position!);
    }
  });

  it('tells no tail, no cursor and no catalogue entry that one replica lacks', async () => {
    const [first] = await start(1);
    const { provider } = await open({ waitReplicas: 1 });
    const keys = new Keys(prefix);
    const reads: Record<string, () => Promise<unknown>> = {
      tail: () => provider.log.tail(1),
      cursors: () => provider.leases.cursors([1]),
      'catalogue tail': () => provider.catalogue.tail(),
      catalogue: () => provider.catalogue.read(0, 10, 0),
      remembers: () => provider.log.remembers(1, [{ id: 'a', bucketMs: 0 }]),
    };
    await provider.catalogue.publish(['a']);
    for (const [what, read] of Object.entries(reads)) {
      first!.link.stall();
      await servers.direct.xadd(keys.stream(1), '*', 'm', what);
      expect(await read().catch((error: Error) => error), what).to.have.property('name', 'LogUnavailable');
      first!.link.cut();
      first!.link.restore();
      await eventually(`${what} to be told`, () => read().then(() => true));
    }
  });

  it('never drops a server that stays away unless fewer replicas are allowed', async () => {
    const [first, second] = await start(2);
    const strict = await open({ waitReplicas: 2 });
    await settled(all());
    first!.link.cut();
    await eventually('the log to know', async () => !(await strict.provider.healthy()));
    const lenient = await open({ waitReplicas: 2, minReplicas: 1 });
    await settled([servers.name, second!.name]);
    await eventually('both to go on', async () => (await strict.provider.healthy()) && lenient.provider.healthy());
    await strict.provider.log.append(0, ['a']);
    second!.link.cut();
    await eventually('the log to know', async () => !(await lenient.provider.healthy()));
    // A member that is away for longer than it may be: with it a server would be dropped that must not be.
    await lookedAgain(lenient.provider, 40);
    expect((await group()).members).to.have.members([servers.name, second!.name]);
  });

  it('makes a server that it drops unpromotable, however many processes drop it, and promotable again when it joins', async () => {
    const [first] = await start(1);
    await first!.direct.config('SET', 'replica-priority', '77');
    const all3 = await Promise.all([1, 2, 3].map(() => open({ waitReplicas: 1, minReplicas: 0 })));
    await settled(all());
    first!.link.cut();
    await settled([servers.name]);
    const priority = async () => ((await first!.direct.config('GET', 'replica-priority')) as string[])[1];
    await eventually('the replica to be unpromotable', async () => (await priority()) === '0');
    // Each process learns of it by itself.
    const { log } = all3[0]!.provider;
    await eventually('appends to be acknowledged', () => log.append(0, ['without it']).catch(() => false));
    first!.link.restore();
    await settled(all());
    await eventually('the replica to be promotable', async () => (await priority()) === '77');
  });

  it('waits for a replica that has joined again, in processes that have heard nothing of it too', async () => {
    const [first] = await start(1);
    const lenient = await open({ waitReplicas: 1, minReplicas: 0 });
    await settled(all());
    first!.link.cut();
    await settled([servers.name]);
    await eventually('appends to be acknowledged', () => lenient.provider.log.append(0, ['a']).catch(() => false));
    // Its last look at the set was before the replica began to join: what is in the data tells it.
    const set = (await kept()).set as InSyncSet;
    first!.link.restore();
    await settled(all());
    expect((await group()).epoch).to.be.above(set.groups[0]!.epoch);
    first!.link.stall();
    const refused = await lenient.provider.log.append(0, ['b']).catch((error: Error) => error);
    expect(refused).to.have.property('name', 'LogUnavailable');
  });

  it('takes nothing to and from a primary that is not in the set, says so, and goes on with one that is', async () => {
    const [first] = await start(1);
    const one = await open({ waitReplicas: 1, minReplicas: 0 });
    await settled(all());
    first!.link.cut();
    await settled([servers.name]);
    await eventually('appends to be acknowledged', () => one.provider.log.append(0, ['a']).catch(() => false));
    await first!.direct.call('REPLICAOF', 'NO', 'ONE');
    const outside = await openTcpProxy('127.0.0.1', first!.server.port);
    try {
      const other = await open({ waitReplicas: 1, minReplicas: 0 }, `redis://127.0.0.1:${outside.port}`, 500).catch(
        (error: Error) => error,
      );
      expect(other).to.have.property('message').that.includes('outside the servers in sync');
    } finally {
      await outside.close();
    }
    expect(await first!.direct.keys(`{${prefix}*stream`)).to.have.length.below(2);
    expect(one.notInSync).to.equal(0);
    await one.provider.log.append(0, ['b']);
  });

  it('notes a member that is promoted before it is used, so that what was decided before is not kept', async () => {
    const [first] = await start(1);
    const before = await open({ waitReplicas: 1 });
    await settled(all());
    expect((await group()).primary).to.equal(servers.name);
    const stale = await kept();
    await before.provider.close();
    await first!.direct.call('REPLICAOF', 'NO', 'ONE');
    await servers.direct.call('REPLICAOF', '127.0.0.1', first!.server.port);
    const after = await open({ waitReplicas: 1 }, `redis://127.0.0.1:${first!.server.port}`);
    await eventually('an append to be acknowledged', () => after.provider.log.append(0, ['a']).catch(() => false));
    expect((await group()).primary).to.equal(first!.name);
    const late = drop(stale.set!, servers.name, [first!.name], 0);
    expect(await new InSyncSetStore(servers.store, 'paused').replace(stale, late)).to.equal(false);
    expect((await group()).members).to.have.members(all());
  });

  it('waits for a store that is slow to tell the servers, and ends no process for it', async () => {
    await start(1);
    const { store } = servers;
    const slowly = async <T>(read: Promise<T>): Promise<T> => {
      const value = await read;
      await pause(700);
      return value;
    };
    slow = { load: (keys) => slowly(store.load(keys)), save: (documents) => store.save(documents) };
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.prependListener('unhandledRejection', note);
    try {
      const one = await open({ waitReplicas: 1 });
      await eventually('an append to be acknowledged', () => one.provider.log.append(0, ['a']).catch(() => false));
      expect(unhandled).to.deep.equal([]);
    } finally {
      process.removeListener('unhandledRejection', note);
    }
  });

  it('takes nothing to and from a member that has lost its data', async () => {
    await start(1);
    const one = await open({ waitReplicas: 1 });
    await settled(all());
    await servers.direct.call('FUNCTION', 'FLUSH');
    const refused = await eventually('the log to be refused', () =>
      one.provider.log.append(0, ['a']).then(
        () => undefined,
        (error: Error) => error,
      ),
    );
    expect(refused).to.have.property('name', 'LogUnavailable');
    await eventually('it to be said', () => one.reported.some((line) => line.includes('has lost its data')));
    expect(one.notInSync).to.be.above(0);
  });

  it('forms no set of servers that do not keep what they acknowledge, naming them', async () => {
    const [first] = await start(1);
    await first!.direct.config('SET', 'appendfsync', 'everysec');
    const refused = await open({ waitReplicas: 1 }).catch((error: Error) => error);
    expect(refused).to.have.property('name', 'LogUnsafe');
    expect(refused).to.have.property('message').that.includes(first!.name).and.includes('everysec');
  });

  it('is not opened without its replicas being waited for, once they were', async () => {
    await start(1);
    await open({ waitReplicas: 1 });
    const refused = await open({ waitReplicas: 0 }).catch((error: Error) => error);
    expect(refused).to.have.property('name', 'LogUnsafe');
    expect(refused).to.have.property('message').that.includes('REDIS_WAIT_REPLICAS');
  });

  async function startStranger(primaryPort: number) {
    const { startRedisServer } = await import('#test/support/redis-server');
    return startRedisServer({ replicaof: `127.0.0.1 ${primaryPort}` });
  }
});

/** Resolves when a client waits in a blocking read. */
async function blocked(direct: Redis): Promise<void> {
  await eventually('a read that waits', async () => /^blocked_clients:[1-9]/m.test(await direct.info('clients')));
}

/** Resolves when `provider` has looked at its servers so often. */
async function lookedAgain(provider: LogProvider, times: number): Promise<void> {
  for (let at = 0; at < times; at++) {
    await provider.healthy();
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

function equal(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one) => others.includes(one));
}

describe('what WAIT answers a reader while the link to the replica is silent', () => {
  let servers: ReplicatedServers;
  let reader: Redis;

  before(function () {
    requireRedisServer(this);
  });
  beforeEach(async () => {
    servers = await startReplicatedServers(1);
    reader = new Redis(servers.primary.url);
    await reader.ping();
  });
  afterEach(async () => {
    reader.disconnect();
    await servers.remove();
  });

  async function readBlocked(): Promise<void> {
    const reading = reader.xread('BLOCK', 5_000, 'STREAMS', 'stream', '0-0');
    await blocked(servers.direct);
    servers.replicas[0]!.link.stall();
    await servers.direct.xadd('stream', '*', 'm', 'a');
    await reading;
  }

  it('is 1 straight after a blocked XREAD: it counts from what was written when the read was sent', async () => {
    await readBlocked();
    expect(await reader.wait(1, 200)).to.equal(1);
  });

  it('is 0 once another command has been answered in between', async () => {
    await readBlocked();
    const role = reader.role();
    expect(await reader.wait(1, 200)).to.equal(0);
    await role;
  });
});
