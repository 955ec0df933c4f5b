import { commandOf, number, PERIOD, text, word } from '../api/operation-command.ts';
import type { CommandDefinition } from '../definition.ts';

const id = { name: 'id', description: 'the id of the demand source' };
const pool = { name: 'pool_id', description: 'the id of the pool' };
const PATH = '/api/demand/sources';
const written = [
  text('--name <name>', 'name', 'its name, unique in the account'),
  text('--endpoint <url>', 'endpoint_url', 'where its bidder takes bid requests'),
  number('--daily-budget-cents <cents>', 'daily_budget_cents', 'what it may spend a day; 0: no limit'),
  number('--timeout-ms <ms>', 'timeout_ms', 'how long its bidder may take'),
  word('--openrtb <version>', 'openrtb_version', ['2.5', '2.6'], 'the version that its bidder speaks'),
  number('--qps <n>', 'qps_limit', 'bid requests a second at most'),
];

/** Demand sources: bidders that are called, and delegates that bid by a strategy. */
export const demand: CommandDefinition = {
  name: 'demand',
  heading: 'Work with it, over its management API',
  summary: 'Demand sources, bidders and delegates: list, read, make, change, subscribe, archive',
  commands: [
    commandOf({
      name: 'list',
      summary: 'List the demand sources of the account',
      method: 'get',
      path: PATH,
      query: [
        text('--search <text>', 'q', 'those whose name or id contains it'),
        text('--status <status>', 'status', 'of this status'),
        word('--mode <mode>', 'mode', ['rtb', 'delegate'], 'of this mode'),
        text('--pool <id>', 'pool_id', 'that subscribe to this pool'),
      ],
      columns: ['id', 'name', 'mode', 'status', 'endpoint_url', 'daily_budget_cents'],
    }),
    commandOf({
      name: 'get',
      summary: 'Read a demand source',
      method: 'get',
      path: `${PATH}/{id}`,
      parameters: [id],
    }),
    commandOf({
      name: 'create',
      summary: 'Make a demand source',
      method: 'post',
      path: PATH,
      body: [
        ...written,
        word('--mode <mode>', 'mode', ['rtb', 'delegate'], 'rtb: its bidder is called; delegate: its strategy bids'),
      ],
      examples: [
        {
          command: 'exchange demand create --name Bidder --mode rtb --endpoint http://localhost:9000/bid --field id',
          does: 'prints its id',
        },
      ],
    }),
    commandOf({
      name: 'update',
      summary: 'Change some fields of a demand source',
      method: 'patch',
      path: `${PATH}/{id}`,
      parameters: [id],
      body: written,
    }),
    commandOf({
      name: 'archive',
      summary: 'Archive a demand source: it bids no more',
      method: 'delete',
      path: `${PATH}/{id}`,
      parameters: [id],
    }),
    commandOf({
      name: 'pools',
      summary: 'List the pools that a demand source buys from',
      method: 'get',
      path: `${PATH}/{id}/pools`,
      parameters: [id],
    }),
    commandOf({
      name: 'subscribe',
      summary: 'Let a demand source buy from a pool',
      method: 'post',
      path: `${PATH}/{id}/pools/{pool_id}`,
      parameters: [id, pool],
    }),
    commandOf({
      name: 'unsubscribe',
      summary: 'Let a demand source buy from a pool no more',
      method: 'delete',
      path: `${PATH}/{id}/pools/{pool_id}`,
      parameters: [id, pool],
    }),
    commandOf({
      name: 'strategy',
      summary: 'Read the strategy of a delegate',
      method: 'get',
      path: `${PATH}/{id}/strategy`,
      parameters: [id],
    }),
    commandOf({
      name: 'set-strategy',
      summary: 'Give a delegate a strategy (docs/strategy.md) in place of the one that it has',
      method: 'put',
      path: `${PATH}/{id}/strategy`,
      parameters: [id],
      body: [],
      examples: [{ command: 'exchange demand set-strategy <id> --data @strategy.json', does: 'of a file' }],
    }),
    commandOf({
      name: 'stats',
      summary: 'What a demand source has bought',
      method: 'get',
      path: `${PATH}/{id}/stats`,
      parameters: [id],
      query: [PERIOD],
    }),
    commandOf({
      name: 'funnel',
      summary: 'What became of the auctions that a demand source might have bid in, step by step',
      method: 'get',
      path: `${PATH}/{id}/funnel`,
      parameters: [id],
      query: [PERIOD],
    }),
    commandOf({
      name: 'feed',
      summary: 'The wins and impressions of a demand source, one by one',
      method: 'get',
      path: '/api/dsp/{id}/feed',
      parameters: [id],
      query: [
        number('--limit <n>', 'limit', 'so many at most'),
        text('--cursor <cursor>', 'cursor', 'after those of an earlier answer'),
      ],
    }),
    commandOf({
      name: 'health',
      summary: 'How a bidder answers: its circuit breaker, time-outs and errors',
      method: 'get',
      path: `${PATH}/{id}/health`,
      parameters: [id],
    }),
    commandOf({
      name: 'reset',
      summary: 'Close the circuit breaker of a bidder',
      method: 'post',
      path: `${PATH}/{id}/reset`,
      parameters: [id],
    }),
    commandOf({
      name: 'set-budget',
      summary: 'Say what a demand source may spend a day',
      method: 'put',
      path: '/api/demand/dsp/{id}/budget',
      parameters: [id],
      body: [number('--daily-cents <cents>', 'daily_budget_cents', '0: no limit')],
    }),
  ],
};
