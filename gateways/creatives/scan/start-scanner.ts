import { mkdir } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import type { Logger } from '#runtime/actor/logger';
import type { Messenger } from '#runtime/actor/messenger';
import type { Clock } from '#runtime/ports/clock';
import type { Random } from '#runtime/ports/random';
import type { StateStore } from '#runtime/ports/store';
import { CreativeFetcher } from '../fetch/creative-fetcher.ts';
import { OwnFilesFetcher } from '../fetch/own-files.ts';
import type { ProbeResult } from '../probe/probe-file.ts';
import { Prober } from '../probe/prober.ts';
import { FileQuota, type NeededFile } from '../quota/file-quota.ts';
import type { CreativeSettings } from '../settings.ts';
import type { CreativeStorage } from '../storage/creative-storage.ts';
import { withSandboxMedia } from '../storage/with-sandbox-media.ts';
import { CreativeScanner } from './creative-scanner.ts';
import { MarkupReader } from './html/markup-reader.ts';
import { processCreative } from './process-creative.ts';
import { chromiumRenderer } from './render/renderer.ts';

export interface ScannerParts {
  readonly messenger: Messenger;
  readonly store: Pick<StateStore, 'load' | 'query'>;
  readonly storage: CreativeStorage;
  readonly settings: CreativeSettings;
  readonly stagingFolder: string;
  /** Where viewers find the files that the exchange hosts. */
  readonly ownUrls: readonly string[];
  readonly rescanMs: number;
  /** The path of a Chromium; null: nothing is rendered. */
  readonly chromium: string | null;
  /** Due creatives are looked up at this interval; every second when absent. */
  readonly pollMs?: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/** A server has so long until a connection is there. */
const CONNECT_MS = 5_000;
const MAX_CACHED_PROBES = 5_000;

/** Starts scanning and hosting what bidders bring. `close` ends all of it; the storage stays open. */
export function startScanner(parts: ScannerParts): { close(): Promise<void> } {
  const { messenger, store, storage, stagingFolder, clock, random, logger, chromium } = parts;
  const settings: CreativeSettings = { ...parts.settings, loadMs: CONNECT_MS };
  const web = new CreativeFetcher(settings);
  const prober = new Prober(clock);
  const reader = new MarkupReader(clock);
  const quota = new FileQuota({ messenger, store, clock, mostBytes: settings.maxStoredBytes });
  const room = { keep: (file: NeededFile) => quota.keep(file, null) };
  const deps = {
    ...{ messenger, store, storage, settings, stagingFolder, clock, random, prober, reader, room },
    web: new OwnFilesFetcher(web, withSandboxMedia(storage), parts.ownUrls),
    probed: new LRUCache<string, ProbeResult>({ max: MAX_CACHED_PROBES }),
    rescanMs: parts.rescanMs,
    renderer:
      chromium === null ? null : chromiumRenderer({ chromium, settings, storage, room, stagingFolder, clock, random }),
  };
  const folder = mkdir(stagingFolder, { recursive: true });
  const scanner = new CreativeScanner({
    ...{ messenger, store, clock, logger },
    ...(parts.pollMs !== undefined && { pollMs: parts.pollMs }),
    process: async (id, state, stop) => {
      await folder;
      await processCreative(deps, id, state, stop);
    },
  }).start();
  return {
    async close() {
      await scanner.close();
      await Promise.all([web.close(), prober.close(), reader.close()]);
    },
  };
}
