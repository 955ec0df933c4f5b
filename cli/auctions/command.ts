import { commandOf, text } from '../api/operation-command.ts';
import type { CommandDefinition } from '../definition.ts';

const filters = [
  text('--publisher <id>', 'publisher_id', 'of this publisher'),
  text('--demand <id>', 'dsp_id', 'that this demand source had a part in'),
  text('--outcome <outcome>', 'outcome', 'filled, unfilled, blocked, invalid, expired; with --demand won, lost …'),
  text('--from <instant>', 'from', 'from this instant on, ISO 8601'),
  text('--to <instant>', 'to', 'before this instant'),
];

const reason = text('--reason <reason>', 'reason', 'with this reason in it');

/** Recorded auctions. */
export const auctions: CommandDefinition = {
  name: 'auctions',
  heading: 'Work with it, over its management API',
  summary: 'Recorded auctions: list them, count the reasons of losses, see why one ended as it did',
  commands: [
    commandOf({
      name: 'list',
      summary: 'List recorded auctions, the newest first',
      method: 'get',
      path: '/api/auctions',
      query: [...filters, reason],
      columns: ['id', 'at', 'outcome', 'reason', 'auction_id', 'summary'],
      mostByDefault: 50,
      examples: [{ command: 'exchange auctions list --outcome unfilled --limit 10', does: 'what did not sell' }],
    }),
    commandOf({
      name: 'reasons',
      summary: 'Count why auctions were not filled, or bids lost',
      method: 'get',
      path: '/api/auctions/reasons',
      query: filters,
    }),
    {
      name: 'why',
      summary: 'Say why an auction ended as it did: each imp, each bidder, its reason and the remedy',
      description:
        'Says what the explorer says of a recorded auction: what was asked, for each imp which bidders were asked and what each came to, the reason and what would change it, and what became of each sale. Without an id it is the newest one that the options leave.',
      arguments: [{ name: '[id]', description: 'the id of the record, as auctions list shows it' }],
      options: [...filters, reason].map(({ option }) => option),
      examples: [
        { command: 'exchange auctions why', does: 'the newest auction' },
        { command: 'exchange auctions why --outcome unfilled', does: 'the newest that did not sell' },
      ],
      callsApi: true,
      load: () => import('./why.ts'),
    },
  ],
};
