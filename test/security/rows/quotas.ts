import type { SecurityRows } from '../attack.ts';

export const rows: SecurityRows = {
  budgets: [
    {
      of: 'publisher',
      resource: 'memory',
      bound: '1,000 blocked domains of 65,536 characters in all; 23 KB at each edge for 1,000 of 20 characters',
      file: 'exchange/lists/packed-domains.test.ts',
      title: 'holds 1,000 blocked domains of a source in 23 KB',
    },
  ],
};
