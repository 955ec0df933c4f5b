import { commandOf, list, number, PERIOD, text, word } from '../api/operation-command.ts';
import type { CommandDefinition } from '../definition.ts';

const TYPES = ['web', 'mobile', 'ctv'];
const id = { name: 'id', description: 'the id of the publisher' };
const PATH = '/api/supply/sources';
const written = [
  text('--name <name>', 'name', 'its name, unique in the account'),
  text('--domain <domain>', 'domain', 'the domain of its site, or the bundle of its app'),
  word('--type <type>', 'type', TYPES, 'what it is'),
  number('--floor <usd>', 'floor_price_cpm', 'USD CPM that it sells for at least'),
  text('--pool <id>', 'pool_id', 'the pool that it sells through'),
  list('--blocked-domain <domain>', 'blocked_domains', 'a domain of advertisers that it does not show'),
  list('--blocked-category <category>', 'blocked_categories', 'an IAB category that it does not show'),
];

/** Supply sources: sites, apps and channels that sell. */
export const publishers: CommandDefinition = {
  name: 'publishers',
  heading: 'Work with it, over its management API',
  summary: 'Supply sources: list, read, make, change and archive them, and their figures',
  commands: [
    commandOf({
      name: 'list',
      summary: 'List the publishers of the account',
      method: 'get',
      path: PATH,
      query: [
        text('--search <text>', 'q', 'those whose name, domain or id contains it'),
        text('--status <status>', 'status', 'of this status'),
        text('--pool <id>', 'pool_id', 'of this pool'),
      ],
      columns: ['id', 'name', 'domain', 'type', 'status', 'floor_price_cpm', 'pool_id'],
      examples: [{ command: 'exchange publishers list --field id', does: 'their ids, a line each' }],
    }),
    commandOf({ name: 'get', summary: 'Read a publisher', method: 'get', path: `${PATH}/{id}`, parameters: [id] }),
    commandOf({
      name: 'create',
      summary: 'Make a publisher',
      method: 'post',
      path: PATH,
      body: written,
      examples: [
        {
          command: 'exchange publishers create --name News --domain news.example --type web --field id',
          does: 'prints its id',
        },
      ],
    }),
    commandOf({
      name: 'update',
      summary: 'Change some fields of a publisher',
      method: 'patch',
      path: `${PATH}/{id}`,
      parameters: [id],
      body: written,
    }),
    commandOf({
      name: 'archive',
      summary: 'Archive a publisher: it sells no more',
      method: 'delete',
      path: `${PATH}/{id}`,
      parameters: [id],
    }),
    commandOf({
      name: 'stats',
      summary: 'What a publisher has sold',
      method: 'get',
      path: `${PATH}/{id}/stats`,
      parameters: [id],
      query: [PERIOD],
    }),
    commandOf({
      name: 'funnel',
      summary: 'What became of a publisher’s ad requests, step by step',
      method: 'get',
      path: `${PATH}/{id}/funnel`,
      parameters: [id],
      query: [PERIOD],
    }),
    commandOf({
      name: 'verify',
      summary: 'Look at the publisher’s ads.txt now',
      method: 'post',
      path: `${PATH}/{id}/verify`,
      parameters: [id],
    }),
    commandOf({
      name: 'make-key',
      summary: 'Make the key by which a publisher reads its own bills, in place of the one that it has',
      method: 'post',
      path: `${PATH}/{id}/key`,
      parameters: [id],
      asUser: true,
    }),
    commandOf({
      name: 'set-fee',
      summary: 'Say which share of what buyers pay the exchange keeps',
      method: 'put',
      path: '/api/fees/{source_id}',
      parameters: [{ name: 'source_id', description: 'the id of the publisher' }],
      body: [number('--percent <n>', 'fee_percent', 'from 0 to 100')],
      asUser: true,
    }),
  ],
};
