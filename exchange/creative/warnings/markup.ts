import { type Creative, formatOfCreative } from '../../strategy/document/creative.ts';

/** The bounds of a banner's initial load and of an HTML5 ad (specification, "Creative specifications"). */
const MAX_BANNER_BYTES = 150 * 1024;
const MAX_HTML5_BYTES = 2 * 1024 * 1024;

/** The warnings of an ad that is markup. */
export function* markupWarnings(creative: Creative): Generator<string> {
  if (creative.html === undefined) return;
  const bytes = new TextEncoder().encode(creative.html).length;
  if (formatOfCreative(creative) === 'banner') {
    if (bytes > MAX_BANNER_BYTES) yield 'banner_oversized';
  } else if (bytes > MAX_HTML5_BYTES) {
    yield 'html5_oversized';
  }
}
