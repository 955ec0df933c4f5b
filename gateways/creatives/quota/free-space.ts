import { statfs } from 'node:fs/promises';
import { FetchFailed } from '../fetch/failures.ts';

/** The free space is checked again after this many written bytes. */
export const SPACE_CHECK_BYTES = 8 * 1024 * 1024;

/** Bytes on the file system of `folder` that this process may use. */
async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/**
 * Checks that the disk has room for files in transfer. The space below `reserve` is for the log and the store, which
 * may be on the same disk.
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
