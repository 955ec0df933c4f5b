import type { CommandDefinition } from '../definition.ts';

export const simulate: CommandDefinition = {
  name: 'simulate',
  heading: 'Work with it, over its management API',
  summary: 'See what a demand source would bid on a request, and why; no money moves',
  description:
    'Of a delegate: judges every campaign of a strategy, or of those that it has, on a bid request, and shows each condition with what the request has there. Of a bidder in the sandbox: sends it the request of a scenario, and judges its answer as an auction would. Nothing is saved or counted.',
  arguments: [{ name: '<demand_id>', description: 'the id of the demand source' }],
  options: [
    { flags: '--request <file>', description: 'a bid request, OpenRTB 2.5 or 2.6; - for standard input (delegates)' },
    { flags: '--strategy <file>', description: 'a strategy in place of the one that it has (delegates)' },
    { flags: '--publisher <id>', description: 'a publisher whose genre and floors count (delegates)' },
    { flags: '--scenario <name>', description: 'a scenario of the sandbox (bidders)' },
  ],
  examples: [
    { command: 'exchange simulate <id> --request request.json', does: 'the campaigns that the delegate has' },
    { command: 'exchange simulate <id> --strategy new.json', does: 'those of a strategy before it is uploaded' },
    { command: 'exchange simulate <id> --scenario mobile-uk-sport', does: 'what a bidder answers' },
  ],
  callsApi: true,
  load: () => import('./run.ts'),
};
