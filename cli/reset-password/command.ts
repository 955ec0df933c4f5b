import type { CommandDefinition } from '../definition.ts';

export const resetPassword: CommandDefinition = {
  name: 'reset-password',
  heading: 'Look after what it keeps',
  summary: 'Give a user a new password, on the machine of the exchange',
  description:
    'Gives a user a new password, prints it, and ends all sessions of the user: the way back for who has lost it, and may run commands on the machine. Reads REDIS_URL, REDIS_PREFIX, MONGODB_URL and DATA_DIR as the exchange does. On Redis and MongoDB a process with the role actors must run; with the embedded log or store stop the exchange first. The audit trail has an entry by command/reset-password.',
  arguments: [{ name: '<email>', description: 'the email of the user' }],
  options: [{ flags: '--second-factor', description: 'takes the user’s second factor away, too' }],
  examples: [{ command: 'exchange reset-password ann@exchange.example', does: 'prints the new password, once' }],
  exitCodes: '0 done, 1 there is no such user, 2 nothing was done.',
  failure: 'Nothing was reset',
  readsSettings: true,
  load: () => import('./run.ts'),
};
