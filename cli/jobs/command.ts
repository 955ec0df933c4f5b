import { commandOf, type OperationCommand } from '../api/operation-command.ts';
import type { CommandDefinition } from '../definition.ts';

const asked = commandOf({
  name: 'run',
  summary: 'Run a job now, and show what it came to',
  method: 'post',
  path: '/api/jobs/{name}/run',
  parameters: [{ name: 'name', description: 'its name, as jobs list shows it' }],
  asUser: true,
  examples: [
    { command: 'exchange jobs run audit', does: 'the audit of a running exchange' },
    { command: 'exchange jobs run reseal-secrets --field last_run.outcome', does: 'only what it came to' },
  ],
});

const run: OperationCommand = {
  ...asked,
  description:
    'Has a job run now, waits until a run that began after the call has ended, and shows the job then. A run that was under way is not taken for it: another one follows. As a user: EXCHANGE_EMAIL and EXCHANGE_PASSWORD.',
  options: [
    ...(asked.options ?? []),
    {
      flags: '--wait <seconds>',
      description: 'so long at most; 0 only asks, and shows the job as it was before',
      number: true,
      fallback: '600',
    },
  ],
  exitCodes: '0 the run is done, 1 it failed or there is no such job, 3 it had not ended in time, or no answer.',
  load: () => import('./run-job.ts'),
};

/** What happens by the clock, for operators. */
export const jobs: CommandDefinition = {
  name: 'jobs',
  heading: 'Work with it, over its management API',
  summary: 'What happens by the clock, as an operator: list, run now',
  commands: [
    commandOf({
      name: 'list',
      summary: 'List jobs, and how they went last',
      method: 'get',
      path: '/api/jobs',
      asUser: true,
    }),
    run,
  ],
};
