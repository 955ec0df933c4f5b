import { firstInsecureUrl } from '#exchange/auction/secure-markup';
import { creativeTemplate } from '#exchange/creative/creative-template';
import type { VastAd } from '#exchange/vast/ad';
import { readVast } from '#exchange/vast/read-vast';
import type { Clock } from '#runtime/ports/clock';
import type { Random } from '#runtime/ports/random';
import { FetchLimit } from '../fetch/fetch-limit.ts';
import { unwrap } from '../unwrap/unwrap.ts';
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
  readonly ad: VastAd;
  /** The version of the document that the bid brings. */
  readonly version: string;
  readonly wrappers: number;
  /** Why the ad may not stand for all auctions: what a wrapper leads to differs from request to request; a clause. */
  readonly differs: string | null;
}

/** Stands for the markup itself where an address is read. */
const MARKUP = new URL('https://markup.invalid/');
/** Macros by which a server learns of the price, once for each ad that is shown. */
const PRICE = /AUCTION_(?:PRICE|MBR|MIN_TO_WIN)/;
/** A document that has not come by then counts as one that does not. */
const GIVE_UP_MS = 10_000;

/**
 * Follows VAST markup to its ad, within the load time and along one trail. Each document that a wrapper leads to is
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
  const trail = load.trail();
  const other = sampleValues(deps.random, '-2');
  const limit = new FetchLimit(deps.clock, GIVE_UP_MS, 'load with all its wrappers', stop);
  let wrappers = -1;
  let ms = 0;
  let differs: string | null = null;
  const timed = async (url: string, values: SampleValues, along: ScanTrail): Promise<TimedText> => {
    const began = deps.clock.monotonic();
    const address = fillAddress(url, values, deps.clock, deps.random);
    const { text, url: at } = await load.read(address, along, deps.maxDocumentBytes, limit.signal);
    return { text: templateOf(text, values), url: at, ms: deps.clock.monotonic() - began };
  };
  try {
    const ad = await unwrap(MARKUP.href, async (url) => {
      wrappers += 1;
      if (wrappers === 0) return { text: markup, url: MARKUP };
      const first = await timed(url, load.values, trail);
      const second = await timed(url, other, load.trail()).catch(() => null);
      limit.signal.throwIfAborted();
      ms += Math.min(first.ms, second?.ms ?? first.ms);
      if (second?.text !== first.text) {
        differs = `what ${first.url.host} answers differs from request to request`;
      }
      if (PRICE.test(url) && !PRICE.test(first.text)) {
        differs = `${first.url.host} learns of the price of each auction by being asked`;
      }
      insecure(load, first.text);
      return first;
    });
    const read = readVast(markup);
    return { ad, version: read.ok ? read.version : '', wrappers, differs };
  } catch (error) {
    if (limit.signal.aborted && !stop.aborted) throw limit.signal.reason;
    throw error;
  } finally {
    limit.end();
    load.ended(trail);
    if (ms > 0) load.took(ms, trail.last ?? MARKUP.href);
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
