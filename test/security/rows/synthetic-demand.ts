import type { SecurityRows } from '../attack.ts';

export const rows: SecurityRows = {
  attacks: [
    {
      by: 'account key',
      attack:
        'registers a demand source at `synthetic:high-bidder`, or moves a synthetic one to live inventory, to buy with money that nobody has',
      outcome: 'the API takes http and https endpoints alone (400); synthetic demand is not called outside the sandbox',
      file: 'gateways/bidders/synthetic/in-process-channels.test.ts',
      title: 'bids nowhere but in the sandbox, whatever becomes of its demand source',
    },
  ],
};
