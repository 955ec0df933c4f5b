import { putStored, removeStored } from './change.ts';
import { listStored, readStored } from './read.ts';

export const storedRequestRoutes = [
  listStored('request'),
  readStored('request'),
  putStored('request'),
  removeStored('request'),
  listStored('imp'),
  readStored('imp'),
  putStored('imp'),
  removeStored('imp'),
];
