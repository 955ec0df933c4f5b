import { SaxesParser } from 'saxes';
import type { InjectionRefusal } from '../creative/injection.ts';
import { isVpaidFile } from './read/vpaid.ts';
import { rootFault } from './vast-root.ts';

/** Where something belongs, in place of what stands there until `until`: of nothing, as a rule. */
export interface Insertion {
  readonly offset: number;
  readonly until: number;
  /** The namespace prefix of what is inserted, with its colon, or ''. */
  readonly prefix: string;
  /**
   * One more `Impression`; since VAST 4.0 `views`, a `ViewableImpression` where there is none, `views-in-empty`, what ends one that
   * is only a tag, or one more of each kind of its trackers.
   */
  readonly what: 'impression' | 'views' | ViewabilityKind | 'views-in-empty';
}

type ViewabilityKind = 'viewable' | 'not-viewable' | 'undetermined';

export type LocatedAds =
  | {
      readonly ok: true;
      readonly text: string;
      readonly insertions: readonly Insertion[];
      /** As the document says: `2.0`, `4.2` … */
      readonly version: string;
      /** Whether one of its ads has yet to be fetched from elsewhere. */
      readonly hasWrapper: boolean;
    }
  | { readonly ok: false; readonly reason: InjectionRefusal; readonly message: string };

/**
 * Parses the document whole and finds, for each `InLine` and `Wrapper`, the place after its first `Impression`, which
 * every schema lets repeat there; in an ad without one, the place before `Creatives`, or its end. Beside it those of trackers of
 * views, where the schemas since 4.0 want them: behind what comes first in an ad, or in the element that is there.
 * An ad that VPAID alone can show is refused: nobody here runs that. `text` is the document without a byte-order mark and leading white space, and offsets are into it, ascending.
 */
export function locateAds(adm: string): LocatedAds {
  const text = (adm.charCodeAt(0) === 0xfeff ? adm.slice(1) : adm).trimStart();
  const scan = new AdScan(text);
  const parser = new SaxesParser({ xmlns: false });
  parser.on('error', (error) => {
    throw error;
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

/** Depths of the elements that matter: VAST / Ad / InLine or Wrapper / Impression, Creatives … / Viewable … */
const AD_DEPTH = 2;
const BODY_DEPTH = 3;
const PART_DEPTH = 4;
const VIEW_DEPTH = 5;

/** Where trackers of views belong in an ad's own `ViewableImpression`; schemas want the three kinds in this order. */
interface OpenViewability {
  readonly prefix: string;
  /** Behind its start tag. */
  readonly startOffset: number;
  readonly isOnlyATag: boolean;
  beforeNotViewable?: number;
  beforeUndetermined?: number;
  /** Before its end tag. */
  endOffset: number;
}

class AdScan {
  readonly #text: string;
  readonly #path: Open[] = [];
  readonly #insertions: Insertion[] = [];
  #version = '';
  #hasWrapper = false;
  #bodiesOfAd = 0;
  /** Files and overlays of the ad, and those among them that are VPAID. */
  #shown = 0;
  #vpaid = 0;
  #afterImpression: number | null = null;
  #beforeCreatives: number | null = null;
  /** Behind the last of what comes before a `ViewableImpression`. */
  #afterHead: number | null = null;
  #views: OpenViewability | null = null;

  constructor(text: string) {
    this.#text = text;
  }

  startOfTag(startOffset: number, name: string): void {
    const colon = name.indexOf(':');
    this.#path.push({ localName: name.slice(colon + 1), prefix: name.slice(0, colon + 1), startOffset });
    if (this.#path.length === AD_DEPTH) this.#bodiesOfAd = 0;
    if (this.#path.length === BODY_DEPTH) {
      this.#shown = 0;
      this.#vpaid = 0;
      this.#afterImpression = null;
      this.#beforeCreatives = null;
      this.#afterHead = null;
      this.#views = null;
    }
    const localName = name.slice(colon + 1);
    if (localName === 'Creatives' && this.#inAdBody(PART_DEPTH)) this.#beforeCreatives ??= startOffset;
    if (this.#views === null || this.#path.length !== VIEW_DEPTH || !this.#inViews()) return;
    if (localName === 'NotViewable') this.#views.beforeNotViewable ??= startOffset;
    else if (localName === 'ViewUndetermined') this.#views.beforeUndetermined ??= startOffset;
  }

  /** The root's attributes say which VAST this is, those of files what can play them. */
  tag(attributes: Readonly<Record<string, string>>, endOffset: number, isOnlyATag: boolean): void {
    const { localName, prefix } = this.#path.at(-1)!;
    if (localName === 'ViewableImpression' && this.#inAdBody(PART_DEPTH)) {
      this.#views ??= { prefix, startOffset: endOffset, isOnlyATag, endOffset };
    }
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
    };
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

  /** Whether the path runs through the ad's own `ViewableImpression`. */
  #inViews(): boolean {
    return this.#path[PART_DEPTH - 1]!.localName === 'ViewableImpression';
  }

  /** Whether the path is `depth` long and runs through an ad's InLine or Wrapper. */
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
