import type { VastAd } from './ad.ts';
import type { CompanionAds } from './model/companion.ts';
import type { VastCreative } from './model/creative.ts';
import type { Icon } from './model/icon.ts';
import type { Linear } from './model/linear.ts';
import type { NonLinearAds } from './model/non-linear.ts';
import type { Resources } from './model/resource.ts';

/** A file that the ad shows, plays or reads. */
export interface VastMedia {
  readonly url: string;
  readonly role: 'media-file' | 'mezzanine' | 'captions' | 'resource';
  /** The type that the document states; '' where it states none. */
  readonly mimeType: string;
  /** Whether it is a manifest with segments, and not a single file. */
  readonly streaming: boolean;
}

/** Every media file of the ad, once, in the order of the document. Scripts, frames and markup are not media. */
export function mediaOf(ad: VastAd): readonly VastMedia[] {
  const found = new Map<string, VastMedia>();
  visitMedia(ad, (media) => {
    if (!found.has(media.url)) found.set(media.url, media);
    return media.url;
  });
  return [...found.values()];
}

/** Replaces each media URL of an ad and keeps everything else. */
export function mapMedia(ad: VastAd, replace: (url: string) => string): VastAd {
  return visitMedia(ad, ({ url }) => replace(url));
}

type Visit = (media: VastMedia) => string;

function visitMedia(ad: VastAd, visit: Visit): VastAd {
  return { ...ad, creatives: ad.creatives.map((creative) => visitCreative(creative, visit)) };
}

function visitCreative(creative: VastCreative, visit: Visit): VastCreative {
  const { linear, nonLinearAds, companionAds } = creative;
  return {
    ...creative,
    ...(linear && { linear: visitLinear(linear, visit) }),
    ...(nonLinearAds && { nonLinearAds: visitNonLinear(nonLinearAds, visit) }),
    ...(companionAds && { companionAds: visitCompanions(companionAds, visit) }),
  };
}

function visitLinear(linear: Linear, visit: Visit): Linear {
  const mapped = <T extends { url: string; type?: string; delivery?: string }>(
    files: readonly T[],
    role: VastMedia['role'],
  ) =>
    files.map((file) => ({
      ...file,
      url: visit({ url: file.url, role, mimeType: file.type ?? '', streaming: file.delivery === 'streaming' }),
    }));
  return {
    ...linear,
    mediaFiles: mapped(linear.mediaFiles, 'media-file'),
    mezzanines: mapped(linear.mezzanines, 'mezzanine'),
    closedCaptionFiles: mapped(linear.closedCaptionFiles, 'captions'),
    icons: linear.icons.map((icon) => visitIcon(icon, visit)),
  };
}

function visitIcon(icon: Icon, visit: Visit): Icon {
  return {
    ...icon,
    resources: visitResources(icon.resources, visit),
    fallbackImages: icon.fallbackImages.map((image) =>
      image.url === undefined ? image : { ...image, url: visitImage(image.url, '', visit) },
    ),
  };
}

function visitNonLinear(ads: NonLinearAds, visit: Visit): NonLinearAds {
  const nonLinears = ads.nonLinears.map((ad) => ({ ...ad, resources: visitResources(ad.resources, visit) }));
  return { ...ads, nonLinears };
}

function visitCompanions(ads: CompanionAds, visit: Visit): CompanionAds {
  const companions = ads.companions.map((ad) => ({ ...ad, resources: visitResources(ad.resources, visit) }));
  return { ...ads, companions };
}

function visitResources(resources: Resources, visit: Visit): Resources {
  const files = resources.static.map((file) => ({ ...file, url: visitImage(file.url, file.creativeType, visit) }));
  return { ...resources, static: files };
}

function visitImage(url: string, mimeType: string, visit: Visit): string {
  return visit({ url, role: 'resource', mimeType, streaming: false });
}
