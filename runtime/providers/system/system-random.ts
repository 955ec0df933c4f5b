import { randomFillSync } from 'node:crypto';
import type { Random } from '../../ports/random.ts';

const ID_BYTES = 16;
/** Random bytes are drawn for many ids at once: one draw costs as much as a hundred copies. */
const pool = Buffer.allocUnsafe(ID_BYTES * 256);
let used = pool.length;

export const systemRandom: Random = {
  next: () => Math.random(),
  id() {
    if (used === pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    used += ID_BYTES;
    return pool.toString('base64url', used - ID_BYTES, used);
  },
};
