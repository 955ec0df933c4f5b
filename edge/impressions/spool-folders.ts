import { randomUUID } from 'node:crypto';
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, sync } from '../../runtime/sync-to-disk.ts';
import { decodeSpool } from './spool-record.ts';

/** Names of files with impressions: this exchange's, and those found to be another exchange's. */
const HOLDS = /\.(?:spool|foreign)$/;
const SUFFIX = '.spool';
const NUMBER_DIGITS = 12;

export interface SpoolFoldersOptions {
  /** Path of the folder that holds the spool folders of all edges of this data folder. */
  readonly root: string;
  /** Name of this edge's own folder; it names the exchange. */
  readonly own: string;
  /** Names that this edge's folder may have had under older releases, which named it after the URL of the log. */
  readonly earlier: readonly string[];
}

interface ForeignSpoolsOptions extends Pick<SpoolFoldersOptions, 'root' | 'own'> {
  /** Names of the folders of edges that share this edge's port. */
  readonly siblings?: readonly string[];
}

/** A folder with impressions that this edge does not replay. */
export interface ForeignSpool {
  readonly folder: string;
  readonly files: number;
}

/**
 * Moves files from folders of earlier names into this edge's own, one by one: it may end at any moment and continue at
 * the next start. Resolves, durably, with the names of the adopted folders. Rejects with the file system's error.
 */
export async function adoptSpools({ root, own, earlier }: SpoolFoldersOptions): Promise<string[]> {
  const adopted: string[] = [];
  for (const name of earlier) {
    if (name === own) continue;
    const from = join(root, name);
    const names = (await namesIn(from)).sort();
    if (names.length === 0) continue;
    const to = join(root, own);
    await makeFolder(to);
    for (const file of names) await rename(join(from, file), join(to, await freeName(to, name, file)));
    await sync(to);
    await rm(from, { recursive: true });
    await sync(root);
    adopted.push(name);
  }
  return adopted;
}

/** The names of all spool folders of this data folder. */
export function spoolFolders(root: string): Promise<string[]> {
  return namesIn(root);
}

/**
 * Folders with impressions beside this edge's own and those of its `siblings`, and files of another
 * exchange in its own.
 */
export async function foreignSpools({ root, own, siblings = [] }: ForeignSpoolsOptions): Promise<ForeignSpool[]> {
  const foreign: ForeignSpool[] = [];
  for (const name of await namesIn(root)) {
    if (siblings.includes(name)) continue;
    const files = (await namesIn(join(root, name))).filter((file) => HOLDS.test(file));
    const others = name === own ? files.filter((file) => !file.endsWith(SUFFIX)) : files;
    if (others.length > 0) foreign.push({ folder: join(root, name), files: others.length });
  }
  return foreign;
}

/** Number of readable impressions in the files of a folder; a file that cannot be read has none. */
export async function countSpooled({ folder }: ForeignSpool): Promise<number> {
  let impressions = 0;
  for (const file of await namesIn(folder)) {
    if (!HOLDS.test(file)) continue;
    const text = await readFile(join(folder, file), 'utf8').catch(() => '');
    impressions += decodeSpool(text).impressions.length;
  }
  return impressions;
}

/**
 * A free name for an adopted file. Files are replayed in the order of their numbers, so an adopted file comes after
 * those present. A file that an older release set aside may have been adopted before under the same name, when an older
 * release ran again in between.
 */
async function freeName(folder: string, earlier: string, file: string): Promise<string> {
  const names = await namesIn(folder);
  if (!file.endsWith(SUFFIX)) {
    const name = `${earlier}.${file}`;
    return names.includes(name) ? `${earlier}.${randomUUID()}.${file}` : name;
  }
  const newest = names
    .filter((name) => name.endsWith(SUFFIX))
    .sort()
    .at(-1);
  const number = newest === undefined ? 1 : Number.parseInt(newest, 10) + 1;
  return `${String(number).padStart(NUMBER_DIGITS, '0')}${SUFFIX}`;
}

/** Names in a folder; none where the folder does not exist. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await stat(folder)).isDirectory() ? await readdir(folder) : [];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
