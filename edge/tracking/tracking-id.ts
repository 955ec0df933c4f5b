import { randomFillSync } from 'node:crypto';

const ID_BYTES = 16;
const POOL_IDS = 256;

const pool = Buffer.allocUnsafeSlow(ID_BYTES * POOL_IDS);
let used = pool.length;

/** 128 random bits as 22 URL-safe characters. One system call serves 256 ids, as this is on the auction's path. */
export function newTrackingId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const start = used;
  used += ID_BYTES;
  return pool.toString('base64url', start, used);
}
