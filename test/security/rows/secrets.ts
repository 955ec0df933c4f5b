import type { SecurityRows } from '../attack.ts';

export const rows: SecurityRows = {
  attacks: [
    {
      by: 'reader of a backup',
      attack: 'reads the master secret of 0.4 in the database, signs impressions and opens sealed keys',
      outcome: 'the database never holds it; one command takes out what 0.4 kept there',
      file: 'composition/master-secret.test.ts',
      title: 'is exported from a database of release 0.4 by one command, which leaves none in it',
    },
    {
      by: 'co-located process',
      attack: 'reads the log, the store, spools or the master secret in the data folder as another user',
      outcome: 'every file is 0600 and every folder 0700',
      file: 'composition/master-secret.test.ts',
      title: 'lets only its owner read any file or folder in it',
    },
    {
      by: 'reader of a backup',
      attack: 'uses a leaked master secret for as long as the exchange runs',
      outcome: 'the secret is changed with an overlap; what it sealed is sealed anew, then it opens nothing',
      file: 'composition/rotated-secret.test.ts',
      title: 'shows the keys of sources by the earlier secret, and without it once they are sealed anew',
    },
  ],
};
