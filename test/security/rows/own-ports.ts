import type { SecurityRows } from '../attack.ts';

export const rows: SecurityRows = {
  attacks: [
    {
      by: 'account key',
      attack:
        'names a port of the exchange itself, its Redis or its MongoDB as bidder, notice, webhook, creative or ads.txt while private networks are allowed',
      outcome: 'no connection is opened to them, by any name or address of the machine',
      file: 'gateways/http/guarded-connect.test.ts',
      title:
        'never leads to a port that we listen on, by whichever address of this machine, though private networks are allowed',
    },
  ],
};
