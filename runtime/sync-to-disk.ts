import { open } from 'node:fs/promises';

/** Resolves when the content of `path` is on the disk: the bytes of a file, or the names in a folder. */
export async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
