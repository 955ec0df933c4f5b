import type { BlockReason } from '../../exchange/fraud/block-reason.ts';
import { identityMismatch } from '../../exchange/fraud/identity.ts';
import type { Device } from '../../exchange/openrtb/fields/device.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import { type IpAddress, parseIp } from '../addresses/ip-address.ts';
import type { AuctionContext } from '../auction-context.ts';
import { NumberTable } from '../number-table.ts';
import { AddressScreening } from './addresses.ts';
import { BotDetector } from './bots.ts';
import { customerNetworkKey } from './customer-of.ts';
import { deviceIdOf } from './device-id.ts';
import { fingerprint } from './fingerprint.ts';
import { GenerationalCache } from './generations.ts';
import { blocked, type RefusalDeps } from './refuse-request.ts';
import type { ScreeningSettings } from './settings.ts';
import { TokenBuckets } from './token-buckets.ts';

/** Value stored for an id that was seen. */
const SEEN = 1;

/** The parts of an ad request that screening reads. */
export type ScreenedRequest = Pick<
  AuctionContext,
  'request' | 'publisher' | 'pool' | 'sandbox' | 'askedBy' | 'verified'
>;

/** Decides whether an ad request may reach the auction (specification, "Fraud filtering"). */
export interface Screening {
  /** The reason to answer 403, or null. Plain memory; every request is screened before any DSP gets it. */
  blockReason(context: ScreenedRequest): BlockReason | null;
  /**
   * The name of a request among its publisher's: its id and its imps, as adapters send one request for each imp under
   * the same id. Null where repeats are allowed: in the sandbox, and without a replay window.
   */
  replayKeyOf(context: ScreenedRequest): number | null;
  /** Whether a request of that name was made before; from now on, it counts as made. For ids that callers choose. */
  isReplay(name: number): boolean;
  /** Forgets a request that got no answer, so that it may be repeated. */
  forget(name: number): void;
}

export interface ScreeningDeps extends RefusalDeps {
  readonly screening: Screening;
}

/** Throws FORBIDDEN for an ad request that must not be auctioned, and counts it by its reason. */
export function screenRequest(deps: ScreeningDeps, context: AuctionContext): void {
  const reason = deps.screening.blockReason(context);
  if (reason !== null) throw blocked(deps, context, reason);
}

/** Throws FORBIDDEN for a replay: a `name`, made of the id that the caller chose, is good for one auction. */
export function refuseReplayed(deps: ScreeningDeps, context: AuctionContext, name: number): void {
  if (deps.screening.isReplay(name)) throw blocked(deps, context, 'replayed-request');
}

/**
 * Screens by what this edge alone knows. Sandbox requests come from developers: they must name the right site, and may
 * otherwise be made by a program, from a desk, at any rate.
 */
export class RequestScreening implements Screening {
  readonly #clock: Clock;
  readonly #addresses: AddressScreening;
  readonly #bots = new BotDetector();
  /** Null where there is no limit. */
  readonly #addressRates: TokenBuckets | null;
  readonly #deviceRates: TokenBuckets | null;
  readonly #callerRates: TokenBuckets | null;
  readonly #ids: GenerationalCache<number, number> | null;

  constructor(settings: ScreeningSettings, clock: Clock) {
    const nowMs = clock.monotonic();
    const { maxRequestsPerSecondPerAddress, maxRequestsPerSecondPerDevice, maxRatesKept } = settings;
    const { replayWindowMs, maxIdsKept, maxKeylessRequestsPerSecondPerAddress } = settings;
    const rates = (perSecond: number) => (perSecond > 0 ? new TokenBuckets(perSecond, maxRatesKept, nowMs) : null);
    this.#clock = clock;
    this.#addresses = new AddressScreening(settings);
    this.#addressRates = rates(maxRequestsPerSecondPerAddress);
    this.#deviceRates = rates(maxRequestsPerSecondPerDevice);
    this.#callerRates = rates(maxKeylessRequestsPerSecondPerAddress);
    const idTable = () => new NumberTable();
    this.#ids = replayWindowMs > 0 ? new GenerationalCache(replayWindowMs, maxIdsKept, nowMs, idTable) : null;
  }

  blockReason(context: ScreenedRequest): BlockReason | null {
    const { request, publisher, pool, sandbox, askedBy, verified } = context;
    const { domain, identities = [] } = publisher;
    const mismatch = identityMismatch(request, { domain, identities });
    if (mismatch !== null || sandbox) return mismatch;
    if (pool?.requireVerified && !verified) return 'unverified-supply';
    const { device } = request;
    if (device === undefined) return askedBy.isKeyed ? null : this.#callerFlood(askedBy.address);
    const v4 = addressOf(device.ip);
    const v6 = addressOf(device.ipv6);
    const refusal = (v4 && this.#addresses.blockReason(v4)) ?? (v6 && this.#addresses.blockReason(v6));
    if (refusal !== null) return refusal;
    if (this.#bots.isBotRequest(request)) return 'bot';
    // For a server's tag that names no device address, only the caller's own address can be counted.
    if (askedBy.isTag && v4 === null && v6 === null) {
      const flood = this.#callerFlood(askedBy.address);
      if (flood !== null) return flood;
    }
    return this.#flood(device, v4 ?? v6);
  }

  replayKeyOf({ publisher, request, sandbox }: ScreenedRequest): number | null {
    if (this.#ids === null || sandbox) return null;
    return fingerprint(`${publisher.id} ${request.id} ${JSON.stringify(request.imp)}`);
  }

  isReplay(name: number): boolean {
    if (this.#ids === null) return false;
    const nowMs = this.#clock.monotonic();
    if (this.#ids.get(name, nowMs) !== undefined) return true;
    this.#ids.put(name, SEEN, nowMs);
    return false;
  }

  forget(name: number): void {
    this.#ids?.remove(name);
  }

  /** Limits callers without a key whose request names no device: only their address is known. */
  #callerFlood(stated: string): BlockReason | null {
    const address = addressOf(stated);
    if (address === null || this.#callerRates === null) return null;
    return this.#callerRates.take(customerNetworkKey(address), this.#clock.monotonic()) ? null : 'caller-flood';
  }

  /** A request over one limit is not counted towards the other. */
  #flood(device: Device, address: IpAddress | null): BlockReason | null {
    const nowMs = this.#clock.monotonic();
    const deviceId = deviceIdOf(device);
    if (deviceId !== null && this.#deviceRates?.take(fingerprint(deviceId), nowMs) === false) return 'device-flood';
    if (address !== null && this.#addressRates?.take(customerNetworkKey(address), nowMs) === false)
      return 'address-flood';
    return null;
  }
}

/** Null for a missing or malformed address: it is no evidence against a request. */
function addressOf(stated: string | undefined): IpAddress | null {
  return stated === undefined ? null : parseIp(stated);
}
