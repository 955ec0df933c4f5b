import { existsSync } from 'node:fs';
import { readdir, readFile, rename, rm } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { DATA_FILE } from '../../runtime/providers/embedded/data-file.ts';
import { holdsDocuments, snapshotData } from '../../runtime/providers/embedded/data-snapshot.ts';
import { makeFolder, sync } from '../../runtime/sync-to-disk.ts';
import type { Settings } from '../../settings.ts';
import { writeSecretFile } from '../secret-file.ts';
import { copyFiles, copyOne } from './copy-files.ts';
import { assertRecorded, assertThere, notWhole, type RecordedFiles, recordFiles } from './recorded-files.ts';

const MANIFEST = 'backup.json';
const SECRET_KEY = 'secret-key';
const CREATIVES = 'creatives';
const FORM = 1;
const OWNER_ONLY = 0o700;

type Folders = Pick<
  Settings,
  'dataDir' | 'redisUrl' | 'mongodbUrl' | 'creativesDir' | 'creativesS3' | 'archiveDir' | 'secretKey'
>;

/** The manifest of a backup. The manifest is written last: a folder without one is no backup. */
interface Manifest {
  readonly form: typeof FORM;
  readonly version: string;
  /** ISO 8601, UTC. The backup holds everything that was acknowledged before this instant. */
  readonly begunAt: string;
  readonly withSecretKey: boolean;
  /** All files but the manifest; manifests of releases up to 0.4.0 have none. */
  readonly files?: RecordedFiles;
}

/**
 * Writes a backup of an exchange on the embedded stores, running or stopped, to a folder that is empty or does not
 * exist.
 *
 * The order makes the backup whole under load: an impression leaves the spool only once it is in the log, and a
 * document names a file of a creative only once the file exists. So the spool is copied before the log and the store,
 * which are one snapshot, and the creatives are copied after. An impression that is in both spool and log counts once
 * after a restore, by its id.
 * @throws Error in one sentence when there is nothing to back up here, or no room for it
 */
export async function backUp(
  settings: Folders,
  to: string,
  version: string,
  withSecretKey: boolean,
): Promise<Manifest> {
  assertEmbedded(settings, 'backed up');
  const { dataDir, creativesDir, creativesS3, archiveDir } = settings;
  if (!(await holdsDocuments(dataDir))) throw new Error(`no exchange has kept data in ${dataDir} (DATA_DIR)`);
  // Otherwise a folder would be copied into itself without end.
  for (const copied of [join(dataDir, 'spool'), creativesDir, archiveDir]) assertOutside(to, copied);
  await assertEmpty(to);
  await makeFolder(to, OWNER_ONLY);
  const begunAt = new Date().toISOString();
  await copyFiles(join(dataDir, 'spool'), join(to, 'spool'));
  await snapshotData(dataDir, join(to, DATA_FILE));
  await sync(join(to, DATA_FILE));
  if (creativesS3 === null) await copyFiles(creativesDir, join(to, CREATIVES), ['incoming']);
  await copyFiles(archiveDir, join(to, 'archive'));
  // An exchange with the setting SECRET_KEY has no such file.
  const holdsKey = withSecretKey && (await copyOne(join(dataDir, SECRET_KEY), join(to, SECRET_KEY)));
  const manifest: Manifest = { form: FORM, version, begunAt, withSecretKey: holdsKey, files: await recordFiles(to) };
  await writeSecretFile(join(to, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
  return manifest;
}

/**
 * Restores a backup to the places where the settings say that an exchange keeps its data; these must be empty. The
 * backup is compared with its manifest before anything is written.
 * @returns what is left to do, a sentence each
 * @throws Error in one sentence when the backup is not whole, or when data would be overwritten
 */
export async function restore(settings: Folders, from: string): Promise<string[]> {
  assertEmbedded(settings, 'restored');
  const { dataDir, creativesDir, creativesS3, archiveDir, secretKey } = settings;
  const { withSecretKey, files = {} } = await readManifest(from);
  await assertThere(from, withSecretKey ? [DATA_FILE, SECRET_KEY] : [DATA_FILE]);
  await assertRecorded(from, creativesS3 === null ? files : withoutCreatives(files));
  for (const folder of [dataDir, creativesDir, archiveDir]) await assertEmpty(folder);
  await makeFolder(dataDir, OWNER_ONLY);
  if (creativesS3 === null) await copyFiles(join(from, CREATIVES), creativesDir);
  await copyFiles(join(from, 'archive'), archiveDir);
  await copyFiles(join(from, 'spool'), join(dataDir, 'spool'));
  const hasKey = await copyOne(join(from, SECRET_KEY), join(dataDir, SECRET_KEY));
  // The data file comes last: without it, the folder belongs to no exchange.
  await restoreDataFile(join(from, DATA_FILE), dataDir);
  if (hasKey || secretKey !== null) return [];
  return [
    `Put the exchange's ${SECRET_KEY} (mode 0600) into ${dataDir} before the start: without it second factors, keys of sources and webhooks' secrets cannot be opened, and pixels of ads that were sold before are refused.`,
  ];
}

function withoutCreatives(files: RecordedFiles): RecordedFiles {
  return Object.fromEntries(Object.entries(files).filter(([path]) => !path.startsWith(`${CREATIVES}/`)));
}

/**
 * The data file has its name when all of it is on the disk: a restore that is cut off leaves none that an exchange
 * opens.
 */
async function restoreDataFile(from: string, dataDir: string): Promise<void> {
  const temporary = join(dataDir, `${DATA_FILE}.restoring`);
  try {
    if (!(await copyOne(from, temporary))) throw new Error(`${from} has been removed meanwhile`);
    await rename(temporary, join(dataDir, DATA_FILE));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await sync(dataDir);
}

function assertEmbedded({ redisUrl, mongodbUrl }: Folders, done: string): void {
  if (redisUrl === null && mongodbUrl === null) return;
  throw new Error(
    `an exchange on Redis or MongoDB is ${done} by their own tools, with all its processes stopped: docs/backup.md has the commands`,
  );
}

function assertOutside(folder: string, copied: string): void {
  if (`${resolve(folder)}${sep}`.startsWith(`${resolve(copied)}${sep}`))
    throw new Error(`${folder} is within ${copied}, which is backed up itself`);
}

async function assertEmpty(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  const [first] = await readdir(folder);
  if (first !== undefined) throw new Error(`${folder} is not empty: it holds ${first}`);
}

async function readManifest(from: string): Promise<Manifest> {
  const text = await readFile(join(from, MANIFEST), 'utf8').catch(() => null);
  if (text === null) throw notWhole(from, `${MANIFEST}, which is written last, is not in it`);
  const manifest = parseManifest(text);
  if (manifest === null) throw notWhole(from, `${MANIFEST} is cut off, or no JSON`);
  if (manifest.form !== FORM) throw new Error(`${from} is a backup of another release (${manifest.version})`);
  return manifest;
}

function parseManifest(text: string): Manifest | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
