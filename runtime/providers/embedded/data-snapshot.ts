import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { open, type RootDatabase } from 'lmdb';
import { DATA_FILE } from './data-file.ts';

/**
 * Whether the folder has documents of an exchange. Changes nothing, and may run beside the process that has locked the
 * folder.
 */
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
 * Writes log and store as of one instant to the file `to`, which must not exist. May run beside the process that has
 * locked the folder, which continues: lmdb reads a snapshot.
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
