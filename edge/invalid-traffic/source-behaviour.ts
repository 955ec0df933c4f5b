import type { Behaviour } from '../../exchange/invalid-traffic/weak-signals.ts';
import type { IpAddress } from '../addresses/ip-address.ts';
import { customerNetworkKey } from '../screening/customer-of.ts';
import { fingerprint } from '../screening/fingerprint.ts';
import { HourlyCounts } from './hourly-counts.ts';

/** Sources, and pairs of a source and a caller, that an edge counts: 3 MB and 13 MB at most. */
const SOURCES_KEPT = 50_000;
const CALLERS_KEPT = 200_000;
const CUSTOMERS = 2 ** 32;
const SOURCES = 2 ** 21;

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

  onSold(publisherId: string, nowMs: number): void {
    this.#sold.add(fingerprint(publisherId), nowMs);
  }

  /** Counts a call. */
  onCall(publisherId: string, caller: IpAddress, isAsker: boolean, elapsedMs: number, nowMs: number): Behaviour {
    const source = fingerprint(publisherId);
    const calls = this.#calls.add(source, nowMs);
    // A caller's own calls count only where it asked, too.
    const callsOfCaller = isAsker ? this.#callers.add(sourceCustomerKey(source, customerNetworkKey(caller)), nowMs) : 0;
    return { calls, callsOfCaller, sold: this.#sold.get(source, nowMs), elapsedMs, isAsker };
  }
}

/** 32 bits of a customer and 21 of a source. */
function sourceCustomerKey(source: number, customer: number): number {
  return (customer % CUSTOMERS) + CUSTOMERS * (source % SOURCES);
}
