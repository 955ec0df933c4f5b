import { commandOf, number, text, word } from '../api/operation-command.ts';
import type { CommandDefinition } from '../definition.ts';

const id = { name: 'id', description: 'the id of the key, which is not the key itself' };
const PATH = '/api/keys';

export const keys: CommandDefinition = {
  name: 'keys',
  heading: 'Work with it, over its management API',
  summary: 'API keys of the account, as a user: list, make, rotate, revoke',
  commands: [
    commandOf({
      name: 'list',
      summary: 'List the keys of the account',
      method: 'get',
      path: PATH,
      query: [word('--status <status>', 'status', ['active', 'ended'], 'those that work, or work no more')],
      columns: ['id', 'name', 'environment', 'hint', 'created_at', 'expires_at'],
      asUser: true,
    }),
    commandOf({
      name: 'create',
      summary: 'Make a key, which is shown this once',
      method: 'post',
      path: PATH,
      body: [
        text('--name <name>', 'name', 'what it is for'),
        word('--environment <environment>', 'environment', ['live', 'sandbox'], 'where it counts'),
        text('--expires-at <instant>', 'expires_at', 'when it ends, ISO 8601; it does not unless this is given'),
      ],
      asUser: true,
      examples: [
        { command: 'exchange keys create --name Server --environment live --field key', does: 'prints the key alone' },
      ],
    }),
    commandOf({
      name: 'rotate',
      summary: 'Make another key in place of one, which goes on for a while',
      method: 'post',
      path: `${PATH}/{id}/rotate`,
      parameters: [id],
      body: [number('--overlap-seconds <n>', 'overlap_seconds', 'how long the old one goes on')],
      asUser: true,
    }),
    commandOf({
      name: 'revoke',
      summary: 'End a key at once',
      method: 'delete',
      path: `${PATH}/{id}`,
      parameters: [id],
      done: 'The key is revoked.',
      asUser: true,
    }),
  ],
};
