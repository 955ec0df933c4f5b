import { sandboxHealth } from './health.ts';
import { resetSandbox } from './reset/reset.ts';
import { simulateAuction } from './simulate/simulate.ts';
import { readTestBid } from './test-bid/read.ts';
import { runTestBid } from './test-bid/run.ts';

export const sandboxRoutes = [sandboxHealth, resetSandbox, readTestBid, runTestBid, simulateAuction];
