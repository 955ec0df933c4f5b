import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { mapLimit } from '../../async/map-limit.ts';

/** Larger files are known by their length alone: to read a data file once more would take as long as to copy it. */
const MAX_HASHED_BYTES = 1024 * 1024;
const FILES_AT_ONCE = 16;

/** What a manifest records of one file. */
export interface RecordedFile {
  readonly bytes: number;
  /** In hex; of files of at most 1 MiB. */
  readonly sha256?: string;
}

/** By the path within the backup, with `/` between names. */
export type RecordedFiles = Readonly<Record<string, RecordedFile>>;

/** Records all files of a folder and of the folders below it. */
export async function recordFiles(folder: string): Promise<RecordedFiles> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const recorded = await mapLimit(paths, FILES_AT_ONCE, async (path) => {
    const { size: bytes } = await stat(path);
    const file = bytes > MAX_HASHED_BYTES ? { bytes } : { bytes, sha256: await sha256Of(path) };
    return [relative(folder, path).split(sep).join('/'), file] as const;
  });
  return Object.fromEntries(recorded);
}

/**
 * Demands that a folder has each recorded file as it was recorded.
 * @throws Error that names the first file that is missing or differs
 */
export async function assertRecorded(folder: string, files: RecordedFiles): Promise<void> {
  await mapLimit(Object.entries(files), FILES_AT_ONCE, async ([path, { bytes, sha256 }]) => {
    const at = join(folder, path);
    const length = await lengthOf(at);
    if (length === null) throw notWhole(folder, `${path} is not in it`);
    if (length !== bytes) throw notWhole(folder, `${path} has ${length} bytes instead of ${bytes}`);
    if (sha256 !== undefined && sha256 !== (await sha256Of(at)))
      throw notWhole(folder, `${path} is not what was written: its SHA-256 differs`);
  });
}

/** Demands that a folder has these files, and that none of them is empty; for manifests that record no files. */
export async function assertThere(folder: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const length = await lengthOf(join(folder, path));
    if (length === null) throw notWhole(folder, `${path} is not in it`);
    if (length === 0) throw notWhole(folder, `${path} is empty`);
  }
}

export function notWhole(folder: string, why: string): Error {
  return new Error(`${folder} is no whole backup: ${why}`);
}

/** In bytes; null where there is no such file. */
async function lengthOf(path: string): Promise<number | null> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw error;
  });
  return found?.isFile() ? found.size : null;
}

async function sha256Of(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(path))
    .digest('hex');
}
