import type { CommandDefinition } from '../definition.ts';

export const shardDatabase: CommandDefinition = {
  name: 'shard-database',
  heading: 'Look after what it keeps',
  summary: 'Divide the collections of a sharded MongoDB cluster among its shards',
  description:
    'Divides the collections of a sharded MongoDB cluster among its shards: by the hash of the id, feed pages and records of auctions by the id itself, whose ranges are read. Reads MONGODB_URL, which must lead to a mongos. What is divided already is left as it is. Best done before the first start; it may be done beside a running exchange, and then takes as long as indexes and balancing take.',
  exitCodes: '0 done, 2 nothing was done, or not all.',
  failure: 'Not all is divided',
  readsSettings: true,
  load: () => import('./run.ts'),
};
