import type { SecurityRows } from '../attack.ts';

export const rows: SecurityRows = {
  attacks: [
    {
      by: 'bidder',
      attack: 'sells markup whose scripts, frames, images or clicks lead to inner networks, for the scan to call them',
      outcome: 'no connection is opened, and the creative is flagged with `forbidden-address`',
      file: 'gateways/creatives/scan/scanner.test.ts',
      title: 'asks for nothing at private addresses, and names who leads there',
    },
    {
      by: 'bidder',
      attack:
        'sells a script that looks for inner networks when it is rendered, by names and addresses put together at run time',
      outcome: 'the browser’s only way out is a proxy that judges each address that it connects to',
      file: 'gateways/creatives/scan/scanner.test.ts',
      title: 'reaches no private address, whatever the creative runs',
    },
    {
      by: 'bidder',
      attack: 'brings many creatives whose servers never answer, so that those of others are not scanned',
      outcome: 'three of a demand source are under way at once, and each is given up',
      file: 'gateways/creatives/scan/scanner.test.ts',
      title: 'does not wait for a demand source whose servers never answer',
    },
  ],
  budgets: [
    {
      of: 'bidder',
      resource: 'entries',
      bound: '10,000 creatives (CREATIVES_PER_DSP), 90 days unseen (CREATIVE_RETENTION_DAYS)',
      file: 'scheduler/jobs/forget-creatives.test.ts',
      title: 'are forgotten when they were unseen for longest, beyond a number of each source and an age',
    },
  ],
};
