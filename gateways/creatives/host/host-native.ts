import { CreativeRefused } from '../fetch/failures.ts';
import { nativeMarkup } from '../scan/native-markup.ts';
import { isPerAuction } from '../scan/sample-values.ts';
import type { ScanLoad } from '../scan/scan-load.ts';
import { hostImage } from './host-image.ts';
import { type HostedPart, hostedAddress } from './hosted-part.ts';

/**
 * Hosts the images of a native response; all else in it stays.
 * @throws CreativeRefused where there is none to host
 */
export async function hostNative(load: ScanLoad, markup: string): Promise<HostedPart> {
  const native = nativeMarkup(markup);
  if (native === null) throw new CreativeRefused('is no native response that can be read');
  const files = new Set<string>();
  for (const { url, holder } of native.images) {
    const media = isPerAuction(url) ? null : await hostImage(load, url);
    if (media === null) continue;
    files.add(media.sha256);
    holder.url = hostedAddress(media.path);
  }
  if (files.size === 0) throw new CreativeRefused('has no image that could be hosted');
  return { markup: JSON.stringify(native.document), vastVersion: null, files: [...files] };
}
