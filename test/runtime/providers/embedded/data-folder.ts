import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Embedded, openEmbedded } from '#runtime/providers/embedded/open-embedded';
import { systemClock } from '#runtime/providers/system/system-clock';

/** A data folder of one test. */
export interface DataFolder {
  readonly folder: string;
  open(): Promise<Embedded>;
  remove(): Promise<void>;
}

export async function freshDataFolder(): Promise<DataFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'exchange-embedded-'));
  return {
    folder,
    open: () => openEmbedded({ folder, partitions: 4, clock: systemClock }),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
