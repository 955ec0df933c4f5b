import { commandOf, number, text, word } from '../api/operation-command.ts';
import type { CommandDefinition } from '../definition.ts';

const id = { name: 'id', description: 'the id of the user' };
const PATH = '/api/users';
const written = [
  text('--email <email>', 'email', 'unique over all accounts'),
  text('--name <name>', 'name', 'what others see'),
  word('--role <role>', 'role', ['member', 'operator'], 'of one account, or of the exchange'),
];
const PASSWORD = text('--password <password>', 'password', 'best in --data -, which no list of processes shows');

/** Users, for operators. */
export const users: CommandDefinition = {
  name: 'users',
  heading: 'Work with it, over its management API',
  summary: 'Users, as an operator: list, read, make, invite, change, remove',
  commands: [
    commandOf({
      name: 'list',
      summary: 'List the users of all accounts',
      method: 'get',
      path: PATH,
      query: [
        text('--account <id>', 'account_id', 'of this account'),
        word('--status <status>', 'status', ['active', 'disabled'], 'of this status'),
      ],
      columns: ['id', 'email', 'name', 'role', 'status', 'account_id'],
      asUser: true,
    }),
    commandOf({
      name: 'get',
      summary: 'Read a user',
      method: 'get',
      path: `${PATH}/{id}`,
      parameters: [id],
      asUser: true,
    }),
    commandOf({
      name: 'create',
      summary: 'Make a user, who can log in at once',
      method: 'post',
      path: PATH,
      body: [...written, PASSWORD, text('--account <id>', 'account_id', 'the account; your own unless given')],
      asUser: true,
    }),
    commandOf({
      name: 'invite',
      summary: 'Make a link by which somebody makes a login of their own, once',
      method: 'post',
      path: '/api/invitations',
      body: [
        text('--email <email>', 'email', 'whom the link is for'),
        text('--name <name>', 'name', 'what others see'),
        word('--role <role>', 'role', ['member', 'operator', 'source'], 'source: of one publisher or demand source'),
        text('--account <id>', 'account_id', 'the account; your own unless given'),
        number('--expires-in-hours <n>', 'expires_in_hours', 'how long the link is good'),
      ],
      asUser: true,
      examples: [
        {
          command: 'exchange users invite --email ann@news.example --role member --field url',
          does: 'prints the link, to be handed over',
        },
      ],
    }),
    commandOf({
      name: 'update',
      summary: 'Change some fields of a user',
      method: 'patch',
      path: `${PATH}/{id}`,
      parameters: [id],
      body: [
        ...written,
        PASSWORD,
        word('--status <status>', 'status', ['active', 'disabled'], 'disabled users cannot log in'),
      ],
      asUser: true,
    }),
    commandOf({
      name: 'delete',
      summary: 'Remove a user',
      method: 'delete',
      path: `${PATH}/{id}`,
      parameters: [id],
      done: 'The user is removed.',
      asUser: true,
    }),
    commandOf({
      name: 'reset-second-factor',
      summary: 'Take a user’s second factor away',
      method: 'delete',
      path: `${PATH}/{id}/second-factor`,
      parameters: [id],
      done: 'The second factor is gone.',
      asUser: true,
    }),
  ],
};
