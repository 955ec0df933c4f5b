import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { CreativeIngest, type IngestDeps } from './creative-ingest.ts';
import { CreativeFetcher } from './fetch/creative-fetcher.ts';
import type { HostingDeps } from './host-file.ts';
import type { ProbeResult } from './probe/probe-file.ts';
import { Prober } from './probe/prober.ts';
import { FileQuota } from './quota/file-quota.ts';

export interface Creatives {
  readonly ingest: CreativeIngest;
  close(): Promise<void>;
}

const MAX_CACHED_PROBES = 5_000;

/** No transfer lasts this long: an older file was left by a process that died. */
const STALE_FILE_MS = 3_600_000;

/** Creates the ingest of creatives with its fetcher and prober. `close` ends those two; the storage stays open. */
export async function createCreatives({
  messenger,
  store,
  ...given
}: Omit<HostingDeps, 'web' | 'prober' | 'probed' | 'room'> & Omit<IngestDeps, 'hosting' | 'room'>): Promise<Creatives> {
  await mkdir(given.stagingFolder, { recursive: true }).catch((error: Error) => {
    throw new Error(`files of creatives cannot be kept: ${error.message}`, { cause: error });
  });
  await removeLeftovers(given.stagingFolder, given.clock.now());
  const web = new CreativeFetcher(given.settings);
  const prober = new Prober(given.clock);
  const probed = new LRUCache<string, ProbeResult>({ max: MAX_CACHED_PROBES });
  const { clock, settings } = given;
  const room = new FileQuota({ messenger, store, clock, mostBytes: settings.maxStoredBytes });
  return {
    ingest: new CreativeIngest({ hosting: { ...given, web, prober, probed }, messenger, store, room }),
    async close() {
      await web.close();
      await prober.close();
    },
  };
}

async function removeLeftovers(folder: string, nowMs: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    // Another process may have removed the file in the meantime.
    const file = await stat(path).catch(() => null);
    if (file !== null && nowMs - file.mtimeMs > STALE_FILE_MS) await rm(path, { force: true });
  }
}
