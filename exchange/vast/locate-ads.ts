import { SaxesParser } from 'saxes';
import type { InjectionRefusal } from '../creative/injection.ts';
import { parseDurationMs } from './duration.ts';
import { isVpaidFile } from './read/vpaid.ts';
import { rootFault } from './vast-root.ts';
import { HALF_A_PAIR, XML_1_0, xmlTextOf } from './xml-document.ts';

/**
 * A place in a document where text is inserted. It replaces the text from `offset` to `until`, which is usually empty.
 */
export interface Insertion {
  readonly offset: number;
  readonly until: number;
  /** The namespace prefix for the inserted element, with its colon, or ''. */
  readonly prefix: string;
  /**
   * The element that is inserted: one more `Impression`, or, since VAST 4.0, viewability trackers. `views` is a whole
   * `ViewableImpression` where there is none; `views-in-empty` fills one that is only a tag; the other kinds are one
   * more tracker in an existing element.
   */
  readonly what: 'impression' | 'views' | ViewabilityKind | 'views-in-empty';
}

type ViewabilityKind = 'viewable' | 'not-viewable' | 'undetermined';

/** What an inline ad states of one of its linear creatives. */
export interface LocatedLinear {
  /** Undefined where it is missing, cannot be read, or is 0, which is written where it is not known. */
  durationMs: number | undefined;
  /** The types of its files, as written; '' for a file without one. */
  readonly types: string[];
}

/** An `Ad` of a document. */
export interface LocatedAd {
  /** Whether it has a place in the document's pod (`sequence`); the others stand alone, one in place of another. */
  isInPod: boolean;
  /** Whether it is an inline ad that has a creative of some kind. */
  hasCreatives: boolean;
  /** The linear creatives of an inline ad; none of a wrapper. */
  readonly linears: LocatedLinear[];
}

export type LocatedAds =
  | {
      readonly ok: true;
      readonly text: string;
      readonly insertions: readonly Insertion[];
      /** The version as the document states it: `2.0`, `4.2` … */
      readonly version: string;
      /** Whether an ad of the document has to be fetched from elsewhere. */
      readonly hasWrapper: boolean;
      readonly ads: readonly LocatedAd[];
    }
  | { readonly ok: false; readonly reason: InjectionRefusal; readonly message: string };

/**
 * Parses the whole document and finds the places for trackers. For each `InLine` and `Wrapper` an impression's place is
 * behind its first `Impression`, which every schema allows to repeat there; in an ad without one, it is before
 * `Creatives`, or at the end. The places of viewability trackers follow the schemas since 4.0: behind the first
 * elements of an ad, or inside the existing element. An ad that only VPAID can show is refused, because the exchange
 * does not sell VPAID; so is a document with a DOCTYPE, which VAST has not and whose entities could expand without end
 * in a player. `text` is the document without a byte-order mark and leading white space; offsets refer to it and are
 * ascending.
 */
export function locateAds(adm: string): LocatedAds {
  const text = xmlTextOf(adm);
  if (text === null) return { ok: false, reason: 'vast-malformed', message: HALF_A_PAIR };
  const scan = new AdScan(text);
  const parser = new SaxesParser(XML_1_0);
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('doctype', () => {
    throw new Refused('vast-malformed', 'the document has a DOCTYPE');
  });
  parser.on('opentagstart', (tag) => scan.startOfTag(text.lastIndexOf('<', parser.position - 1), tag.name));
  parser.on('opentag', (tag) => scan.tag(tag.attributes, parser.position, tag.isSelfClosing));
  parser.on('closetag', () => scan.endOfElement(parser.position));
  try {
    parser.write(text).close();
  } catch (error) {
    if (error instanceof Refused) return { ok: false, reason: error.reason, message: error.message };
    return { ok: false, reason: 'vast-malformed', message: (error as Error).message };
  }
  return scan.result();
}

class Refused extends Error {
  readonly reason: InjectionRefusal;

  constructor(reason: InjectionRefusal, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** An open element. */
interface Open {
  readonly localName: string;
  readonly prefix: string;
  readonly startOffset: number;
}

/** Depths of the relevant elements: VAST / Ad / InLine or Wrapper / Impression, Creatives … / Viewable … */
const AD_DEPTH = 2;
const BODY_DEPTH = 3;
const PART_DEPTH = 4;
const VIEW_DEPTH = 5;
const CREATIVE_DEPTH = 5;
/** VAST / Ad / InLine / Creatives / Creative / Linear / Duration, or MediaFiles / MediaFile */
const LINEAR_DEPTH = 6;
const DURATION_DEPTH = 7;
const FILE_DEPTH = 8;
/** Characters of a `Duration`, with CDATA and white space around it. */
const LONGEST_DURATION = 200;
const CDATA = /^\s*<!\[CDATA\[([\s\S]*?)\]\]>\s*$/;

/** The places for trackers in an ad's own `ViewableImpression`; the schemas demand the three kinds in this order. */
interface OpenViewability {
  readonly prefix: string;
  /** The offset behind its start tag. */
  readonly startOffset: number;
  readonly isOnlyATag: boolean;
  beforeNotViewable?: number;
  beforeUndetermined?: number;
  /** The offset before its end tag. */
  endOffset: number;
}

class AdScan {
  readonly #text: string;
  readonly #path: Open[] = [];
  readonly #insertions: Insertion[] = [];
  readonly #ads: LocatedAd[] = [];
  /** The offset behind the start tag of the `Duration` that is open. */
  #durationOffset = 0;
  #version = '';
  #hasWrapper = false;
  #bodiesOfAd = 0;
  /** The number of files and overlays of the ad; `#vpaid` is the number of those that are VPAID. */
  #shown = 0;
  #vpaid = 0;
  #afterImpression: number | null = null;
  #beforeCreatives: number | null = null;
  /** The offset behind the last element that must come before a `ViewableImpression`. */
  #afterHead: number | null = null;
  #views: OpenViewability | null = null;

  constructor(text: string) {
    this.#text = text;
  }

  startOfTag(startOffset: number, name: string): void {
    const colon = name.indexOf(':');
    const localName = name.slice(colon + 1);
    this.#path.push({ localName, prefix: name.slice(0, colon + 1), startOffset });
    // A document may have other elements beside its ads, as an Error for itself.
    if (this.#path.length === AD_DEPTH && localName === 'Ad') {
      this.#bodiesOfAd = 0;
      this.#ads.push({ isInPod: false, hasCreatives: false, linears: [] });
    }
    if (this.#path.length === BODY_DEPTH) {
      this.#shown = 0;
      this.#vpaid = 0;
      this.#afterImpression = null;
      this.#beforeCreatives = null;
      this.#afterHead = null;
      this.#views = null;
    }
    if (localName === 'Creative' && this.#path.length === CREATIVE_DEPTH && this.#inInlineCreatives())
      this.#ads.at(-1)!.hasCreatives = true;
    if (localName === 'Creatives' && this.#inAdBody(PART_DEPTH)) this.#beforeCreatives ??= startOffset;
    if (this.#views === null || this.#path.length !== VIEW_DEPTH || !this.#inViews()) return;
    if (localName === 'NotViewable') this.#views.beforeNotViewable ??= startOffset;
    else if (localName === 'ViewUndetermined') this.#views.beforeUndetermined ??= startOffset;
  }

  /** Reads attributes: the root's give the VAST version, a file's the program that it needs. */
  tag(attributes: Readonly<Record<string, string>>, endOffset: number, isOnlyATag: boolean): void {
    const { localName, prefix } = this.#path.at(-1)!;
    if (localName === 'ViewableImpression' && this.#inAdBody(PART_DEPTH)) {
      this.#views ??= { prefix, startOffset: endOffset, isOnlyATag, endOffset };
    }
    if (this.#path.length === AD_DEPTH && localName === 'Ad')
      this.#ads.at(-1)!.isInPod = Number(attributes.sequence) > 0;
    if (this.#path.length >= LINEAR_DEPTH) this.#linearPart(localName, attributes, endOffset);
    if (this.#path.length > PART_DEPTH && (localName === 'MediaFile' || localName === 'NonLinear')) {
      this.#shown += 1;
      if (isVpaidFile(attributes.apiFramework, attributes.type ?? '')) this.#vpaid += 1;
    }
    if (this.#path.length !== 1) return;
    this.#version = attributes.version?.trim() ?? '';
    const fault = rootFault(localName, this.#version);
    if (fault !== undefined) throw new Refused(fault.reason, fault.message);
  }

  endOfElement(endOffset: number): void {
    const closed = this.#path.at(-1)!;
    if (this.#inAdBody(PART_DEPTH)) this.#endOfPart(closed, endOffset);
    if (closed.localName === 'Duration' && this.#path.length === DURATION_DEPTH && this.#inLinear()) {
      this.#linear.durationMs ??= this.#durationUntil(endOffset);
    }
    if (this.#inAdBody(BODY_DEPTH)) {
      this.#bodiesOfAd += 1;
      if (this.#vpaid > 0 && this.#vpaid === this.#shown) {
        throw new Refused('vpaid-unsupported', 'an ad can be shown with VPAID alone');
      }
      if (closed.localName === 'Wrapper') this.#hasWrapper = true;
      this.#placeTrackers(closed, this.#placeInBody(closed, endOffset));
    }
    if (this.#path.length === AD_DEPTH && closed.localName === 'Ad' && this.#bodiesOfAd !== 1) {
      throw new Refused('vast-malformed', `an Ad has ${this.#bodiesOfAd} of InLine and Wrapper, not one`);
    }
    this.#path.pop();
  }

  result(): LocatedAds {
    if (this.#insertions.length === 0) {
      return { ok: false, reason: 'vast-without-ad', message: 'the VAST document has no ad' };
    }
    return {
      ok: true,
      text: this.#text,
      insertions: this.#insertions,
      version: this.#version,
      hasWrapper: this.#hasWrapper,
      ads: this.#ads,
    };
  }

  #linearPart(localName: string, { type = '' }: Readonly<Record<string, string>>, endOffset: number): void {
    const depth = this.#path.length;
    if (localName === 'Linear' && depth === LINEAR_DEPTH && this.#inLinear()) {
      this.#ads.at(-1)!.linears.push({ durationMs: undefined, types: [] });
    } else if (localName === 'Duration' && depth === DURATION_DEPTH) this.#durationOffset = endOffset;
    else if (localName === 'MediaFile' && depth === FILE_DEPTH && this.#inLinear()) {
      this.#linear.types.push(type.trim());
    }
  }

  /** The linear creative that is open. */
  get #linear(): LocatedLinear {
    return this.#ads.at(-1)!.linears.at(-1)!;
  }

  /** What the open `Duration` holds, as text or as CDATA. */
  #durationUntil(endOffset: number): number | undefined {
    const text = this.#text.slice(this.#durationOffset, this.#text.lastIndexOf('<', endOffset - 1));
    return text.length > LONGEST_DURATION ? undefined : parseDurationMs(CDATA.exec(text)?.[1] ?? text) || undefined;
  }

  #endOfPart({ localName }: Open, endOffset: number): void {
    if (localName === 'Impression') this.#afterImpression ??= endOffset;
    if (localName === 'Impression' || localName === 'Pricing') this.#afterHead = endOffset;
    if (localName === 'ViewableImpression' && this.#views?.endOffset === this.#views?.startOffset) {
      this.#views!.endOffset = this.#text.lastIndexOf('<', endOffset - 1);
    }
  }

  #placeTrackers({ prefix }: Open, impressionOffset: number): void {
    const at = (offset: number, what: Insertion['what'], of = prefix) =>
      this.#insertions.push({ offset, until: offset, prefix: of, what });
    const views = this.#views;
    const placed = this.#insertions.length;
    at(impressionOffset, 'impression');
    if (views === null) at(Math.max(impressionOffset, this.#afterHead ?? 0), 'views');
    else if (views.isOnlyATag) {
      const until = views.startOffset;
      this.#insertions.push({ offset: until - '/>'.length, until, prefix: views.prefix, what: 'views-in-empty' });
    } else {
      const beforeUndetermined = views.beforeUndetermined ?? views.endOffset;
      at(views.startOffset, 'viewable', views.prefix);
      at(views.beforeNotViewable ?? beforeUndetermined, 'not-viewable', views.prefix);
      at(beforeUndetermined, 'undetermined', views.prefix);
    }
    const ofAd = this.#insertions.splice(placed);
    this.#insertions.push(...ofAd.sort((one, other) => one.offset - other.offset));
  }

  /** Whether the path leads through a linear creative of an inline ad. */
  #inLinear(): boolean {
    return this.#path[LINEAR_DEPTH - 1]!.localName === 'Linear' && this.#inInlineCreatives();
  }

  /** Whether the path leads through the `Creatives` of an inline ad. It must be as deep. */
  #inInlineCreatives(): boolean {
    const path = this.#path;
    if (path[BODY_DEPTH - 1]!.localName !== 'InLine') return false;
    return path[PART_DEPTH - 1]!.localName === 'Creatives' && path[AD_DEPTH - 1]!.localName === 'Ad';
  }

  /** Whether the path leads through the ad's own `ViewableImpression`. */
  #inViews(): boolean {
    return this.#path[PART_DEPTH - 1]!.localName === 'ViewableImpression';
  }

  /** Whether the path has this depth and leads through an ad's InLine or Wrapper. */
  #inAdBody(depth: number): boolean {
    if (this.#path.length !== depth) return false;
    const body = this.#path[BODY_DEPTH - 1]!.localName;
    return this.#path[AD_DEPTH - 1]!.localName === 'Ad' && (body === 'InLine' || body === 'Wrapper');
  }

  #placeInBody(body: Open, endOffset: number): number {
    const place = this.#afterImpression ?? this.#beforeCreatives;
    if (place !== null) return place;
    const endTag = this.#text.lastIndexOf('<', endOffset - 1);
    if (endTag === body.startOffset) throw new Refused('vast-malformed', `${body.localName} is empty`);
    return endTag;
  }
}
