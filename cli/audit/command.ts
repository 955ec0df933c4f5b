import type { CommandDefinition } from '../definition.ts';

export const audit: CommandDefinition = {
  name: 'audit',
  heading: 'Look after what it keeps',
  summary: 'Recompute all money from the ledgers, and the chains of the audit trail, and print every difference',
  description:
    'Recomputes all that the exchange says about money from its ledgers, and the chains of its audit trail, and prints every difference. Reads REDIS_URL, REDIS_PREFIX, MONGODB_URL, DATA_DIR and PARTITIONS as the exchange does, and writes nothing. Runs beside an exchange on Redis and MongoDB; the embedded providers let one process in at a time, so stop the exchange first. Beside one that sells, it may not see the hour under way complete, in five attempts: it then checks whole hours, and says from when on nothing was checked (`unchecked` with --json).',
  options: [{ flags: '--month <month>', description: 'one month (UTC), YYYY-MM, instead of everything' }],
  examples: [
    { command: 'exchange audit', does: 'everything' },
    { command: 'exchange audit --month 2026-03 --json', does: 'one month, for programs' },
  ],
  exitCodes: '0 the books balance as far as they were checked, 1 differences, 2 no audit.',
  failure: 'There was no audit',
  readsSettings: true,
  load: () => import('./run.ts'),
};
