import { readTestBid } from './test-bid/read.ts';
import { runTestBid } from './test-bid/run.ts';

export const sandboxRoutes = [readTestBid, runTestBid];
