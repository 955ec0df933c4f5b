import type { CommandDefinition } from '../definition.ts';

export const backtest: CommandDefinition = {
  name: 'backtest',
  heading: 'Work with it, over its management API',
  summary: 'Try a strategy on recorded auctions: what it would have bid, won and spent',
  description:
    'Holds the recorded auctions of the pools that the delegate subscribes to again, with this strategy among the demand, or, where none is given, with the campaigns that it has. Nothing is saved or counted, and the same auctions give the same figures.',
  arguments: [
    { name: '<demand_id>', description: 'the id of the delegate' },
    { name: '[strategy]', description: 'a file with a strategy document; - for standard input' },
  ],
  options: [
    { flags: '--from <instant>', description: 'ISO 8601; by default a day before --to' },
    { flags: '--to <instant>', description: 'ISO 8601; by default now' },
  ],
  examples: [{ command: 'exchange backtest <id> strategy.json', does: 'on the auctions of the last day' }],
  callsApi: true,
  load: () => import('./run.ts'),
};
