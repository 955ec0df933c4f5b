import { assignToPool } from './assign.ts';
import { createPool } from './create.ts';
import { listPools } from './list.ts';
import { readPool } from './read.ts';
import { poolStats } from './stats.ts';
import { updatePool } from './update.ts';

export const poolRoutes = [listPools, createPool, readPool, updatePool, assignToPool, poolStats];
