import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { CreativeIntake, type IntakeParts } from './creative-intake.ts';
import { Web } from './fetch/web.ts';
import type { HostingParts } from './host-file.ts';
import type { Probed } from './probe/probe-file.ts';
import { Prober } from './probe/prober.ts';
import { FilesRoom } from './room/files-room.ts';

export interface OpenedCreatives {
  readonly intake: CreativeIntake;
  close(): Promise<void>;
}

const PROBES_REMEMBERED = 5_000;

/** No transfer lasts as long: a file this old was left by a process that died. */
const LEFT_BEHIND_MS = 3_600_000;

/** What fetches creatives, ready to be asked. The storage handed in stays open. */
export async function openCreatives({
  messenger,
  store,
  ...given
}: Omit<HostingParts, 'web' | 'prober' | 'probed' | 'room'> &
  Omit<IntakeParts, 'hosting' | 'room'>): Promise<OpenedCreatives> {
  await mkdir(given.stagingFolder, { recursive: true }).catch((error: Error) => {
    throw new Error(`files of creatives cannot be kept: ${error.message}`, { cause: error });
  });
  await removeLeftovers(given.stagingFolder, given.clock.now());
  const web = new Web(given.settings);
  const prober = new Prober(given.clock);
  const probed = new LRUCache<string, Probed>({ max: PROBES_REMEMBERED });
  const { clock, settings } = given;
  const room = new FilesRoom({ messenger, store, clock, mostBytes: settings.maxStoredBytes });
  return {
    intake: new CreativeIntake({ hosting: { ...given, web, prober, probed }, messenger, store, room }),
    async close() {
      await web.close();
      await prober.close();
    },
  };
}

async function removeLeftovers(folder: string, nowMs: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    // Another process may be done with it in the meantime.
    const file = await stat(path).catch(() => null);
    if (file !== null && nowMs - file.mtimeMs > LEFT_BEHIND_MS) await rm(path, { force: true });
  }
}
