import { commandOf, number, PERIOD, text } from '../api/operation-command.ts';
import type { CommandDefinition } from '../definition.ts';

const id = { name: 'pool_id', description: 'the id of the pool' };
const PATH = '/api/supply/pools';
const written = [
  text('--name <name>', 'name', 'its name, unique in the account'),
  text('--description <text>', 'description', 'what it is for'),
  number('--floor <usd>', 'floor_price_cpm', 'USD CPM that its publishers sell for at least'),
];

export const pools: CommandDefinition = {
  name: 'pools',
  heading: 'Work with it, over its management API',
  summary: 'Pools, in which publishers and demand sources meet: list, read, make, change, fill',
  commands: [
    commandOf({
      name: 'list',
      summary: 'List the pools of the account',
      method: 'get',
      path: PATH,
      columns: ['id', 'name', 'floor_price_cpm', 'publisher_count', 'dsp_count'],
    }),
    commandOf({ name: 'get', summary: 'Read a pool', method: 'get', path: `${PATH}/{pool_id}`, parameters: [id] }),
    commandOf({
      name: 'create',
      summary: 'Make a pool',
      method: 'post',
      path: PATH,
      body: written,
      examples: [{ command: 'exchange pools create --name Premium --floor 0.5 --field id', does: 'prints its id' }],
    }),
    commandOf({
      name: 'update',
      summary: 'Change some fields of a pool',
      method: 'patch',
      path: `${PATH}/{pool_id}`,
      parameters: [id],
      body: written,
    }),
    commandOf({
      name: 'assign',
      summary: 'Put a publisher into a pool',
      method: 'put',
      path: `${PATH}/{pool_id}/assign`,
      parameters: [id, { name: 'publisher_id', description: 'the publisher, which leaves its pool for this one' }],
    }),
    commandOf({
      name: 'stats',
      summary: 'What is sold through a pool',
      method: 'get',
      path: `${PATH}/{pool_id}/stats`,
      parameters: [id],
      query: [PERIOD],
    }),
  ],
};
