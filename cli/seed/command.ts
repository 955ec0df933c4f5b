import type { CommandDefinition } from '../definition.ts';

export const seed: CommandDefinition = {
  name: 'seed',
  heading: 'Start it, and see whether all is well',
  summary: 'Make a market in the sandbox, and send it traffic: ads are asked for, rendered and viewed',
  description:
    'Makes publishers, pools, a buyer with campaigns and subscriptions of the synthetic bidders in the sandbox of the account, each once, however often it is called. Then it sends ad requests to the edge, calls the billing notices of most of what is sold, as pages that render it, and reports most of that as viewed. No live money moves. Ctrl-C ends it.',
  options: [
    { flags: '--rate <n>', description: 'ad requests a second', number: true, fallback: '5' },
    { flags: '--seconds <n>', description: 'how long; 0: until Ctrl-C', number: true, fallback: '60' },
    { flags: '--no-traffic', description: 'makes the market alone' },
    { flags: '--edge-url <url>', description: 'the edge; that which the exchange names unless given' },
  ],
  examples: [
    { command: 'exchange seed', does: 'a market, and five requests a second for a minute' },
    { command: 'exchange seed --rate 50 --seconds 0', does: 'fifty a second until Ctrl-C' },
  ],
  exitCodes: '0 done, 1 the exchange refused, 2 called wrongly, 3 nothing answered.',
  callsApi: true,
  load: () => import('./run.ts'),
};
