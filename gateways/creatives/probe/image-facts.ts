import { imageSize } from 'image-size';
import type { MediaFacts } from '../../../exchange/creative/media-facts.ts';
import { gifAnimation, pngAnimation } from './animation.ts';

/** `jpg`, `png`, … as image-size names them: what they are called elsewhere, and how they are served. */
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

/** What an image is by what is in it; null for what is none that browsers show. */
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

/** An SVG is one from its root on: other documents, VAST among them, may have one somewhere within. */
const SVG_HEAD_BYTES = 4_096;
const SVG_ROOT = /^\ufeff?\s*(?:(?:<\?xml[^>]*>|<!--(?:(?!-->)[\s\S])*-->|<!doctype[^>]*>)\s*)*<(?:\w+:)?svg[\s>]/i;

function sizeOf(bytes: Buffer): ReturnType<typeof imageSize> | null {
  try {
    const size = imageSize(bytes);
    return size.type === 'svg' && !SVG_ROOT.test(bytes.toString('utf8', 0, SVG_HEAD_BYTES)) ? null : size;
  } catch {
    // It throws for what it does not know, and for what breaks off.
    return null;
  }
}
