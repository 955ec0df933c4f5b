import { imageSize } from 'image-size';
import type { MediaFacts } from '#exchange/creative/media-facts';
import { gifAnimation, pngAnimation } from './animation.ts';

/** Image formats by image-size's name (`jpg`, `png`, …): the usual name, and the media type the file is served with. */
const FORMATS: Readonly<Record<string, { readonly container: string; readonly mimeType: string }>> = {
  jpg: { container: 'JPEG', mimeType: 'image/jpeg' },
  png: { container: 'PNG', mimeType: 'image/png' },
  gif: { container: 'GIF', mimeType: 'image/gif' },
  webp: { container: 'WebP', mimeType: 'image/webp' },
  avif: { container: 'AVIF', mimeType: 'image/avif' },
  bmp: { container: 'BMP', mimeType: 'image/bmp' },
  svg: { container: 'SVG', mimeType: 'image/svg+xml' },
  ico: { container: 'ICO', mimeType: 'image/x-icon' },
  tiff: { container: 'TIFF', mimeType: 'image/tiff' },
  heif: { container: 'HEIF', mimeType: 'image/heif' },
};

export interface ProbedImage {
  readonly mimeType: string;
  readonly container: string;
  readonly image: NonNullable<MediaFacts['image']>;
}

/** Reads the facts of an image from its bytes; null for a file that is not an image that browsers show. */
export function imageFacts(bytes: Buffer): ProbedImage | null {
  const size = sizeOf(bytes);
  const format = FORMATS[size?.type ?? ''];
  if (size === null || format === undefined) return null;
  const width = Math.round(size.width);
  const height = Math.round(size.height);
  const animation = gifAnimation(bytes) ?? pngAnimation(bytes);
  return {
    ...format,
    image: { ...(width > 0 && height > 0 ? { width, height } : {}), ...(animation && { animation }) },
  };
}

/**
 * Only a file whose root element is `svg` is an SVG: other documents, VAST among them, may contain an `svg` element.
 */
const SVG_HEAD_BYTES = 4_096;
const SVG_ROOT = /^\ufeff?\s*(?:(?:<\?xml[^>]*>|<!--(?:(?!-->)[\s\S])*-->|<!doctype[^>]*>)\s*)*<(?:\w+:)?svg[\s>]/i;

function sizeOf(bytes: Buffer): ReturnType<typeof imageSize> | null {
  try {
    const size = imageSize(bytes);
    return size.type === 'svg' && !SVG_ROOT.test(bytes.toString('utf8', 0, SVG_HEAD_BYTES)) ? null : size;
  } catch {
    // image-size throws for unknown formats and truncated files.
    return null;
  }
}
