import type { AssetContent } from '../../actors/asset/projection.ts';
import { mapLimit } from '../../async/map-limit.ts';
import type { CreativeUrl } from '../../exchange/creative/creative-urls.ts';
import type { HostedMedia } from '../../exchange/creative/hosted-media.ts';
import type { MediaFacts } from '../../exchange/creative/media-facts.ts';
import { parseUrl } from '../../exchange/parse-url.ts';
import type { VastAd } from '../../exchange/vast/ad.ts';
import { mapMedia, mediaOf, type VastMedia } from '../../exchange/vast/media.ts';
import type { Linear, MediaFile } from '../../exchange/vast/model/linear.ts';
import { fetchErrorOf } from './fetch/creative-fetcher.ts';
import { CreativeRefused } from './fetch/failures.ts';
import { FetchLimit } from './fetch/fetch-limit.ts';
import { readBytes } from './fetch/read-bytes.ts';
import { RedirectTrail } from './fetch/redirect-trail.ts';
import { xmlText } from './fetch/xml-text.ts';
import { type FileKind, type HostedFile, type HostingDeps, hostFile } from './host-file.ts';
import { UNKNOWN_TYPE } from './probe/probe-file.ts';
import { hostableAd } from './unwrap/hostable-ad.ts';
import { fillRequestMacros } from './unwrap/request-macros.ts';
import { unwrap } from './unwrap/unwrap.ts';

/** The use of a URL within a creative. */
export type CreativeUse = CreativeUrl['use'];

export interface LoadedCreative {
  readonly content: AssetContent;
  readonly facts: readonly MediaFacts[];
}

/** Files of one ad at most: renditions, companions and icons. */
const MAX_FILES = 40;
const FILES_AT_ONCE = 4;

/**
 * Loads the content that a URL of a creative leads to: the ad at the end of all wrappers with its media hosted, or one
 * file.
 * @throws CreativeRefused, FetchFailed
 */
export async function loadCreative(
  deps: HostingDeps,
  url: string,
  use: CreativeUse,
  stop: AbortSignal,
): Promise<LoadedCreative> {
  if (use === 'vast') {
    const loaded = await loadAd(deps, url, stop);
    const host = (address: string, kind: FileKind) =>
      hostFile(deps, fillRequestMacros(address, deps.clock, deps.random), kind, stop);
    const { ad, facts } = await hostAd(loaded, deps.settings.maxAdBytes, host);
    return { content: { kind: 'vast', ad }, facts };
  }
  const { media, facts } = await hostFile(deps, url, use, stop);
  const known: MediaFacts = {
    use: use === 'image' ? 'image' : 'media',
    bytes: media.bytes,
    ...(facts ?? { container: null }),
  };
  return { content: { kind: use, media }, facts: [known] };
}

/** Loads the VAST document with all its wrappers, within the load time and along one redirect trail. */
async function loadAd({ web, settings, clock, random }: HostingDeps, url: string, stop: AbortSignal): Promise<VastAd> {
  const limit = new FetchLimit(clock, settings.loadMs, 'load', stop);
  const trail = new RedirectTrail(settings);
  let at = parseUrl(url);
  try {
    return await unwrap(url, async (address) => {
      const arriving = await web.get(fillRequestMacros(address, clock, random), trail, limit.signal);
      at = arriving.url;
      const bytes = await readBytes(arriving.body, settings.maxDocumentBytes);
      return { text: xmlText(bytes, arriving.contentType), url: at };
    });
  } catch (error) {
    throw fetchErrorOf(error, at, limit.signal);
  } finally {
    limit.end();
  }
}

/** An ad whose media are paths of the exchange, and what its files are. */
export interface HostedAd {
  readonly ad: VastAd;
  readonly facts: readonly MediaFacts[];
}

/**
 * Hosts the files of an ad by `host`, and puts their paths in place of their addresses.
 * @throws CreativeRefused, FetchFailed
 */
export async function hostAd(
  loaded: VastAd,
  maxAdBytes: number,
  host: (url: string, kind: FileKind) => Promise<HostedFile>,
): Promise<HostedAd> {
  const ad = hostableAd(loaded);
  const files = mediaOf(ad).filter((file) => kindOf(file) !== null);
  if (files.length > MAX_FILES) throw new CreativeRefused(`leads to an ad of more than ${MAX_FILES} files`);
  const hostedFiles = new Map<string, HostedMedia>();
  const facts: MediaFacts[] = [];
  let bytes = 0;
  await mapLimit(files, FILES_AT_ONCE, async (file) => {
    const kind = kindOf(file)!;
    const hosted = await host(file.url, kind);
    bytes += hosted.media.bytes;
    if (bytes > maxAdBytes) {
      const most = Math.floor(maxAdBytes / 1024 / 1024);
      throw new CreativeRefused(`leads to an ad whose files have more than ${most} MB in all`);
    }
    hostedFiles.set(file.url, hosted.media);
    if (kind === 'text') return;
    const use = file.role === 'media-file' ? 'media' : 'companion';
    facts.push({ use, bytes: hosted.media.bytes, ...(hosted.facts ?? { container: null }) });
  });
  const typed = withFoundTypes(ad, hostedFiles);
  return { ad: mapMedia(typed, (url) => hostedFiles.get(url)?.path ?? url), facts };
}

/** Replaces the declared type of each media file by the type that the probe found, where it found one. */
function withFoundTypes(ad: VastAd, hosted: ReadonlyMap<string, HostedMedia>): VastAd {
  const typeOf = ({ url, type }: MediaFile) => {
    const found = hosted.get(url)?.mimeType ?? UNKNOWN_TYPE;
    return found === UNKNOWN_TYPE ? type : found;
  };
  const typed = (linear: Linear): Linear => ({
    ...linear,
    mediaFiles: linear.mediaFiles.map((file) => ({ ...file, type: typeOf(file) })),
  });
  return {
    ...ad,
    creatives: ad.creatives.map(({ linear, ...others }) => (linear ? { ...others, linear: typed(linear) } : others)),
  };
}

/**
 * The kind of a file to host; null for a resource that is not hosted. A script as a resource is code, as a tracker is.
 */
export function kindOf({ role, mimeType }: VastMedia): FileKind | null {
  switch (role) {
    case 'media-file':
      return 'played';
    case 'captions':
      return 'text';
    case 'resource':
      return mimeType === '' || /^image\//i.test(mimeType) ? 'image' : null;
    case 'mezzanine':
      return null;
  }
}
