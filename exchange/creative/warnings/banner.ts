import type { Creative } from '../../strategy/document/creative.ts';
import type { MediaFacts } from '../media-facts.ts';

/** The sizes of "Creative specifications", Banner (specification). */
const STANDARD_SIZES: ReadonlySet<string> = new Set([
  '320x50',
  '300x250',
  '728x90',
  '970x250',
  '160x600',
  '300x600',
  '320x480',
]);
const MAX_BYTES = 150 * 1024;
const FORMATS: ReadonlySet<string> = new Set(['GIF', 'JPEG', 'PNG']);
const MAX_ANIMATION_MS = 15_000;
const MAX_RUNS = 3;

/** The warnings of a banner or HTML5 ad. `image` is the file that its `image_url` led to. */
export function* bannerWarnings(
  { width, height }: Pick<Creative, 'width' | 'height'>,
  image: MediaFacts | undefined,
): Generator<string> {
  const shown = { width: width ?? image?.image?.width, height: height ?? image?.image?.height };
  const size = `${shown.width}x${shown.height}`;
  if (shown.width !== undefined && shown.height !== undefined && !STANDARD_SIZES.has(size)) {
    yield `non_standard_size:${size}`;
  }
  if (image === undefined) return;
  if (image.bytes > MAX_BYTES) yield 'banner_oversized';
  if (!FORMATS.has(image.container ?? '')) yield 'unsupported_image_format';
  const { animation } = image.image ?? {};
  if (animation === undefined) return;
  const { durationMs, runs } = animation;
  if (runs === 0 || runs > MAX_RUNS) yield 'animation_loops';
  // Of an animation without end, one run is judged.
  if (durationMs * Math.max(runs, 1) > MAX_ANIMATION_MS) yield 'animation_too_long';
}
