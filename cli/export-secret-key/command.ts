import type { CommandDefinition } from '../definition.ts';

export const exportSecretKey: CommandDefinition = {
  name: 'export-secret-key',
  heading: 'Look after what it keeps',
  summary: 'Take the master secret out of the store of an exchange of release 0.4',
  description:
    'Takes the master secret out of the store of an exchange of release 0.4, once, before the first start of a later one. Reads MONGODB_URL and DATA_DIR as the exchange does. Processes of 0.4 without a SECRET_KEY can be started no more afterwards; those that run go on.',
  options: [
    { flags: '--to <file>', description: 'where it is written, with mode 0600', needed: true },
    { flags: '--keep', description: 'leaves it in the store, too' },
  ],
  exitCodes: '0 done, 1 the store holds none, 2 nothing was done.',
  failure: 'Nothing was exported',
  readsSettings: true,
  load: () => import('./run.ts'),
};
