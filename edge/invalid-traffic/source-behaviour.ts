import type { Behaviour } from '../../exchange/invalid-traffic/weak-signals.ts';
import type { IpAddress } from '../addresses/ip-address.ts';
import { customerNetworkKey } from '../screening/customer-of.ts';
import { fingerprint } from '../screening/fingerprint.ts';
import { HourlyCounts } from './hourly-counts.ts';

/**
 * Upper bounds of the publishers, and of the pairs of a publisher and a caller, that an edge counts: 3 MB and 13 MB at
 * most.
 */
const SOURCES_KEPT = 50_000;
const CALLERS_KEPT = 200_000;
const CUSTOMERS = 2 ** 32;
const SOURCES = 2 ** 21;

/** This edge's counts of publishers in this hour: live sales and calls, by fingerprints that differ in each process. */
export class SourceBehaviour {
  readonly #sold: HourlyCounts;
  readonly #calls: HourlyCounts;
  readonly #callers: HourlyCounts;

  /** Times are of a monotonic clock. */
  constructor(nowMs: number) {
    this.#sold = new HourlyCounts(SOURCES_KEPT, nowMs);
    this.#calls = new HourlyCounts(SOURCES_KEPT, nowMs);
    this.#callers = new HourlyCounts(CALLERS_KEPT, nowMs);
  }

  onSold(publisherId: string, nowMs: number): void {
    this.#sold.add(fingerprint(publisherId), nowMs);
  }

  /** Counts a call and returns the behaviour so far. */
  onCall(publisherId: string, caller: IpAddress, isAsker: boolean, elapsedMs: number, nowMs: number): Behaviour {
    const source = fingerprint(publisherId);
    const calls = this.#calls.add(source, nowMs);
    // A caller's own calls are counted only where it was also the requester.
    const callsOfCaller = isAsker ? this.#callers.add(sourceCustomerKey(source, customerNetworkKey(caller)), nowMs) : 0;
    return { calls, callsOfCaller, sold: this.#sold.get(source, nowMs), elapsedMs, isAsker };
  }
}

/** Joins 32 bits of a customer and 21 bits of a publisher. */
function sourceCustomerKey(source: number, customer: number): number {
  return (customer % CUSTOMERS) + CUSTOMERS * (source % SOURCES);
}
