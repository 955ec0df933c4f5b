import { type CreativeOrigin, file, vast } from '../../support/creative-origin.ts';
import { H264_AAC_MP4, PNG_300_250 } from '../../support/sample-media.ts';
import { sampleAt, type VastSample } from './samples.ts';

/** Elements whose URL is fetched, but for wrapped documents. */
const MEDIA = /<(MediaFile|Mezzanine|ClosedCaptionFile|StaticResource)(\s[^>]*)?>\s*(?:<!\[CDATA\[)?\s*([^\s\]<]+)/g;
const WRAPPED = /(<VASTAdTagURI[^>]*>\s*(?:<!\[CDATA\[)?\s*)([^\s\]<]+)/;

/**
 * Answers what makes of a sample the markup that a bidder brings: its files, and the samples that it wraps, are served
 * by the origin. `query` is added to the addresses of wrapped documents; `changed` changes a sample before.
 */
export function bringSamples(
  origin: CreativeOrigin,
  all: readonly VastSample[],
  query = '',
  changed: (text: string) => string = (text) => text,
): (sample: VastSample) => string {
  const pathOf = ({ name }: VastSample) => `/${name.replaceAll(' ', '_')}`;
  const brought = (sample: VastSample): string =>
    changed(
      sample.text.replace(MEDIA, (found, element: string, _attributes, url: string) =>
        found.replace(url, origin.url(element === 'StaticResource' ? '/image' : '/media')),
      ),
    ).replace(WRAPPED, (_found, before: string, url: string) => {
      const wrapped = sampleAt(url.replaceAll('&amp;', '&'), sample, all);
      return `${before}${origin.url(pathOf(wrapped))}${query}`;
    });
  origin.answer('/media', file(H264_AAC_MP4, 'video/mp4'));
  origin.answer('/image', file(PNG_300_250, 'image/png'));
  for (const sample of all) origin.answer(pathOf(sample), vast(brought(sample)));
  return brought;
}
