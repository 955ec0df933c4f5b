/** An impression called for so soon after its sale was seen by nobody: markup takes longer to arrive and to be drawn. */
const FAST_RENDER_MS = 100;
/** Renders to sales, from which all that was sold counts as shown. */
const ALL_RENDERED = 0.99;
/** Impressions of a source in an hour, at one edge, that weak signals must be more than to count. */
const WEAK_SIGNALS_ABOVE = 100;

/** What an edge knows of a source and a caller in this hour; nothing of it says by itself that nobody saw an ad. */
export interface Behaviour {
  /** Calls for impressions of the source; and those from this call's address, if it is that of who asked. */
  readonly calls: number;
  readonly callsOfCaller: number;
  /** Ads that were sold to the source. */
  readonly sold: number;
  /** From the sale to this call. */
  readonly elapsedMs: number;
  /** The machine that asked for the ad calls for its impression. */
  readonly isAsker: boolean;
}

/** What else the rule goes by. */
export interface SignalContext {
  readonly hasDevice: boolean;
  /** The request came with a key, or its source is verified by its ads.txt. */
  readonly isTrusted: boolean;
  /** The caller says that it is a device. */
  readonly callerIsDevice: boolean;
  readonly channel: 'client' | 'server';
}

/**
 * Whether weak signals say together that whoever asked for an ad called for its impression itself:
 *
 * 1. one caller: the address that asked calls, as a program, or for more than a hundred impressions of the source in the hour;
 * 2. no device: the request named none;
 * 3. fast: the call came within 100 ms of the sale;
 * 4. all rendered: of a hundred sales and more in the hour, 99 % were called for.
 *
 * Of a source that is neither keyed nor verified, 1 and 2, or 1, 3 and 4. Of any other, all four, and only where the caller passes for a viewer's
 * device: what a server calls for itself is its integration. Nothing of it counts before a source has had a hundred calls in the hour.
 */
export function isSelfFired(behaviour: Behaviour, terms: SignalContext): boolean {
  const { calls, callsOfCaller, sold, elapsedMs, isAsker } = behaviour;
  const { hasDevice, isTrusted, callerIsDevice, channel } = terms;
  if (calls <= WEAK_SIGNALS_ABOVE) return false;
  const isOneCaller = isAsker && (!callerIsDevice || callsOfCaller > WEAK_SIGNALS_ABOVE);
  if (!isOneCaller) return false;
  const isFast = elapsedMs < FAST_RENDER_MS;
  const isAllRendered = sold >= WEAK_SIGNALS_ABOVE && calls >= ALL_RENDERED * sold;
  if (!isTrusted) return !hasDevice || (isFast && isAllRendered);
  return channel === 'client' && callerIsDevice && !hasDevice && isFast && isAllRendered;
}
