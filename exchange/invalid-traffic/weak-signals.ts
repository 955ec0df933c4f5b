/** A call this soon after the sale is no viewing: markup takes longer to arrive and to be drawn. */
const FAST_RENDER_MS = 100;
/** The share of rendered sales from which all of them count as rendered. */
const ALL_RENDERED = 0.99;
/** Weak signals count only above this many impression calls of a source in an hour, at one edge. */
const WEAK_SIGNALS_ABOVE = 100;

/** What an edge counted about a source and a caller in this hour. No single fact proves that an ad was not seen. */
export interface Behaviour {
  /**
   * Calls for impressions of the source; `callsOfCaller` are those from this call's address, if the ad request came
   * from it.
   */
  readonly calls: number;
  readonly callsOfCaller: number;
  /** Ads that were sold to the source in this hour. */
  readonly sold: number;
  /** Milliseconds from the sale to this call. */
  readonly elapsedMs: number;
  /** Whether the machine that requested the ad calls for its impression. */
  readonly isAsker: boolean;
}

/** The other facts that the rule depends on. */
export interface SignalContext {
  readonly hasDevice: boolean;
  /** Whether the request came with a key, or its source is verified by its ads.txt. */
  readonly isTrusted: boolean;
  /** Whether the caller's user agent is that of a device. */
  readonly callerIsDevice: boolean;
  readonly channel: 'client' | 'server';
}

/**
 * Whether weak signals together say that the requester of an ad called for its impression itself:
 *
 * 1. one caller: the address that requested the ad calls, as a program or for more than 100 impressions of the source
 * in the hour;
 * 2. no device: the request named none;
 * 3. fast: the call came within 100 ms of the sale;
 * 4. all rendered: of at least 100 sales in the hour, 99 % were called for.
 *
 * For a source that is neither keyed nor verified, 1 and 2 suffice, or 1, 3 and 4. For any other source all four are
 * needed, and only a caller that passes for a viewer's device counts: what a server calls for itself is its
 * integration. No signal counts before a source has had more than 100 calls in the hour.
 */
export function isSelfFired(behaviour: Behaviour, context: SignalContext): boolean {
  const { calls, callsOfCaller, sold, elapsedMs, isAsker } = behaviour;
  const { hasDevice, isTrusted, callerIsDevice, channel } = context;
  if (calls <= WEAK_SIGNALS_ABOVE) return false;
  const isOneCaller = isAsker && (!callerIsDevice || callsOfCaller > WEAK_SIGNALS_ABOVE);
  if (!isOneCaller) return false;
  const isFast = elapsedMs < FAST_RENDER_MS;
  const isAllRendered = sold >= WEAK_SIGNALS_ABOVE && calls >= ALL_RENDERED * sold;
  if (!isTrusted) return !hasDevice || (isFast && isAllRendered);
  return channel === 'client' && callerIsDevice && !hasDevice && isFast && isAllRendered;
}
