import type { CommandDefinition } from '../definition.ts';

export const restore: CommandDefinition = {
  name: 'restore',
  heading: 'Look after what it keeps',
  summary: 'Put a backup where an exchange will find it',
  description:
    'Puts a backup that `exchange backup` has written where DATA_DIR, CREATIVES_DIR and ARCHIVE_DIR say; nothing may be there. A backup that lacks a file, or has one that was cut off, is refused before anything is written. Start the exchange afterwards, and never two of one backup: each would bill what the other bills.',
  arguments: [{ name: '<folder>', description: 'the backup' }],
  examples: [{ command: 'DATA_DIR=/srv/exchange exchange restore /backups/monday', does: 'then start the exchange' }],
  exitCodes: '0 done, 2 nothing was restored.',
  failure: 'Nothing was restored',
  readsSettings: true,
  load: () => import('./run.ts'),
};
