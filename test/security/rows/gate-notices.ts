import type { SecurityRows } from '../attack.ts';

const SHARES = 'gateways/bidders/notices/shares.test.ts';

export const rows: SecurityRows = {
  attacks: [
    {
      by: 'bidder',
      attack: 'names 400 different hosts in its `lurl`s, none of which answers',
      outcome:
        'has 16 hosts at once, 8 of them for other than billing notices; 60 of 60 billing notices of others arrive',
      file: SHARES,
      title: 'loses no billing notice of others to 400 hosts that one bidder names in its lurl',
    },
  ],
  budgets: [
    {
      of: 'bidder',
      resource: 'sockets',
      bound: '32 notices in flight from each edge, 16 to one host; half of that for other than billing notices',
      file: SHARES,
      title: 'holds no more than 32 notices of one DSP in flight, over all of its hosts',
    },
    {
      of: 'bidder',
      resource: 'memory',
      bound: 'notices waiting at each edge: 24 million characters, half of them for other than billing notices',
      file: SHARES,
      title: 'keeps room for others when one DSP’s hosts are dead',
    },
  ],
};
