import { mapMedia } from '#exchange/vast/media';
import { VAST_VERSIONS, type VastVersion } from '#exchange/vast/vast-version';
import { writeVast } from '#exchange/vast/write-vast';
import { CreativeRefused, FetchFailed } from '../fetch/failures.ts';
import { hostAd } from '../load-creative.ts';
import { isPerAuction } from '../scan/sample-values.ts';
import type { ScanLoad } from '../scan/scan-load.ts';
import type { UnwrappedMarkup } from '../scan/unwrap-markup.ts';
import { type HostedPart, hostedAddress } from './hosted-part.ts';

const HOSTED_PATH = /^\/creative\/([0-9a-f]{64})$/;

/**
 * Hosts a VAST ad: one inline ad in the version that its bids bring, with the trackers and macros of all its wrappers.
 * @throws CreativeRefused, FetchFailed
 */
export async function hostVast(
  load: ScanLoad,
  unwrapped: UnwrappedMarkup | null,
  maxAdBytes: number,
): Promise<HostedPart> {
  if (unwrapped === null) {
    const why = load.failureOf('') ?? 'leads to no ad';
    throw load.isPassing('') ? new FetchFailed(why) : new CreativeRefused(why);
  }
  const { ads, version, differs } = unwrapped;
  const [ad] = ads;
  if (ad === undefined || ads.length > 1)
    throw new CreativeRefused(`leads to ${ads.length} ads, and one alone is hosted`);
  if (differs !== null) throw new CreativeRefused(`leads to another document in each auction: ${differs}`);
  const hosted = await hostAd(ad, maxAdBytes, (url, kind) => {
    if (isPerAuction(url))
      throw new CreativeRefused('names a media file whose address differs from auction to auction');
    return load.host(url, kind);
  });
  const files = new Set<string>();
  const served = mapMedia(hosted.ad, (url) => {
    const sha256 = HOSTED_PATH.exec(url)?.[1];
    if (sha256 === undefined) return url;
    files.add(sha256);
    return hostedAddress(url);
  });
  if (files.size === 0) throw new CreativeRefused('has no media that could be hosted');
  const vastVersion = versionOf(version);
  return { markup: writeVast([served], { version: vastVersion }), vastVersion, files: [...files] };
}

/** The version that is written for a document of a version: later minor versions of 4 are written as the newest. */
function versionOf(version: string): VastVersion {
  const known = VAST_VERSIONS.find((one) => one === version);
  if (known !== undefined) return known;
  return VAST_VERSIONS.findLast((one) => version.startsWith(one[0]!)) ?? '4.2';
}
