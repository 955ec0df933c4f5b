import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { StateStore } from '../../runtime/ports/store.ts';
import { parseRedisUrl } from '../../runtime/providers/redis/redis-url.ts';
import { askServer } from '../../runtime/providers/redis/replication/ask-server.ts';
import { DataEpoch } from '../../runtime/providers/redis/replication/data-epoch.ts';
import {
  addGroup,
  beginSet,
  drop,
  groupOf,
  type InSyncSet,
} from '../../runtime/providers/redis/replication/in-sync-set.ts';
import { InSyncSetStore, type StoredInSyncSet } from '../../runtime/providers/redis/replication/in-sync-set-store.ts';
import { askRole } from '../../runtime/providers/redis/replication/role.ts';
import { nameOfServer } from '../../runtime/providers/redis/replication/server-name.ts';
import { readSettings, type Settings } from '../../settings.ts';
import { CommandFailed, EXIT, type Outcome, type Run } from '../definition.ts';

type Change = (settings: Settings, server: string | undefined) => Promise<(set: InSyncSet) => InSyncSet | null>;

export const show: Run = () => withServers(async ({ stored }) => shown(stored));

export const remove = changing(async (_, server) => (set) => removed(set, server!));

export const addShard = changing(async (settings, server) => {
  const shard = await attachedTo(settings, server!);
  return (set) => (groupOf(set, shard.primary) ? set : beginSet(addGroup(set, shard)));
});

export const forget = changing(async () => () => null);

interface Opened {
  readonly settings: Settings;
  readonly servers: InSyncSetStore;
  readonly stored: StoredInSyncSet;
}

async function withServers<T>(work: (opened: Opened) => Promise<T>): Promise<T> {
  const settings = readSettings(process.env);
  const { store, close } = await openStore(settings);
  try {
    const servers = new InSyncSetStore(store, `redis-servers ${randomUUID()}`);
    return await work({ settings, servers, stored: await servers.read() });
  } finally {
    await close();
  }
}

function shown({ set }: StoredInSyncSet): Outcome {
  if (!set) {
    return { json: { groups: [], dropped: [] }, text: 'No Redis servers are waited for.\n', exitCode: EXIT.refused };
  }
  const lines = set.groups.map(({ members, joining, epoch }) => {
    const more = joining.length > 0 ? `; joining: ${joining.join(', ')}` : '';
    return `in sync: ${members.join(', ')}${more} (epoch ${epoch})`;
  });
  const members = set.groups.flatMap((group) => group.members);
  const dropped = Object.keys(set.demoted).filter((name) => !members.includes(name));
  if (dropped.length > 0) lines.push(`dropped, and made unpromotable: ${dropped.join(', ')}`);
  const groups = set.groups.map(({ members, joining, epoch }) => ({ in_sync: members, joining, epoch }));
  return { json: { groups, dropped }, text: `${lines.join('\n')}\n` };
}

/** Changes the set by a comparison with what it was; the last line of {@link shown} is what it is then. */
function changing(change: Change): Run {
  return ({ args: [server] }) =>
    withServers(async ({ settings, servers, stored }) => {
      const to = await change(settings, server);
      if (!stored.set) return shown(stored);
      const after = to(stored.set);
      if (after === stored.set)
        throw new CommandFailed(`Nothing is to be changed for ${server}.`, EXIT.refused, 'NOT_FOUND');
      if (!(await servers.replace(stored, after)))
        throw new Error('the set has changed at the same moment; look at it, and try again');
      return after
        ? shown({ version: stored.version + 1, set: after })
        : { json: { groups: [], dropped: [] }, text: '' };
    });
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
    const { openMongodbStore } = await import('../../runtime/providers/mongodb/open-mongodb-store.ts');
    const store = await openMongodbStore({ url: mongodbUrl });
    return { store, close: () => store.close() };
  }
  if (!existsSync(dataDir)) throw new Error(`${dataDir} (DATA_DIR) is not there`);
  const { openEmbedded } = await import('../../runtime/providers/embedded/open-embedded.ts');
  const { systemClock } = await import('../../runtime/providers/system/system-clock.ts');
  return openEmbedded({ folder: dataDir, partitions, clock: systemClock });
}
