import type { CommandDefinition } from '../definition.ts';

export const start: CommandDefinition = {
  name: 'start',
  heading: 'Start it, and see whether all is well',
  summary: 'Start the exchange with the settings of the environment',
  description:
    'Starts the exchange with the settings of the environment (docs/settings.md). Without any it serves the API on port 8080 and ads on 8081, and keeps its data in ./data. In a clone, packages are installed and the program is built when they have changed. SIGTERM or Ctrl-C stops it. On a terminal it prints where everything is and, once, the first credentials; with --json, or where the output is no terminal, a log of JSON lines without secrets.',
  examples: [
    { command: 'exchange start', does: 'a working exchange, with nothing to set up' },
    { command: 'exchange start --settings .env', does: 'with the settings of a file' },
    { command: 'PORT=9000 exchange start', does: 'the API on another port' },
  ],
  exitCodes: '0 stopped, 1 it could not start or stop, 2 wrong settings.',
  readsSettings: true,
  load: () => import('./run.ts'),
};
