import type { VastAd } from './ad.ts';
import { inlineOf } from './read/read-inline.ts';
import { wrapperOf } from './read/read-wrapper.ts';
import { Unreadable, type VastRefusal } from './read/unreadable.ts';
import { attributeOf, childrenOf, parseXml, type XmlElement } from './read/xml-tree.ts';
import { rootFault } from './vast-root.ts';
import type { VastWrapper } from './wrapper.ts';

export type VastRead =
  | {
      readonly ok: true;
      readonly version: string;
      readonly ads: readonly (VastAd | VastWrapper)[];
      /** Why an ad of the document was left out, the first of them; null where none was. */
      readonly leftOut: VastFault | null;
    }
  | ({ readonly ok: false } & VastFault);

/** Why a document or an ad of it cannot be served. */
export interface VastFault {
  readonly reason: VastRefusal;
  readonly message: string;
}

/** The names of elements, in lower case. */
const EXTENSIONS: ReadonlySet<string> = new Set(['extensions', 'creativeextensions']);

/**
 * Reads a VAST 2.0 to 4.x document: `version` as stated, and at least one ad, in the order of the document. Elements
 * are recognised by their local names, in any case and any order, because real documents follow no schema. VAST 1,
 * documents that are not well-formed or too large, and any DOCTYPE are refused. An ad that cannot be shown is left out;
 * when no ad remains, the document is refused for the first such ad's reason.
 */
export function readVast(xml: string): VastRead {
  return readParsed(() => parseXml(xml));
}

/**
 * Reads as `readVast` does, but leaves out extensions, which cost most of the reading and decide nothing about an ad.
 */
export function readWithoutExtensions(xml: string): VastRead {
  return readParsed(() => parseXml(xml, EXTENSIONS));
}

function readParsed(parse: () => XmlElement): VastRead {
  try {
    const root = parse();
    const version = attributeOf(root, 'version') ?? '';
    const fault = rootFault(root.localName, version);
    if (fault !== undefined) return { ok: false, ...fault };
    return { ok: true, version, ...adsOf(root) };
  } catch (error) {
    if (error instanceof Unreadable) return { ok: false, reason: error.reason, message: error.message };
    throw error;
  }
}

/** A pod has some ten ads at most. */
const MAX_ADS = 100;

function adsOf(root: XmlElement): { ads: (VastAd | VastWrapper)[]; leftOut: VastFault | null } {
  const ads: (VastAd | VastWrapper)[] = [];
  let leftOut: Unreadable | null = null;
  let unreadable = new Unreadable('vast-without-ad', 'the document has no ad');
  const elements = childrenOf(root, 'Ad');
  if (elements.length > MAX_ADS) {
    throw new Unreadable('vast-too-large', `the document has more than ${MAX_ADS} ads`);
  }
  for (const [index, element] of elements.entries()) {
    try {
      ads.push(adOf(element));
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      if (index === 0) unreadable = error;
      leftOut ??= error;
    }
  }
  if (ads.length === 0) throw unreadable;
  return { ads, leftOut: leftOut === null ? null : { reason: leftOut.reason, message: leftOut.message } };
}

function adOf(ad: XmlElement): VastAd | VastWrapper {
  const [inline, ...moreInline] = childrenOf(ad, 'InLine');
  const [wrapper, ...moreWrappers] = childrenOf(ad, 'Wrapper');
  const bodies = moreInline.length + moreWrappers.length + (inline ? 1 : 0) + (wrapper ? 1 : 0);
  if (bodies !== 1) throw new Unreadable('vast-malformed', `an Ad has ${bodies} of InLine and Wrapper, not one`);
  return inline ? inlineOf(ad, inline) : wrapperOf(ad, wrapper!);
}
