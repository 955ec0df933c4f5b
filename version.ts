import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** The version of the program, from package.json. */
export async function readVersion(): Promise<string> {
  for (const place of ['./package.json', '../package.json', '../../package.json']) {
    const path = fileURLToPath(new URL(place, import.meta.url));
    const found = await readFile(path, 'utf8').catch(() => null);
    if (found !== null) return JSON.parse(found).version;
  }
  throw new Error('package.json was not found beside the program');
}
