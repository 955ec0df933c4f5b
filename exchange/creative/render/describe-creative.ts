import type { AdFormat } from '../../auction/ad-format.ts';
import { firstInsecureUrl } from '../../auction/secure-markup.ts';
import { type Creative, formatOfCreative } from '../../strategy/document/creative.ts';
import type { VastAd } from '../../vast/ad.ts';
import type { MediaFile } from '../../vast/model/linear.ts';
import { writeVast } from '../../vast/write-vast.ts';
import { adForCreative, sourceAd } from './ad-for-creative.ts';
import { asksForMraid } from './asks-for-mraid.ts';
import { type AssetLookup, contentsOf, mediaFileOf } from './assets.ts';
import { CreativeCache } from './creative-cache.ts';

/** The properties of a creative that its bid needs. */
export interface DescribedCreative {
  /** The format of the bid: HTML5 and MRAID ads are banners. */
  readonly format: AdFormat;
  /** Pixels, as is `h`. */
  readonly w?: number;
  readonly h?: number;
  /** Whole seconds. */
  readonly durationSeconds?: number;
  /** The types of the files that play; empty for formats other than video and audio. */
  readonly mimeTypes: readonly string[];
  /** Whether it plays in the break, and not over the content. */
  readonly linear: boolean;
  /** The first URL that it loads over plain HTTP, landing pages excluded; null where there is none. */
  readonly insecureUrl: string | null;
  /** Whether it needs an MRAID container: it says so, or its markup asks for `mraid.js`. */
  readonly mraid: boolean;
}

/** Null while one of its assets is missing, or is of another kind than the creative says. */
export function describeCreative(creative: Creative, assets: AssetLookup): DescribedCreative | null {
  return descriptions.get(creative, '', contentsOf(creative, assets), () => describedAnew(creative, assets));
}

const descriptions = new CreativeCache<DescribedCreative | null>();

function describedAnew(creative: Creative, assets: AssetLookup): DescribedCreative | null {
  switch (formatOfCreative(creative)) {
    case 'video':
    case 'audio':
      return playedCreative(creative, assets);
    case 'native':
      return nativeCreative(creative, assets);
    default:
      return shownCreative(creative, assets);
  }
}

function playedCreative(creative: Creative, assets: AssetLookup): DescribedCreative | null {
  const source = sourceAd(creative, assets);
  if (source === null) return null;
  const linear = source.creatives.find((part) => part.linear !== undefined)?.linear;
  const files = linear?.mediaFiles ?? [];
  const format = formatOfCreative(creative) === 'audio' ? 'audio' : 'video';
  const vast = writeVast([adForCreative(creative, source)], { version: '4.2' });
  const seconds = Math.round((linear?.durationMs ?? 0) / 1000);
  return {
    format,
    ...(format === 'video' && sizeOf(source, files)),
    ...(seconds > 0 && { durationSeconds: seconds }),
    mimeTypes: [...new Set(files.map(({ type }) => type))],
    linear: linear !== undefined,
    insecureUrl: firstInsecureUrl(vast),
    mraid: asksForMraid(vast),
  };
}

/** The size of the largest file, else of the first overlay. */
function sizeOf(ad: VastAd, files: readonly MediaFile[]): { w: number; h: number } | undefined {
  const overlays = ad.creatives.flatMap((part) => part.nonLinearAds?.nonLinears ?? []);
  const sized = [...files, ...(files.length === 0 ? overlays.slice(0, 1) : [])].filter(
    ({ width, height }) => width > 0 && height > 0,
  );
  const [largest] = sized.sort((a, b) => b.width * b.height - a.width * a.height);
  return largest && { w: largest.width, h: largest.height };
}

const STILL = { mimeTypes: [], linear: false } as const;

function nativeCreative(creative: Creative, assets: AssetLookup): DescribedCreative | null {
  const { image_url: main, icon_url: icon } = creative.native ?? {};
  for (const url of [main, icon]) {
    if (url !== undefined && mediaFileOf(assets, url, 'image') === null) return null;
  }
  return { format: 'native', ...STILL, insecureUrl: plainTracker(creative), mraid: false };
}

function shownCreative(creative: Creative, assets: AssetLookup): DescribedCreative | null {
  const { html } = creative;
  const media = html === undefined ? mediaFileOf(assets, creative.image_url, 'image') : undefined;
  if (media === null) return null;
  const { width: w = media?.width, height: h = media?.height } = creative;
  return {
    format: 'banner',
    ...(w !== undefined && h !== undefined && { w, h }),
    ...STILL,
    insecureUrl: plainTracker(creative) ?? (html === undefined ? null : firstInsecureUrl(html)),
    mraid: formatOfCreative(creative) === 'mraid' || (html !== undefined && asksForMraid(html)),
  };
}

function plainTracker({ impression_trackers: impressions = [], click_trackers: clicks = [] }: Creative): string | null {
  return [...impressions, ...clicks].find((url) => /^http:/i.test(url)) ?? null;
}
