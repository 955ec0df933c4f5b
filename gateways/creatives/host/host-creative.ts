import { createHash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CreativeState } from '#actors/creative/reduce';
import type { HostedMarkup } from '#exchange/creative/hosted-markup';
import { CreativeRefused, FetchFailed } from '../fetch/failures.ts';
import { type HostingDeps, keepFile } from '../host-file.ts';
import type { Scanned } from '../scan/scan-creative.ts';
import type { ScanLoad } from '../scan/scan-load.ts';
import { hostHtml } from './host-html.ts';
import { hostNative } from './host-native.ts';
import { hostVast } from './host-vast.ts';
import type { HostedPart } from './hosted-part.ts';

/** What becomes of a creative's hosting. */
export type HostingResult =
  | { readonly hosted: true; readonly file: string; readonly files: string[] }
  | {
      readonly hosted: false;
      readonly reason: string;
      /** Whether its servers failed, so that what was hosted before is as good as ever. */
      readonly mayPass: boolean;
    };

/** The longest hosted markup, in bytes; edges hold it in memory. */
const MAX_HOSTED_BYTES = 256 * 1024;
const MAX_FILES = 100;

/**
 * Hosts a stable creative: its media under their hashes, and its markup, with the hosted media in place of theirs, as
 * one more file. Everything else in the markup stays as it is. Uses what a scan of it has loaded.
 * @throws what says nothing of the creative: a storage that fails
 */
export async function hostCreative(
  deps: HostingDeps,
  load: ScanLoad,
  state: Pick<CreativeState, 'markup' | 'formats'>,
  scanned: Scanned,
): Promise<HostingResult> {
  try {
    const part = await partOf(deps, load, state.markup, scanned);
    if (part.files.length > MAX_FILES) throw new CreativeRefused(`names more than ${MAX_FILES} files`);
    const hosted: HostedMarkup = {
      format: formatOf(state, scanned),
      markup: part.markup,
      vastVersion: part.vastVersion,
    };
    const file = await storeMarkup(deps, JSON.stringify(hosted));
    return { hosted: true, file, files: [...part.files] };
  } catch (error) {
    if (error instanceof CreativeRefused) return { hosted: false, reason: `It ${error.message}.`, mayPass: false };
    if (error instanceof FetchFailed) return { hosted: false, reason: `It ${error.message}.`, mayPass: true };
    throw error;
  }
}

function partOf(deps: HostingDeps, load: ScanLoad, markup: string, scanned: Scanned): Promise<HostedPart> {
  if (markup === '') throw new CreativeRefused('is longer than what is kept of a creative');
  switch (scanned.kind) {
    case 'vast':
      return hostVast(load, scanned.unwrapped, deps.settings.maxAdBytes);
    case 'native':
      return hostNative(load, markup);
    case 'html':
      return hostHtml(load, markup, scanned.reading);
  }
}

function formatOf({ formats }: Pick<CreativeState, 'formats'>, { kind }: Scanned): HostedMarkup['format'] {
  if (kind === 'native') return 'native';
  if (kind === 'html') return 'banner';
  return formats.includes('audio') && !formats.includes('video') ? 'audio' : 'video';
}

/** Stores hosted markup among the files of creatives; answers its SHA-256. */
async function storeMarkup(deps: HostingDeps, json: string): Promise<string> {
  const bytes = Buffer.byteLength(json);
  if (bytes > MAX_HOSTED_BYTES) throw new CreativeRefused('is too long with the trackers of all its wrappers');
  const sha256 = createHash('sha256').update(json).digest('hex');
  const path = join(deps.stagingFolder, deps.random.id());
  try {
    await writeFile(path, json, { flag: 'wx' });
    await keepFile(deps, { sha256, path, bytes, mimeType: 'application/json' });
  } finally {
    await rm(path, { force: true });
  }
  return sha256;
}
