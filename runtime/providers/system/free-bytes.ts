import { statfsSync } from 'node:fs';

/**
 * The bytes that this process may still write to the file system of `folder`; infinite where that does not say: then a
 * write itself tells.
 */
export function freeBytesOf(folder: string): number {
  try {
    const { blocks, bavail, bsize } = statfsSync(folder);
    return blocks === 0 ? Number.POSITIVE_INFINITY : bavail * bsize;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
