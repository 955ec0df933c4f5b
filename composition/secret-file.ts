import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder, sync } from '../runtime/sync-to-disk.ts';

const OWNER_ONLY = 0o600;
const OWNER_ONLY_FOLDER = 0o700;

/**
 * Writes a file that only its owner can read, and makes its folder where there is none. The file holds all of the text,
 * durably, or it stays as it was.
 */
export async function writeSecretFile(path: string, text: string): Promise<void> {
  const folder = dirname(path);
  await makeFolder(folder, OWNER_ONLY_FOLDER);
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  const file = await open(temporary, 'wx', OWNER_ONLY);
  try {
    await file.writeFile(text);
    await file.sync();
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  await sync(folder);
}
