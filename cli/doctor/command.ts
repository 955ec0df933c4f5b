import type { CommandDefinition } from '../definition.ts';

export const doctor: CommandDefinition = {
  name: 'doctor',
  heading: 'Start it, and see whether all is well',
  summary: 'Check settings, servers, clocks, ports, host names and folders, and say what to do',
  description:
    'Checks what an exchange with these settings needs: Node, the settings themselves, SECRET_KEY, DATA_DIR and the other folders with their free space, the durability, replicas and memory of each Redis, the replica set and write concern of MongoDB, clocks, ports, and that the host names of the public URLs lead here. It writes nothing. It may run before the first start and beside a running exchange. The settings are those of this environment: give it the same.',
  options: [{ flags: '--strict', description: 'warnings count as failures for the exit code' }],
  examples: [
    { command: 'exchange doctor', does: 'the settings of this environment' },
    { command: 'exchange doctor --settings .env', does: 'those of a file' },
    { command: 'exchange doctor --json', does: 'each finding with status, what it means, what to do' },
  ],
  exitCodes: '0 nothing fails, 1 something does, 2 the check did not run.',
  readsSettings: true,
  load: () => import('./run.ts'),
};
