import { open } from 'node:fs/promises';

/** Resolves when what stands at `path` is on the disk: a file's bytes, or the names in a folder. */
export async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
