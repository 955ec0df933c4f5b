import { BID_ID_PLACEHOLDER, CACHE_BUSTER_PLACEHOLDER, fillPlaceholders } from '#exchange/creative/creative-template';
import { type MacroValues, substituteMacros } from '#exchange/openrtb/macros';
import type { Clock } from '#runtime/ports/clock';
import type { Random } from '#runtime/ports/random';
import { fillRequestMacros } from '../unwrap/request-macros.ts';

/**
 * Values of an auction that never was, for the addresses that a scan asks: no id of it is that of a bid, and its price
 * is next to nothing. Each is found again in what an ad server answers.
 */
export interface SampleValues {
  readonly auctionId: string;
  readonly bidId: string;
  readonly responseId: string;
  readonly impId: string;
  readonly seatId: string;
  readonly adId: string;
  readonly price: string;
  readonly marketBidRatio: string;
  readonly minToWin: string;
  readonly cacheBuster: string;
  /** What stands for all that only the viewer's player knows: in VAST `-1` for unknown, `-2` for withheld. */
  readonly ofViewer: '-1' | '-2';
}

const DIGITS = 100_000_000;

export function sampleValues(random: Random, ofViewer: SampleValues['ofViewer'] = '-1'): SampleValues {
  const id = (name: string) => `scan-${name}-${random.id().replace(/[^a-zA-Z\d]/g, '')}`;
  const digits = () => String(Math.floor(random.next() * DIGITS)).padStart(8, '0');
  return {
    auctionId: id('auction'),
    bidId: id('bid'),
    responseId: id('response'),
    impId: id('imp'),
    seatId: id('seat'),
    adId: id('ad'),
    price: `0.0001${digits()}`,
    marketBidRatio: `0.9${digits()}`,
    minToWin: `0.00009${digits()}`,
    cacheBuster: `7${digits()}${digits()}`,
    ofViewer,
  };
}

/** The macros that a sample value stands for, to be put back where a server has repeated the value. */
const MACRO_OF: Readonly<Record<Exclude<keyof SampleValues, 'ofViewer'>, string>> = {
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are macros of markup
  auctionId: '${AUCTION_ID}',
  responseId: '${AUCTION_BID_ID}',
  impId: '${AUCTION_IMP_ID}',
  seatId: '${AUCTION_SEAT_ID}',
  adId: '${AUCTION_AD_ID}',
  price: '${AUCTION_PRICE}',
  marketBidRatio: '${AUCTION_MBR}',
  minToWin: '${AUCTION_MIN_TO_WIN}',
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: these are macros of markup
  bidId: BID_ID_PLACEHOLDER,
  cacheBuster: CACHE_BUSTER_PLACEHOLDER,
};

/** Puts the macros back where a server has repeated the values that it was asked with. */
export function withMacros(text: string, values: SampleValues): string {
  let template = text;
  for (const name of Object.keys(MACRO_OF) as (keyof typeof MACRO_OF)[]) {
    template = template.replaceAll(values[name], () => MACRO_OF[name]);
  }
  return template;
}

/** Fills an address of a creative's template: macros of OpenRTB and of VAST, and placeholders, also percent-encoded. */
export function fillAddress(url: string, values: SampleValues, clock: Clock, random: Random): string {
  const { bidId, responseId, cacheBuster, ofViewer, ...others } = values;
  const macros: MacroValues = { ...others, bidId: responseId, currency: 'USD' };
  const plain = url.replace(/(?:\$|%24)(?:\{|%7B)(EXCHANGE_[A-Z_]{1,40})(?:\}|%7D)/gi, (_whole, name) => `\${${name}}`);
  const filled = fillPlaceholders(substituteMacros(plain, macros), { bidId, cacheBuster });
  return fillRequestMacros(
    filled.replace(/\[CACHEBUSTING\]|%5BCACHEBUSTING%5D/gi, cacheBuster),
    clock,
    random,
    ofViewer,
  );
}

/** Whether an address differs from auction to auction, or is meant to be asked anew in each. */
export function isPerAuction(url: string): boolean {
  return /(?:\$|%24)(?:\{|%7B)|\[[A-Z_]+\]|%5B[A-Z_]+%5D|%%[A-Z_]+%%/i.test(url);
}
