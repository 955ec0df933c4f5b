import type { SecurityRows } from '../attack.ts';

export const rows: SecurityRows = {
  attacks: [
    {
      by: 'publisher',
      attack:
        'reads a rival’s log-level data: `..` in the name of a file, the rival’s folder, names that the layout has',
      outcome: '404: a file is looked for in the manifest of the key’s own source, and no name makes a path',
      file: 'gateways/management/log-level-data.test.ts',
      title: 'has no file but those that the manifest of the source names',
    },
    {
      by: 'account key',
      attack: 'lists or downloads log-level data of another account’s source, or of another partner’s',
      outcome: '404: the source does not exist for it',
      file: 'gateways/management/log-level-data.test.ts',
      title: 'is for the account of the source alone, and for its partner',
    },
  ],
  budgets: [
    {
      of: 'exchange',
      resource: 'sockets',
      bound: '24 downloads of log-level data at once of a process, and a week of hours in one list',
      file: 'gateways/management/log-level-data.test.ts',
      title: 'serves so many downloads at once, and is 503 for more, until a receiver is done or gone',
    },
  ],
};
