import { mkdir, open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** Resolves when the content of `path` is on the disk: the bytes of a file, or the names in a folder. */
export async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Makes a folder and those above it that are missing, with `mode`; resolves when their names are on the disk. What is
 * synced in a folder is lost with it when the machine loses its power before the folder's own name is there.
 */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  const topmost = await mkdir(path, { recursive: true, mode });
  if (topmost === undefined) return;
  const end = dirname(resolve(topmost));
  for (let folder = resolve(path); folder !== end; folder = dirname(folder)) await sync(dirname(folder));
}
