import { backtestStrategy } from './backtest/backtest.ts';
import { patchStrategy } from './patch.ts';
import { readStrategy } from './read.ts';
import { strategySchema } from './schema.ts';
import { simulateStrategy } from './simulate/simulate.ts';
import { uploadStrategy } from './upload.ts';

export const strategyRoutes = [
  uploadStrategy,
  patchStrategy,
  readStrategy,
  backtestStrategy,
  simulateStrategy,
  strategySchema,
];
