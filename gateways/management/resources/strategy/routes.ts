import { readStrategy } from './read.ts';
import { strategySchema } from './schema.ts';
import { uploadStrategy } from './upload.ts';

export const strategyRoutes = [uploadStrategy, readStrategy, strategySchema];
