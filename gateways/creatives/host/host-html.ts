import { CreativeRefused } from '../fetch/failures.ts';
import type { HtmlReading } from '../scan/html/read-html.ts';
import { isPerAuction } from '../scan/sample-values.ts';
import { absolute } from '../scan/scan-html.ts';
import type { ScanLoad } from '../scan/scan-load.ts';
import { hostImage } from './host-image.ts';
import { type HostedPart, hostedAddress } from './hosted-part.ts';

/**
 * Hosts the images of HTML markup: their addresses in `src` are replaced, and not one other character. Images that
 * count views stay where they are (host-image.ts).
 * @throws CreativeRefused where there is none to host
 */
export async function hostHtml(load: ScanLoad, markup: string, reading: HtmlReading | null): Promise<HostedPart> {
  const files = new Set<string>();
  let hosted = '';
  let from = 0;
  const images = (reading?.resources ?? []).flatMap(({ url, kind, isPixel, span }) =>
    kind === 'image' && !isPixel && span !== null && !isPerAuction(url) ? [{ url, span }] : [],
  );
  for (const { url, span } of images.sort((one, other) => one.span.start - other.span.start)) {
    const address = absolute(url, null);
    const media = address === null ? null : await hostImage(load, address);
    if (media === null) continue;
    files.add(media.sha256);
    hosted += markup.slice(from, span.start) + hostedAddress(media.path);
    from = span.end;
  }
  if (files.size === 0) throw new CreativeRefused('has no image that could be hosted');
  return { markup: hosted + markup.slice(from), vastVersion: null, files: [...files] };
}
