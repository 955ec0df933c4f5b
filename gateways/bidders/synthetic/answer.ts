import type { BidRequest } from '#exchange/openrtb/bid-request';
import { bidFor } from './bid.ts';
import type { SyntheticBidder } from './synthetic-bidders.ts';

/** A persona's answer to a bid request, as HTTP has it. */
export type SyntheticAnswer = { readonly status: 200; readonly body: Buffer } | { readonly status: 204 | 400 };

/**
 * 200 with a bid, or 204; an invalid bid request gets 400. `creativesUrl`: where the edges serve the persona's files;
 * `random`: uniform in [0, 1).
 */
export function answerFor(
  persona: SyntheticBidder,
  text: string,
  creativesUrl: string,
  random: () => number,
): SyntheticAnswer {
  const request = read(text);
  if (request === null) return { status: 400 };
  const bid = bidFor(request, persona, creativesUrl, random);
  return bid === null ? { status: 204 } : { status: 200, body: Buffer.from(JSON.stringify(bid)) };
}

function read(text: string): BidRequest | null {
  try {
    const document = JSON.parse(text);
    return Array.isArray(document?.imp) && document.imp.every(isObject) ? document : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
