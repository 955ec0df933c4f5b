import { firstInsecureUrl } from '#exchange/auction/secure-markup';
import { creativeTemplate } from '#exchange/creative/creative-template';
import type { VastAd } from '#exchange/vast/ad';
import { readVast } from '#exchange/vast/read-vast';
import type { Clock } from '#runtime/ports/clock';
import type { Random } from '#runtime/ports/random';
import { FetchLimit } from '../fetch/fetch-limit.ts';
import { unwrapAll, type VastDocument } from '../unwrap/unwrap.ts';
import { fillAddress, type SampleValues, sampleValues, withMacros } from './sample-values.ts';
import type { LoadedText, ScanLoad } from './scan-load.ts';
import type { ScanTrail } from './scan-trail.ts';
import { withoutLoopback } from './trustworthy.ts';

export interface UnwrapDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly maxDocumentBytes: number;
}

export interface UnwrappedMarkup {
  /** At least one. */
  readonly ads: readonly VastAd[];
  /** The version of the document that the bid brings. */
  readonly version: string;
  /** Wrappers on the longest way to an ad. */
  readonly wrappers: number;
  /** Why the ads may not stand for all auctions: what a wrapper leads to differs from request to request; a clause. */
  readonly differs: string | null;
}

/** Stands for the markup itself where an address is read. */
const MARKUP = new URL('https://markup.invalid/');
/** Macros by which a server learns of the price, once for each ad that is shown. */
const PRICE = /AUCTION_(?:PRICE|MBR|MIN_TO_WIN)/;
/** A document that has not come by then counts as one that does not. */
const GIVE_UP_MS = 10_000;

/** A document on the way to an ad. */
interface Step extends VastDocument {
  readonly trail: ScanTrail;
  readonly wrappers: number;
  /** From the first request to this document, ms. */
  readonly ms: number;
}

/**
 * Follows VAST markup to each ad that a player may show, within the load time. Each document that a wrapper leads to is
 * asked for twice, as two auctions with two viewers would: values of the auction that the server repeats become macros
 * again, and what differs otherwise is of one auction or of one viewer alone.
 * @throws CreativeRefused, FetchFailed
 */
export async function unwrapMarkup(
  deps: UnwrapDeps,
  load: ScanLoad,
  markup: string,
  stop: AbortSignal,
): Promise<UnwrappedMarkup> {
  const trails = [load.trail()];
  const other = sampleValues(deps.random, '-2');
  const limit = new FetchLimit(deps.clock, GIVE_UP_MS, 'load with all its wrappers', stop);
  let slowestMs = 0;
  let slowestAt = MARKUP.href;
  let longest = 0;
  let differs: string | null = null;
  const timed = async (url: string, values: SampleValues, along: ScanTrail): Promise<TimedText> => {
    const began = deps.clock.monotonic();
    const address = fillAddress(url, values, deps.clock, deps.random);
    const { text, url: at } = await load.read(address, along, deps.maxDocumentBytes, limit.signal);
    return { text: templateOf(text, values), url: at, ms: deps.clock.monotonic() - began };
  };
  try {
    const ads = await unwrapAll<Step>(MARKUP.href, async (url, from) => {
      if (from === null) return { text: markup, url: MARKUP, trail: trails[0]!, wrappers: 0, ms: 0 };
      const trail = from.trail.branch();
      trails.push(trail);
      const first = await timed(url, load.values, trail);
      const second = await timed(url, other, load.trail()).catch(() => null);
      limit.signal.throwIfAborted();
      const ms = from.ms + Math.min(first.ms, second?.ms ?? first.ms);
      const wrappers = from.wrappers + 1;
      longest = Math.max(longest, wrappers);
      if (ms > slowestMs) [slowestMs, slowestAt] = [ms, trail.last ?? MARKUP.href];
      if (second?.text !== first.text) {
        differs = `what ${first.url.host} answers differs from request to request`;
      }
      if (PRICE.test(url) && !PRICE.test(first.text)) {
        differs = `${first.url.host} learns of the price of each auction by being asked`;
      }
      insecure(load, first.text);
      return { text: first.text, url: first.url, trail, wrappers, ms };
    });
    const read = readVast(markup);
    return { ads, version: read.ok ? read.version : '', wrappers: longest, differs };
  } catch (error) {
    if (limit.signal.aborted && !stop.aborted) throw limit.signal.reason;
    throw error;
  } finally {
    limit.end();
    for (const trail of trails) load.ended(trail);
    if (slowestMs > 0) load.took(slowestMs, slowestAt);
  }
}

interface TimedText extends LoadedText {
  readonly ms: number;
}

/** Names what markup loads over plain HTTP. */
export function insecure(load: ScanLoad, text: string): void {
  const url = firstInsecureUrl(withoutLoopback(text));
  if (url !== null) {
    load.findings.add('plain-http', 'It names an address of plain HTTP, which a page of https does not load.', url);
  }
}

function templateOf(text: string, values: SampleValues): string {
  return creativeTemplate(withMacros(text, values), { auctionId: '', impId: '', responseId: null, bidId: '' });
}
