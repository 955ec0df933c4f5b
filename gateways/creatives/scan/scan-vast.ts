import { mapLimit } from '#async/map-limit';
import type { MediaFacts } from '#exchange/creative/media-facts';
import { audioWarnings } from '#exchange/creative/warnings/audio';
import { videoWarnings } from '#exchange/creative/warnings/video';
import type { VastAd } from '#exchange/vast/ad';
import { mediaOf } from '#exchange/vast/media';
import { CreativeRefused } from '../fetch/failures.ts';
import { isOfKind } from '../host-file.ts';
import { kindOf } from '../load-creative.ts';
import { hostableAd } from '../unwrap/hostable-ad.ts';
import type { ScanLoad } from './scan-load.ts';
import type { ScannedMarkup } from './scanned-markup.ts';
import { insecure, type UnwrapDeps, type UnwrappedMarkup, unwrapMarkup } from './unwrap-markup.ts';

const MAX_FILES = 40;
const FILES_AT_ONCE = 4;

export interface ScannedVast extends ScannedMarkup {
  /** Null where the markup leads to no ad. */
  readonly unwrapped: UnwrappedMarkup | null;
}

/** Scans VAST markup: the ways to its ads, their files, and where clicks lead. */
export async function scanVast(
  deps: UnwrapDeps,
  load: ScanLoad,
  markup: string,
  isAudio: boolean,
  stop: AbortSignal,
): Promise<ScannedVast> {
  insecure(load, markup);
  let unwrapped: UnwrappedMarkup;
  try {
    unwrapped = await unwrapMarkup(deps, load, markup, stop);
  } catch (error) {
    stop.throwIfAborted();
    load.fails('', error);
    return { unwrapped: null, media: [], wrappers: 0, links: [], warnings: [] };
  }
  const { ads, wrappers } = unwrapped;
  const media: MediaFacts[] = [];
  const warnings: string[] = [];
  for (const ad of ads) {
    const files = await filesOf(load, ad);
    media.push(...files);
    warnings.push(...(isAudio ? audioWarnings(files) : videoWarnings(files, false)));
  }
  return { unwrapped, media, wrappers, links: ads.flatMap(clicksOf), warnings };
}

async function filesOf(load: ScanLoad, ad: VastAd): Promise<MediaFacts[]> {
  const files = mediaOf(served(ad)).filter((file) => kindOf(file) !== null);
  const facts: MediaFacts[] = [];
  await mapLimit(files.slice(0, MAX_FILES), FILES_AT_ONCE, async (file) => {
    const kind = kindOf(file)!;
    const loaded = await load.file(file.url, kind);
    if (loaded === null || kind === 'text') return;
    const use = file.role === 'media-file' ? 'media' : 'companion';
    const found = isOfKind(kind, loaded.facts) ? loaded.facts : null;
    facts.push({ use, bytes: loaded.staged.bytes, ...(found ?? { container: null }) });
  });
  return facts;
}

/** The ad without streams; an ad of streams alone has no file that could be looked into. */
function served(ad: VastAd): VastAd {
  try {
    return hostableAd(ad);
  } catch (error) {
    if (error instanceof CreativeRefused) return { ...ad, creatives: [] };
    throw error;
  }
}

/** Where clicks on an ad lead. */
export function clicksOf({ creatives }: VastAd): string[] {
  return creatives.flatMap(({ linear, nonLinearAds, companionAds }) => [
    ...(linear?.videoClicks.clickThrough === undefined ? [] : [linear.videoClicks.clickThrough.url]),
    ...(nonLinearAds?.nonLinears ?? []).flatMap(({ clickThrough }) => clickThrough ?? []),
    ...(companionAds?.companions ?? []).flatMap(({ clickThrough }) => clickThrough ?? []),
  ]);
}
