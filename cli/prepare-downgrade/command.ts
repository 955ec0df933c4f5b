import type { CommandDefinition } from '../definition.ts';

export const prepareDowngrade: CommandDefinition = {
  name: 'prepare-downgrade',
  heading: 'Look after what it keeps',
  summary: 'Let release 0.4 open the data folder of a stopped exchange again',
  description:
    'Lets release 0.4 open the data folder of a stopped exchange on the embedded stores again, which it refuses once a later release has served it. Puts the master secret (SECRET_KEY, SECRET_KEY_FILE, or DATA_DIR/secret-key) back into the store, where 0.4 reads it, so that either release bills what the other has sold; the next start of a later release takes it out again. With MONGODB_URL nothing is to be done but to start 0.4 with SECRET_KEY. docs/operations/upgrade.md has the steps.',
  examples: [
    { command: 'DATA_DIR=/srv/exchange exchange prepare-downgrade', does: 'after a stop; then start release 0.4' },
  ],
  exitCodes: '0 done, 2 nothing was changed.',
  failure: 'Nothing was changed',
  readsSettings: true,
  load: () => import('./run.ts'),
};
