import { EVENTS } from '../../gateways/log-level-data/layout.ts';
import type { CommandDefinition, OptionDefinition } from '../definition.ts';

const SOURCE = { name: '<source_id>', description: 'the id of the publisher or demand source' };
const RANGE: readonly OptionDefinition[] = [
  { flags: '--from <time>', description: 'hours that begin at or after it; by default 24 hours before --to' },
  { flags: '--to <time>', description: 'hours that begin before it; by default now' },
];

export const logLevel: CommandDefinition = {
  name: 'log-level',
  heading: 'Work with it, over its management API',
  summary: 'Single events of a publisher or a demand source, in hourly files',
  commands: [
    {
      name: 'list',
      summary: 'List the hours that are written, with their sums',
      arguments: [SOURCE],
      options: RANGE,
      examples: [{ command: 'exchange log-level list <id> --from 2026-03-01 --to 2026-04-01', does: 'a month' }],
      callsApi: true,
      load: () => import('./list.ts'),
    },
    {
      name: 'download',
      summary: 'Download the files of hours, each once',
      description:
        'Files are stored below the folder under the names that the exchange has for them, so that DuckDB, Spark and others read days, hours and sources from the paths. A file gets its name when all of it is there and has the hash and the length of the list. One that is there with its hash is not downloaded again: run it as often as you like.',
      arguments: [SOURCE],
      options: [
        ...RANGE,
        {
          flags: '--event <event>',
          description: 'only files of this event; may be given many times',
          choices: EVENTS,
          many: true,
        },
        { flags: '--folder <folder>', description: 'where they are stored', fallback: '.' },
      ],
      examples: [
        { command: 'exchange log-level download <id> --folder ./books', does: 'what the last day has brought' },
        {
          command: 'exchange log-level download <id> --event impressions --from 2026-03-01 --to 2026-04-01',
          does: 'the rows of a month’s statement',
        },
      ],
      exitCodes:
        '1 also when an hour differs from the ledger (`complete: false`); its files are downloaded all the same.',
      callsApi: true,
      load: () => import('./download.ts'),
    },
  ],
};
