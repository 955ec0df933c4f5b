import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** The names of all files below a folder, sorted, without what is being prepared. */
export async function filesBelow(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();
}

export async function hashesBelow(root: string): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {};
  for (const name of await filesBelow(root)) hashes[name] = sha256Of(await readFile(join(root, name)));
  return hashes;
}

export function sha256Of(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

// biome-ignore lint/suspicious/noExplicitAny: tests look at whatever was written
export type Row = any;

/** The rows of an event for one side, or for one source of it, by the folder's name. */
export async function rowsOf(root: string, event: string, source: string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const name of await filesBelow(join(root, 'log-level/v1', event))) {
    if (!name.includes(`/${source}`)) continue;
    const text = gunzipSync(await readFile(join(root, 'log-level/v1', event, name))).toString();
    rows.push(
      ...text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    );
  }
  return rows;
}

export async function jsonOf(root: string, name: string): Promise<Row> {
  return JSON.parse(await readFile(join(root, name), 'utf8'));
}
