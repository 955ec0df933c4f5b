import type { VastAd } from '#exchange/vast/ad';
import type { Linear } from '#exchange/vast/model/linear';
import { CreativeRefused } from '../fetch/failures.ts';

/**
 * Reduces an ad to the media that can be hosted as single files. A streaming manifest names further files by addresses
 * that would be wrong here, and a mezzanine is meant for a transcoder and often has gigabytes.
 * @throws CreativeRefused when no media file is left
 */
export function hostableAd(ad: VastAd): VastAd {
  const creatives = ad.creatives.map((creative) =>
    creative.linear === undefined ? creative : { ...creative, linear: servedLinear(creative.linear) },
  );
  return { ...ad, creatives };
}

const MANIFEST = /mpegurl|dash\+xml|vnd\.ms-sstr/i;

function servedLinear(linear: Linear): Linear {
  const mediaFiles = linear.mediaFiles.filter((file) => !MANIFEST.test(file.type) && !isManifest(file.url));
  if (mediaFiles.length === 0) throw new CreativeRefused('leads to an ad of streams alone: it needs a file to play');
  return { ...linear, mediaFiles, mezzanines: [] };
}

/** The attribute `delivery="streaming"` decides nothing: many plain files carry it. */
function isManifest(url: string): boolean {
  return /\.(m3u8|mpd)(?:[?#]|$)/i.test(url);
}
