import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { EXIT_MISUSE, readArguments } from './command-line.ts';
import type { StateStore } from './runtime/ports/store.ts';
import { parseRedisUrl } from './runtime/providers/redis/redis-url.ts';
import { askServer } from './runtime/providers/redis/replication/ask-server.ts';
import { DataEpoch } from './runtime/providers/redis/replication/data-epoch.ts';
import {
  addGroup,
  beginSet,
  drop,
  groupOf,
  type InSyncSet,
} from './runtime/providers/redis/replication/in-sync-set.ts';
import { InSyncSetStore, type StoredInSyncSet } from './runtime/providers/redis/replication/in-sync-set-store.ts';
import { askRole } from './runtime/providers/redis/replication/role.ts';
import { nameOfServer } from './runtime/providers/redis/replication/server-name.ts';
import { readSettings, type Settings } from './settings.ts';

const HELP = `Usage: npm run redis-servers -- [show | remove <host:port> | add-shard <host:port> | forget]

The Redis servers that have everything that was acknowledged (docs/reliability.md, "Redis that fails over"). Reads REDIS_URL,
REDIS_PREFIX, MONGODB_URL and DATA_DIR as the exchange does. With the embedded store stop the exchange first.

  show       prints the set (the default)
  remove     does not wait for a server any more, and takes it for no primary until it has joined again
  add-shard  adds a primary that has joined the Redis Cluster, with its replicas, before slots are moved to it
  forget     forgets the set: the next start forms another of the servers as they are then. Stop all processes first. What the
             servers of then lack is lost; npm run audit says what of it was billed
  -h, --help prints this
  --version  prints the version

Exit codes: 0 done, 1 there is no such server or set, 2 nothing was done.
`;

const { positionals } = await readArguments(HELP, {}, 2);
const [verb = 'show', server] = positionals;
try {
  process.exitCode = await run(readSettings(process.env));
} catch (error) {
  process.stderr.write(`Nothing was changed: ${(error as Error).message}\n`);
  process.exitCode = EXIT_MISUSE;
}

async function run(settings: Settings): Promise<number> {
  const { store, close } = await openStore(settings);
  try {
    const servers = new InSyncSetStore(store, `redis-servers ${randomUUID()}`);
    const stored = await servers.read();
    if (verb === 'show' && server === undefined) return show(stored);
    if (verb === 'forget' && server === undefined) return await change(servers, stored, () => null);
    if (verb === 'remove' && server !== undefined) {
      return await change(servers, stored, (set) => removed(set, server));
    }
    if (verb === 'add-shard' && server !== undefined) {
      const shard = await attachedTo(settings, server);
      return await change(servers, stored, (set) =>
        groupOf(set, shard.primary) ? set : beginSet(addGroup(set, shard)),
      );
    }
  } finally {
    await close();
  }
  process.stderr.write(HELP);
  return EXIT_MISUSE;
}

function show({ set }: StoredInSyncSet): number {
  if (!set) {
    process.stdout.write('No Redis servers are waited for.\n');
    return 1;
  }
  for (const { members, joining, epoch } of set.groups) {
    const more = joining.length > 0 ? `; joining: ${joining.join(', ')}` : '';
    process.stdout.write(`in sync: ${members.join(', ')}${more} (epoch ${epoch})\n`);
  }
  const members = set.groups.flatMap((group) => group.members);
  const outside = Object.keys(set.demoted).filter((name) => !members.includes(name));
  if (outside.length > 0) process.stdout.write(`dropped, and made unpromotable: ${outside.join(', ')}\n`);
  return 0;
}

async function change(
  servers: InSyncSetStore,
  stored: StoredInSyncSet,
  to: (set: InSyncSet) => InSyncSet | null,
): Promise<number> {
  if (!stored.set) return show(stored);
  const after = to(stored.set);
  if (after === stored.set) {
    process.stderr.write(`Nothing is to be changed for ${server}.\n`);
    return 1;
  }
  if (!(await servers.replace(stored, after)))
    throw new Error('the set has changed at the same moment; look at it, and try again');
  return after ? show({ version: stored.version + 1, set: after }) : 0;
}

/** The set without a server; the last server of a group stays. */
function removed(set: InSyncSet, name: string): InSyncSet {
  const group = set.groups.find(({ members, joining }) => members.includes(name) || joining.includes(name));
  const other = group?.members.find((member) => member !== name);
  return other === undefined ? set : drop(set, other, [name], 0);
}

async function attachedTo(settings: Settings, name: string) {
  if (settings.redisUrl === null) throw new Error('REDIS_URL is not set');
  const epochs = new DataEpoch(settings.redisPrefix);
  return askServer(parseRedisUrl(settings.redisUrl), name, async (client) => {
    const role = await askRole(client);
    if (!role) throw new Error(`${name} is a replica`);
    const epoch = await epochs.read(client);
    // The server gets its epoch before the set contains it, so that it can be recognised by the epoch.
    await epochs.write(client, epoch + 1);
    return {
      primary: await nameOfServer(client),
      replicas: [...role.replicas.keys()],
      epoch,
    };
  });
}

async function openStore({ mongodbUrl, dataDir, partitions }: Settings): Promise<{
  readonly store: StateStore;
  close(): Promise<void>;
}> {
  if (mongodbUrl !== null) {
    const { openMongodbStore } = await import('./runtime/providers/mongodb/open-mongodb-store.ts');
    const store = await openMongodbStore({ url: mongodbUrl });
    return { store, close: () => store.close() };
  }
  if (!existsSync(dataDir)) throw new Error(`${dataDir} (DATA_DIR) is not there`);
  const { openEmbedded } = await import('./runtime/providers/embedded/open-embedded.ts');
  const { systemClock } = await import('./runtime/providers/system/system-clock.ts');
  return openEmbedded({ folder: dataDir, partitions, clock: systemClock });
}
