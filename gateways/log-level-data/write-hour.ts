import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { mapLimit } from '#async/map-limit';
import { collectHour, type HourStore } from './collect-hour.ts';
import type { Destination } from './destination/destination.ts';
import type { Hour } from './hour.ts';
import { dataFile, hourManifestFile, sourceManifestFile } from './layout.ts';
import { type ComparedSource, type HourManifest, hourManifest, sourceManifest } from './manifest.ts';
import { sameBilled } from './money-sums.ts';
import { parkedIn } from './parked.ts';
import { type StagedFile, StagedFiles } from './staged-files.ts';

/** Files that are stored at once. */
const STORED_AT_ONCE = 4;

export interface WriteHour {
  readonly store: HourStore;
  readonly destination: Destination;
  readonly hour: Hour;
  /** Whether the hour is written even where its rows and the ledgers differ; its manifest then says so. */
  readonly evenIncomplete: boolean;
  readonly signal: AbortSignal;
}

/** What became of an hour: it was written, or it is held since its rows and the ledgers differ. */
export interface WrittenHour {
  readonly written: boolean;
  readonly manifest: HourManifest;
  readonly differing: readonly ComparedSource[];
}

/**
 * Writes the files of an hour: all rows, then the manifests of sources, and last that of the hour. `store` must read
 * after the token of a watermark that has passed the hour. Before anything is stored the sums of the rows are compared
 * with the ledgers, to the nano-dollar. Written again, the hour has the same names and bytes.
 */
export async function writeHour({ store, destination, hour, evenIncomplete, signal }: WriteHour): Promise<WrittenHour> {
  const staging = await emptyStaging(destination.stagingFolder, hour);
  try {
    const staged = new StagedFiles(staging);
    const { sources, platform } = await collectHour(store, hour, staged, signal);
    const files = await staged.finish();
    const parked = await parkedIn(store, hour);
    const manifest = hourManifest(hour, platform, sources, files, parked);
    const differing = sources.filter(({ logged, ledger }) => !sameBilled(logged, ledger));
    if (!manifest.complete && !evenIncomplete) return { written: false, manifest, differing };
    await mapLimit(files, STORED_AT_ONCE, async ({ partition, part, path, bytes }) => {
      signal.throwIfAborted();
      await destination.put(dataFile(partition, hour, part), { path, bytes });
    });
    const filesOf = filesBySource(files);
    await mapLimit(withoutMoney(sources, filesOf), STORED_AT_ONCE, async (source) => {
      signal.throwIfAborted();
      const own = filesOf.get(`${source.side} ${source.id}`) ?? [];
      const name = sourceManifestFile(source.side, source.id, hour);
      await destination.putText(name, jsonText(sourceManifest(source, hour, own)));
    });
    signal.throwIfAborted();
    await destination.putText(hourManifestFile(hour), jsonText(manifest));
    return { written: true, manifest, differing };
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/**
 * The name of a folder to stage an hour in. What a run that was cut short has left of the hour is removed; a run that
 * is still under way elsewhere on this disk then fails, and this one does the work.
 */
async function emptyStaging(folder: string, { day, hour }: Hour): Promise<string> {
  const prefix = `${day}T${hour}.`;
  const left = await readdir(folder).catch(() => []);
  for (const name of left) if (name.startsWith(prefix)) await rm(join(folder, name), { recursive: true, force: true });
  return join(folder, `${prefix}${randomUUID()}`);
}

function filesBySource(files: readonly StagedFile[]): Map<string, StagedFile[]> {
  const by = new Map<string, StagedFile[]>();
  for (const file of files) {
    const key = `${file.partition.side} ${file.partition.id}`;
    const own = by.get(key);
    if (own) own.push(file);
    else by.set(key, [file]);
  }
  return by;
}

/** The sources, and those that have files and neither impressions nor a ledger of the hour. */
function withoutMoney(
  sources: readonly ComparedSource[],
  filesOf: ReadonlyMap<string, readonly StagedFile[]>,
): ComparedSource[] {
  const known = new Set(sources.map(({ side, id }) => `${side} ${id}`));
  const none = { impressions: 0, grossNanos: 0, feeNanos: 0 };
  const others = [...filesOf]
    .filter(([key]) => !known.has(key))
    .map(([, [file]]) => ({ side: file!.partition.side, id: file!.partition.id, logged: none, ledger: none }));
  return [...sources, ...others];
}

function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
