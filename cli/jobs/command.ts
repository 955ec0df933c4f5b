import { commandOf } from '../api/operation-command.ts';
import type { CommandDefinition } from '../definition.ts';

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
    commandOf({
      name: 'run',
      summary: 'Run a job now',
      method: 'post',
      path: '/api/jobs/{name}/run',
      parameters: [{ name: 'name', description: 'its name, as jobs list shows it' }],
      asUser: true,
      examples: [{ command: 'exchange jobs run audit', does: 'the audit of a running exchange' }],
    }),
  ],
};
