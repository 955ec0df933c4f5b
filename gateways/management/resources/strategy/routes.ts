import { backtestStrategy } from './backtest/backtest.ts';
import { readStrategy } from './read.ts';
import { strategySchema } from './schema.ts';
import { uploadStrategy } from './upload.ts';

export const strategyRoutes = [uploadStrategy, readStrategy, backtestStrategy, strategySchema];
