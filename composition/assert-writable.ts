import { randomBytes } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Settings } from '../settings.ts';

type Folders = Pick<
  Settings,
  'roles' | 'dataDir' | 'creativesDir' | 'creativesS3' | 'archiveDir' | 'logLevelData' | 'redisUrl' | 'mongodbUrl'
>;

/**
 * Makes the folders that this process writes to, and writes an empty file to each.
 * @throws for the first folder that cannot be written, in one sentence with the setting that names it
 */
export async function assertWritable(settings: Folders): Promise<void> {
  for (const [setting, folder] of writtenFolders(settings)) {
    const probe = join(folder, `.writable.${randomBytes(6).toString('hex')}`);
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(probe, '', { flag: 'wx' });
      await rm(probe);
    } catch (cause) {
      throw new Error(`the folder ${folder} (${setting}) cannot be written: ${(cause as Error).message}`, { cause });
    }
  }
}

/** The folders that this process writes to, each with the setting that names it. */
export function writtenFolders(settings: Folders): [setting: string, folder: string][] {
  const { roles, dataDir, creativesDir, creativesS3, archiveDir, logLevelData, redisUrl, mongodbUrl } = settings;
  const folders: [string, string][] = [];
  // DATA_DIR holds the embedded stores, the spools of edges and the credentials that management makes.
  if (redisUrl === null || mongodbUrl === null || roles.has('edge') || roles.has('management')) {
    folders.push(['DATA_DIR', dataDir]);
  }
  // On their way into a bucket, files of creatives are in the same folder, which only DATA_DIR names then.
  const takesCreatives = roles.has('management') || roles.has('scheduler');
  if (takesCreatives) folders.push([creativesS3 === null ? 'CREATIVES_DIR' : 'DATA_DIR', creativesDir]);
  if (roles.has('scheduler')) folders.push(['ARCHIVE_DIR', archiveDir]);
  if (roles.has('scheduler') && logLevelData !== null && 'folder' in logLevelData) {
    folders.push(['LOG_LEVEL_DATA_URL', logLevelData.folder]);
  }
  return folders;
}
