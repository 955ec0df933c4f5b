import type { CommandDefinition } from '../definition.ts';

export const partitions: CommandDefinition = {
  name: 'partitions',
  heading: 'Look after what it keeps',
  summary: 'Move a stopped exchange to more partitions',
  description:
    'Moves a stopped exchange to more partitions of its log, and of the log of counts (FACTS_REDIS_URL); never to fewer. All processes are stopped and everything in the logs is handled; spools of edges may hold impressions, which are billed once afterwards. A run that ends early changed nothing that a start could see, and may be made again. Set PARTITIONS to the new number everywhere afterwards. docs/operations/more-partitions.md has the steps.',
  options: [
    { flags: '--to <partitions>', description: 'how many there shall be, 256 at most', needed: true, number: true },
  ],
  examples: [{ command: 'exchange partitions --to 128', does: 'after a backup, with everything stopped' }],
  exitCodes: '0 done, 1 it was refused and nothing was changed, 2 it came to no end: run it again.',
  failure: 'The exchange keeps the partitions that it has',
  readsSettings: true,
  load: () => import('./run.ts'),
};
