import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { open, type RootDatabase } from 'lmdb';
import { DATA_FILE } from './data-file.ts';

/** Whether the folder holds documents of an exchange. Reads beside the process that holds the folder, and changes nothing. */
export async function holdsDocuments(folder: string): Promise<boolean> {
  if (!existsSync(join(folder, DATA_FILE))) return false;
  return reading(folder, async (root) => {
    const documents = root.openDB<string, string>({ name: 'documents', encoding: 'string' });
    if (documents === undefined) return false;
    for (const _ of documents.getKeys({ limit: 1 })) return true;
    return false;
  });
}

/**
 * Writes log and store as they are at one instant to the file `to`, which must not be there. Runs beside the process that holds the
 * folder, which goes on: lmdb reads a snapshot.
 */
export function snapshotData(folder: string, to: string): Promise<void> {
  return reading(folder, (root) => root.backup(to, true));
}

async function reading<T>(folder: string, read: (root: RootDatabase) => Promise<T>): Promise<T> {
  const root = open({ path: join(folder, DATA_FILE), noSubdir: true, readOnly: true, maxDbs: 16, encoding: 'string' });
  try {
    return await read(root);
  } finally {
    await root.close();
  }
}
