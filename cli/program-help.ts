import type { Example } from './definition.ts';

export const PROGRAM = 'exchange';

export const PROGRAM_SUMMARY =
  'Starts an ad exchange, looks after it, and works with it over its management API. With --json each command prints one line of JSON on standard output and nothing else. docs/command-line.md has every command.';

export const PROGRAM_EXAMPLES: readonly Example[] = [
  { command: 'exchange start', does: 'a working exchange, with nothing to set up' },
  { command: 'exchange seed', does: 'publishers, buyers and traffic to look at, in the sandbox' },
  { command: 'exchange doctor', does: 'what is wrong with the settings and servers, and what to do' },
  { command: 'exchange publishers list', does: 'what sells here' },
  { command: 'exchange auctions why <id>', does: 'why an auction ended as it did' },
  { command: 'exchange audit', does: 'whether the books balance, to the nano-dollar' },
];
