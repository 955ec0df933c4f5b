import type { Behaviour } from '../../../exchange/invalid-traffic/weak-signals.ts';
import type { IpAddress } from '../../http/ip-address.ts';
import { fingerprint } from '../screening/fingerprint.ts';
import { HourlyCounts } from './hourly-counts.ts';

/** Sources, and pairs of a source and a caller, that an edge counts: 3 MB and 13 MB at most. */
const SOURCES_KEPT = 50_000;
const CALLERS_KEPT = 200_000;

/** What this edge has seen of sources in this hour: live sales and calls, by fingerprints that another process makes otherwise. */
export class SourceBehaviour {
  readonly #sold: HourlyCounts;
  readonly #calls: HourlyCounts;
  readonly #callers: HourlyCounts;

  /** Times are of a clock that is never set. */
  constructor(nowMs: number) {
    this.#sold = new HourlyCounts(SOURCES_KEPT, nowMs);
    this.#calls = new HourlyCounts(SOURCES_KEPT, nowMs);
    this.#callers = new HourlyCounts(CALLERS_KEPT, nowMs);
  }

  sold(publisherId: string, nowMs: number): void {
    this.#sold.add(fingerprint(publisherId), nowMs);
  }

  /** Counts a call; the result is without what it does not know. */
  called(publisherId: string, caller: IpAddress, nowMs: number): Omit<Behaviour, 'elapsedMs' | 'isAsker'> {
    const source = fingerprint(publisherId);
    const calls = this.#calls.add(source, nowMs);
    const callsOfCaller = this.#callers.add(fingerprint(callerName(publisherId, caller)), nowMs);
    return { calls, callsOfCaller, sold: this.#sold.of(source, nowMs) };
  }
}

/** By what one customer has at least: an address of IPv4, a /64 of IPv6. */
function callerName(publisherId: string, caller: IpAddress): string {
  return 'v4' in caller ? `${publisherId} ${caller.v4}` : `${publisherId} ${caller.v6[0]}:${caller.v6[1]}`;
}
