import { constants } from 'node:fs';
import { copyFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, sync } from '../../runtime/sync-to-disk.ts';

const OWNER_ONLY = 0o700;

/**
 * Copies the files of a folder and of the folders below it, durably. A file that its program has removed meanwhile is
 * left out. Resolves with the number of copied files.
 * @param leftOut names in the folder itself that are not copied
 */
export async function copyFiles(from: string, to: string, leftOut: readonly string[] = []): Promise<number> {
  const entries = await orNull(readdir(from, { withFileTypes: true }));
  if (entries === null) return 0;
  await makeFolder(to, OWNER_ONLY);
  let copied = 0;
  for (const entry of entries) {
    if (leftOut.includes(entry.name)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copied += await copyFiles(source, target);
    else if (entry.isFile() && (await copyOne(source, target))) copied++;
  }
  await sync(to);
  return copied;
}

/** Copies one file; resolves with false when there is no such file. Never overwrites a file. */
export async function copyOne(from: string, to: string): Promise<boolean> {
  if ((await orNull(copyFile(from, to, constants.COPYFILE_EXCL).then(() => true))) === null) return false;
  await sync(to);
  return true;
}

async function orNull<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
