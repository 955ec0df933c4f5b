import { createReadStream } from 'node:fs';
import { copyFile, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Random } from '#runtime/ports/random';
import { makeFolder, sync } from '#runtime/sync-to-disk';
import {
  type CreativeStorage,
  CreativeStorageUnavailable,
  type ListedFile,
  SHA256_NAME,
  type StoredFile,
} from './creative-storage.ts';

/**
 * Creates a storage of creatives in a folder: the file `ab/ab12…`, with its media type beside it in `ab/ab12….type`. A
 * file is found by its name only; it gets the name in one step, after all its bytes and its type are on the disk.
 */
export function createFileStorage({ folder, random }: { folder: string; random: Random }): CreativeStorage {
  const pathOf = (sha256: string) => join(folder, sha256.slice(0, 2), sha256);

  /** Writes a file under a temporary name, syncs it, then renames it: each step happens completely or not at all. */
  const writeAtomically = async (path: string, write: (temporary: string) => Promise<void>) => {
    const temporary = `${path}.${random.id()}`;
    try {
      await write(temporary);
      await sync(temporary);
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => undefined);
      throw error;
    }
  };

  return {
    has: (sha256) => guarded(async () => (await lengthOf(pathOf(sha256))) !== null),
    put: (sha256, file) =>
      guarded(async () => {
        const path = pathOf(sha256);
        if ((await lengthOf(path)) !== null) return;
        await makeFolder(dirname(path));
        await writeAtomically(`${path}.type`, (temporary) => writeFile(temporary, file.mimeType));
        await writeAtomically(path, (temporary) => moveFile(file.path, temporary));
        await sync(dirname(path));
      }),
    open: (sha256) =>
      guarded(async (): Promise<StoredFile | null> => {
        const path = pathOf(sha256);
        const bytes = await lengthOf(path);
        if (bytes === null) return null;
        return {
          bytes,
          mimeType: await readFile(`${path}.type`, 'utf8'),
          read: async (range) => createReadStream(path, range),
        };
      }),
    list: () => listed(folder),
    remove: (sha256) =>
      guarded(async () => {
        const path = pathOf(sha256);
        // The file is found by its own name: once that is gone, its type has no reader.
        await rm(path, { force: true });
        await rm(`${path}.type`, { force: true });
      }),
    close: async () => undefined,
  };
}

async function* listed(folder: string): AsyncIterable<ListedFile> {
  for (const prefix of await guarded(() => namesIn(folder))) {
    if (!/^[0-9a-f]{2}$/.test(prefix)) continue;
    for (const sha256 of await guarded(() => namesIn(join(folder, prefix)))) {
      if (!SHA256_NAME.test(sha256)) continue;
      const bytes = await guarded(() => lengthOf(join(folder, prefix, sha256)));
      if (bytes !== null) yield { sha256, bytes };
    }
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

async function guarded<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw new CreativeStorageUnavailable((error as Error).message, { cause: error });
  }
}

async function lengthOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function moveFile(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    // EXDEV: the file comes from another file system.
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    await copyFile(from, to);
  }
}
