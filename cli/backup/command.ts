import type { CommandDefinition } from '../definition.ts';

export const backup: CommandDefinition = {
  name: 'backup',
  heading: 'Look after what it keeps',
  summary: 'Copy an exchange on the embedded stores to a folder, while it runs or is stopped',
  description:
    'Backs up an exchange on the embedded log and store to a folder that is empty or not there, while it runs or is stopped: books, all other state, the log, the spool, files of creatives, the archive. Reads DATA_DIR, CREATIVES_DIR and ARCHIVE_DIR as the exchange does. docs/backup.md has the rest, Redis and MongoDB too.',
  arguments: [{ name: '<folder>', description: 'where to; empty, or not there' }],
  options: [
    {
      flags: '--with-secret-key',
      description:
        'holds DATA_DIR/secret-key, too: a holder of the backup can then sign impressions and open sealed keys',
    },
  ],
  examples: [{ command: 'exchange backup /backups/monday', does: 'what was acknowledged until now' }],
  exitCodes: '0 done, 2 there is no backup.',
  failure: 'There is no backup',
  readsSettings: true,
  load: () => import('./run.ts'),
};
