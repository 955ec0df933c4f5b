import { createKey } from './create.ts';
import { listKeys } from './list.ts';
import { revokeKey } from './revoke.ts';
import { rotateKey } from './rotate.ts';

export const keyRoutes = [listKeys, createKey, rotateKey, revokeKey];
