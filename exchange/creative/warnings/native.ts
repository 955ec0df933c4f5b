import type { Creative } from '../../strategy/document/creative.ts';
import type { MediaFacts, MediaFactsLookup } from '../media-facts.ts';

const MAX_TITLE = 90;
const MAX_BODY = 90;
const MAX_CTA = 15;
const MIN_IMAGE = { width: 1200, height: 627 };
const MIN_ICON = { width: 80, height: 80 };
/** The specification demands images below this size. */
const IMAGE_BYTES = 500 * 1024;
const IMAGE_FORMATS: ReadonlySet<string> = new Set(['JPEG', 'PNG']);

type NativeAd = NonNullable<Creative['native']>;

/**
 * The warnings of "Creative specifications", Native (specification). Lengths are counted in code points, which are
 * close to what people count as characters.
 */
export function* nativeWarnings(ad: NativeAd, factsOf: MediaFactsLookup): Generator<string> {
  if ([...ad.title].length > MAX_TITLE) yield 'native_title_too_long';
  if ([...(ad.body ?? '')].length > MAX_BODY) yield 'native_body_too_long';
  if ([...(ad.cta ?? '')].length > MAX_CTA) yield 'native_cta_too_long';
  if (!ad.sponsored?.trim()) yield 'native_sponsored_missing';
  if (ad.rating !== undefined && (ad.rating < 1 || ad.rating > 5)) yield 'native_rating_out_of_range';
  const image = ad.image_url === undefined ? undefined : factsOf(ad.image_url)?.[0];
  if (image !== undefined) {
    if (isSmaller(image, MIN_IMAGE)) yield 'native_image_too_small';
    if (image.bytes >= IMAGE_BYTES) yield 'native_image_oversized';
    if (!IMAGE_FORMATS.has(image.container ?? '')) yield 'native_image_unsupported_format';
  }
  const icon = ad.icon_url === undefined ? undefined : factsOf(ad.icon_url)?.[0];
  if (icon !== undefined && isSmaller(icon, MIN_ICON)) yield 'native_icon_too_small';
}

function isSmaller({ image }: MediaFacts, { width, height }: { width: number; height: number }): boolean {
  return image?.width !== undefined && image.height !== undefined && (image.width < width || image.height < height);
}
