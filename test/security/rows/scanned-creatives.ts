import type { SecurityRows } from '../attack.ts';

export const rows: SecurityRows = {
  attacks: [
    {
      by: 'bidder',
      attack: 'swaps the markup of a creative that was approved',
      outcome: 'other markup is another creative, which nobody has approved: it loses as `creative-not-approved`',
      file: 'gateways/edge/creatives/reviewed-creatives.test.ts',
      title: 'are not sold to who reviews them until they are approved, and can be found meanwhile',
    },
    {
      by: 'bidder',
      attack:
        'calls its bid like a host or an attribute of its markup, so that other markup has the fingerprint that was approved',
      outcome: 'ids that bidders choose are taken out of values and paths alone, never of hosts or words',
      file: 'exchange/creative/creative-template.test.ts',
      title: 'keeps what a bidder could swap for something else by calling its bid so',
    },
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
    {
      by: 'bidder',
      attack: 'fills markup and its frames with tiny scripts, 5.6 s for each to be read while all other scans wait',
      outcome:
        '200 different scripts of a text are read, more are a finding; after a text that takes 5 s no other of the scan is',
      file: 'gateways/creatives/scan/read-html.test.ts',
      title: 'reads a few hundred scripts, each once, and says where there are more',
    },
  ],
  budgets: [
    {
      of: 'bidder',
      resource: 'entries',
      bound:
        '100 new creatives a minute at each edge; markup of 64 Ki characters each, 32 million that wait to be told',
      file: 'gateways/edge/creatives/creative-sightings.test.ts',
      title: 'are bounded: a demand source with a new one in each auction has a hundred pages a minute',
    },
    {
      of: 'bidder',
      resource: 'entries',
      bound: '10,000 new creatives a day at each edge (CREATIVES_PER_DSP), each of which leaves a tombstone',
      file: 'gateways/edge/creatives/creative-sightings.test.ts',
      title: 'are told of no further ones, which are sold all the same',
    },
    {
      of: 'bidder',
      resource: 'entries',
      bound: '10,000 creatives (CREATIVES_PER_DSP), 90 days unseen (CREATIVE_RETENTION_DAYS)',
      file: 'scheduler/jobs/forget-creatives.test.ts',
      title: 'are forgotten when they were unseen for longest, beyond a number of each source and an age',
    },
  ],
};
