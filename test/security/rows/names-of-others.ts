import type { SecurityRows } from '../attack.ts';

export const rows: SecurityRows = {
  attacks: [
    {
      by: 'bidder',
      attack: 'has its host looked up by a DNS server that never answers, 200 times at once',
      outcome: 'one look-up, which takes no thread: other names are looked up meanwhile, those of stores too',
      file: 'gateways/http/dns-addresses.test.ts',
      title: 'asks once for a name that hangs, however many wait for it, and delays no other name for that',
    },
    {
      by: 'keyless caller',
      attack: 'asks the sandbox for an ad of the MIME type `constructor`, which ended the process',
      outcome: 'gets one of the usual type: tables by names of others have no members of objects',
      file: 'gateways/bidders/synthetic/synthetic-bidders.test.ts',
      title: 'answer a slot whose MIME types are the names of members of all objects',
    },
  ],
};
