import type { CommandDefinition } from '../definition.ts';

const failure = 'Nothing was changed';
const server = { name: '<server>', description: 'host:port' };

export const redisServers: CommandDefinition = {
  name: 'redis-servers',
  heading: 'Look after what it keeps',
  summary: 'The Redis servers that have everything that was acknowledged',
  description:
    'The Redis servers that have everything that was acknowledged (docs/reliability.md, "Redis that fails over"). Reads REDIS_URL, REDIS_PREFIX, MONGODB_URL and DATA_DIR as the exchange does. With the embedded store stop the exchange first.',
  commands: [
    {
      name: 'show',
      isDefault: true,
      summary: 'Print the set',
      exitCodes: '0 done, 1 there is no set, 2 it could not be read.',
      failure,
      readsSettings: true,
      load: () => import('./run.ts').then(({ show: run }) => ({ run })),
    },
    {
      name: 'remove',
      summary: 'Do not wait for a server any more, and take it for no primary until it has joined again',
      arguments: [server],
      exitCodes: '0 done, 1 there is no such server or set, 2 nothing was done.',
      failure,
      readsSettings: true,
      load: () => import('./run.ts').then(({ remove: run }) => ({ run })),
    },
    {
      name: 'add-shard',
      summary: 'Add a primary that has joined the Redis Cluster, with its replicas, before slots are moved to it',
      arguments: [server],
      exitCodes: '0 done, 1 it is in the set, or there is none, 2 nothing was done.',
      failure,
      readsSettings: true,
      load: () => import('./run.ts').then(({ addShard: run }) => ({ run })),
    },
    {
      name: 'forget',
      summary: 'Forget the set: the next start forms another of the servers as they are then',
      description:
        'Forgets the set: the next start forms another of the servers as they are then. Stop all processes first. What the servers of then lack is lost; `exchange audit` says what of it was billed.',
      exitCodes: '0 done, 1 there is no set, 2 nothing was done.',
      failure,
      readsSettings: true,
      load: () => import('./run.ts').then(({ forget: run }) => ({ run })),
    },
  ],
};
