import { CSV, commandOf, text } from '../api/operation-command.ts';
import type { CommandDefinition } from '../definition.ts';

export const statements: CommandDefinition = {
  name: 'statements',
  heading: 'Work with it, over its management API',
  summary: 'What publishers are paid and demand sources owe, month by month',
  commands: [
    commandOf({
      name: 'list',
      summary: 'List the statements that are finalized, of all sources, as an operator',
      method: 'get',
      path: '/api/statements',
      query: [text('--month <month>', 'month', 'of one month, YYYY-MM')],
      columns: [
        'month',
        'source_type',
        'source_name',
        'impressions',
        'gross_cents',
        'fee_cents',
        'due_after_adjustments_cents',
      ],
      csv: true,
      asUser: true,
      examples: [{ command: 'exchange statements list --month 2026-03 --csv > march.csv', does: 'for a spreadsheet' }],
    }),
    {
      name: 'get',
      summary: 'Read the statement of a publisher or a demand source, of an open month, too',
      arguments: [{ name: '<source_id>', description: 'the id of the publisher or demand source' }],
      options: [{ flags: '--month <month>', description: 'YYYY-MM; by default this one' }, CSV],
      examples: [{ command: 'exchange statements get <id> --month 2026-03 --csv', does: 'for a spreadsheet' }],
      callsApi: true,
      load: () => import('./get.ts'),
    },
  ],
};
