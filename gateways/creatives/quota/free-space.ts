import { statfs } from 'node:fs/promises';
import { FetchFailed } from '../fetch/failures.ts';

/** How much is written before the disk is looked at again. */
export const SPACE_CHECK_BYTES = 8 * 1024 * 1024;

/** Bytes that are free for us on the file system of `folder`. */
async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/**
 * Whether the disk has room for files on their way: what is below `reserve` is for the log and the store, that may live on the same.
 * @throws FetchFailed
 */
export async function assertFreeSpace(
  folder: string,
  reserve: number,
  free: (folder: string) => Promise<number> = freeBytes,
): Promise<void> {
  if ((await free(folder)) >= reserve) return;
  throw new FetchFailed('was not fetched: the disk of the exchange has no room for files of creatives at the moment');
}
