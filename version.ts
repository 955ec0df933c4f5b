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

/** The options of Node that `npm start` runs the program with. */
export async function nodeOptions(): Promise<string[]> {
  return (await readPackage()).start.split(' ').filter((word) => word.startsWith('--'));
}

async function readPackage(): Promise<{ readonly folder: string; readonly version: string; readonly start: string }> {
  for (const place of ['./package.json', '../package.json', '../../package.json']) {
    const path = fileURLToPath(new URL(place, import.meta.url));
    const found = await readFile(path, 'utf8').catch(() => null);
    if (found === null) continue;
    const { version, scripts } = JSON.parse(found);
    return { folder: dirname(path), version, start: scripts.start };
  }
  throw new Error('package.json was not found beside the program');
}
