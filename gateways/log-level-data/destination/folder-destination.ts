import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder, sync } from '#runtime/sync-to-disk';
import { type Destination, DestinationUnavailable } from './destination.ts';

/** Files that are not whole yet lie here, so that they get their name in one step. */
const STAGING = '.staging';

/** A folder of this machine, or of a disk that several machines share. */
export function createFolderDestination(root: string): Destination {
  const stagingFolder = join(root, STAGING);
  const move = async (from: string, name: string) => {
    const to = join(root, name);
    await sync(from);
    await makeFolder(dirname(to));
    await rename(from, to);
    await sync(dirname(to));
  };
  const sizeOf = async (name: string) => {
    const found = await orNull(stat(join(root, name)));
    return found?.isFile() ? found.size : null;
  };
  const entriesOf = async (folder: string) =>
    (await orNull(readdir(join(root, folder), { withFileTypes: true }))) ?? [];
  return {
    stagingFolder,
    put: (name, { path }) => guarded(() => move(path, name)),
    putText: (name, text) =>
      guarded(async () => {
        await mkdir(stagingFolder, { recursive: true });
        const temporary = join(stagingFolder, randomUUID());
        try {
          await writeFile(temporary, text);
          await move(temporary, name);
        } finally {
          await rm(temporary, { force: true });
        }
      }),
    has: (name) => guarded(async () => (await sizeOf(name)) !== null),
    open: (name) =>
      guarded(async () => {
        const bytes = await sizeOf(name);
        return bytes === null ? null : { bytes, read: async () => createReadStream(join(root, name)) };
      }),
    readText: (name) => guarded(() => orNull(readFile(join(root, name), 'utf8'))),
    files: (folder) =>
      guarded(async () => (await entriesOf(folder)).flatMap((entry) => (entry.isFile() ? [entry.name] : [])).sort()),
    folders: (folder) =>
      guarded(async () =>
        (await entriesOf(folder)).flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort(),
      ),
    removeFolder: (folder) => guarded(() => rm(join(root, folder), { recursive: true, force: true })),
    close: () => undefined,
  };
}

async function orNull<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function guarded<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw new DestinationUnavailable((error as Error).message, { cause: error });
  }
}
