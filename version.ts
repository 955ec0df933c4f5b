import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The version of the program, from package.json. */
export async function readVersion(): Promise<string> {
  return (await readPackage()).version;
}

/** The folder that the program is installed in: that of its package.json. */
export async function programRoot(): Promise<string> {
  return (await readPackage()).folder;
}

async function readPackage(): Promise<{ readonly folder: string; readonly version: string }> {
  for (const place of ['./package.json', '../package.json', '../../package.json']) {
    const path = fileURLToPath(new URL(place, import.meta.url));
    const found = await readFile(path, 'utf8').catch(() => null);
    if (found !== null) return { folder: dirname(path), version: JSON.parse(found).version };
  }
  throw new Error('package.json was not found beside the program');
}
