import type { Bid } from '../openrtb/bid-response.ts';
import type { Imp } from '../openrtb/fields/imp.ts';

export type AdFormat = 'banner' | 'video' | 'audio' | 'native';

const FORMATS: readonly AdFormat[] = ['banner', 'video', 'audio', 'native'];

/** `bid.mtype` (OpenRTB 2.6 §4.2.3). */
const BY_MARKUP_TYPE: Readonly<Record<number, AdFormat>> = { 1: 'banner', 2: 'video', 3: 'audio', 4: 'native' };

/**
 * A VAST root, after an XML declaration and comments. Each comment can end in one place only, so that matching is
 * linear.
 */
const VAST = /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->)[\s\S])*-->\s*)*<VAST[\s>]/i;

export function offeredFormats(imp: Imp): AdFormat[] {
  return FORMATS.filter((format) => imp[format] !== undefined);
}

/**
 * The format of the imp that a bid is for, or null when the imp offers none that fits. `mtype` decides where it is
 * given. Without it (2.5 has none) an imp that offers one format decides, and otherwise the markup does: VAST is video
 * before audio, JSON is native, anything else is a banner. A bid whose markup only comes with the win notice gets the
 * first format that is offered.
 */
export function formatOf(bid: Bid, imp: Imp): AdFormat | null {
  if (bid.mtype !== undefined) {
    const stated = BY_MARKUP_TYPE[bid.mtype];
    return stated !== undefined && imp[stated] !== undefined ? stated : null;
  }
  const only = onlyFormat(imp);
  if (only !== null) return only;
  const candidates = bid.adm === undefined ? FORMATS : formatsOfMarkup(bid.adm);
  return candidates.find((format) => imp[format] !== undefined) ?? null;
}

/** The one format that the imp offers; null where it offers none or several. */
function onlyFormat(imp: Imp): AdFormat | null {
  let only: AdFormat | null = null;
  for (const format of FORMATS) {
    if (imp[format] === undefined) continue;
    if (only !== null) return null;
    only = format;
  }
  return only;
}

function formatsOfMarkup(markup: string): readonly AdFormat[] {
  if (VAST.test(markup)) return ['video', 'audio'];
  return markup.trimStart().startsWith('{') ? ['native'] : ['banner'];
}
