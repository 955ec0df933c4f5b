import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { LRUCache } from 'lru-cache';
import type { DspProjection } from '../../actors/dsp/fields.ts';
import { firstInsecureUrl } from '../../exchange/auction/secure-markup.ts';
import { CREATIVES_URL_PLACEHOLDER, fillPlaceholders } from '../../exchange/creative/creative-template.ts';
import type { HostedMarkup } from '../../exchange/creative/hosted-markup.ts';
import type { MarkupFormat } from '../../exchange/creative/inject-tracking.ts';
import type { Imp } from '../../exchange/openrtb/fields/imp.ts';
import { PROTOCOLS, type VastVersion } from '../../exchange/vast/vast-version.ts';
import type { Logger } from '../../runtime/actor/logger.ts';
import type { CreativeCatalogue } from './creative-catalogue.ts';
import type { BidInAuction, CreativeIdentifier } from './identify-creative.ts';

/** Characters of hosted markup in memory. */
const KEPT_CHARACTERS = 16_000_000;
const KEPT_MARKUPS = 4_000;
/** Hosted markup that is longer is none of ours. */
const LONGEST_FILE = 1_000_000;
/** A file that could not be read is not asked for again in this time, ms. */
const RETRY_MS = 10_000;

/** The files of creatives, by SHA-256; null where there is no such file. */
export interface HostedFiles {
  open(sha256: string): Promise<{ readonly bytes: number; read(): Promise<Readable> } | null>;
}

/** Hosted markup as this edge serves it. */
interface ServedMarkup extends HostedMarkup {
  /** Whether all that it loads is loaded over HTTPS. */
  readonly isSecure: boolean;
}

export interface HostedDeps {
  readonly catalogue: CreativeCatalogue;
  readonly identifier: CreativeIdentifier;
  readonly files: HostedFiles;
  /** Where viewers find hosted files. */
  readonly publicCreativesUrl: string;
  readonly random: () => number;
  readonly logger: Logger;
}

/** An imp that a bid has won. */
export interface WonImp {
  readonly imp: Imp;
  readonly format: MarkupFormat;
}

/**
 * The markup that is served in place of what bidders bring, where the exchange hosts their creatives. It is read from
 * the storage in the background when it is first needed: until then a creative is served as it comes, so that no
 * auction waits.
 */
export class HostedCreatives {
  readonly #deps: HostedDeps;
  readonly #markups = new LRUCache<string, ServedMarkup>({
    max: KEPT_MARKUPS,
    maxSize: KEPT_CHARACTERS,
    sizeCalculation: ({ markup }) => markup.length + 1,
  });
  readonly #reading = new Set<string>();
  readonly #unreadable = new LRUCache<string, true>({ max: KEPT_MARKUPS, ttl: RETRY_MS });

  constructor(deps: HostedDeps) {
    this.#deps = deps;
  }

  /** The hosted markup of a winner, with OpenRTB's macros still in it; null where its own is to be served. */
  markupFor(dsp: Pick<DspProjection, 'id' | 'creatives'>, offered: BidInAuction, won: WonImp): string | null {
    const { catalogue, identifier } = this.#deps;
    const identity = identifier.identify(dsp, offered);
    if (identity === null) return null;
    const file = catalogue.hostedFile(dsp.id, identity.creativeId);
    if (file === null) return null;
    const hosted = this.#markups.get(file);
    if (hosted === undefined) {
      if (!this.#reading.has(file) && !this.#unreadable.has(file)) void this.#read(file);
      return null;
    }
    if (!isTaken(hosted, won)) return null;
    return fillPlaceholders(hosted.markup, { bidId: offered.bid.id, cacheBuster: this.#cacheBuster() });
  }

  #cacheBuster(): string {
    return String(Math.floor(this.#deps.random() * 9e9) + 1e9);
  }

  async #read(file: string): Promise<void> {
    this.#reading.add(file);
    try {
      const stored = await this.#deps.files.open(file);
      if (stored === null || stored.bytes > LONGEST_FILE) throw new Error('there is no such file');
      const hosted: HostedMarkup = JSON.parse(await text(await stored.read()));
      const markup = hosted.markup.replaceAll(CREATIVES_URL_PLACEHOLDER, () => this.#deps.publicCreativesUrl);
      this.#markups.set(file, { ...hosted, markup, isSecure: firstInsecureUrl(markup) === null });
    } catch (err) {
      this.#unreadable.set(file, true);
      this.#deps.logger.warn({ err, file }, 'hosted markup could not be read: the creative is served as it comes');
    } finally {
      this.#reading.delete(file);
    }
  }
}

/** Whether the imp takes the hosted markup. A wrapper may have been bid where inline documents are not taken. */
function isTaken({ format, vastVersion, isSecure }: ServedMarkup, { imp, format: sold }: WonImp): boolean {
  if (imp.secure === 1 && !isSecure) return false;
  const isVast = sold === 'video' || sold === 'audio';
  if (!isVast) return format === sold;
  if (vastVersion === null) return false;
  const protocols = imp[sold]?.protocols;
  if (protocols === undefined || protocols.length === 0) return true;
  const ids = PROTOCOLS[vastVersion as VastVersion];
  return ids !== undefined && protocols.includes(ids.inline);
}
