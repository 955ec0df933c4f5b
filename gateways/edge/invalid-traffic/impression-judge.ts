import type { PublisherView } from '../../../actors/publisher/view.ts';
import { DEFAULT_BILLING_NOTICE } from '../../../exchange/invalid-traffic/billing-notice.ts';
import type { InvalidReason } from '../../../exchange/invalid-traffic/invalid-reason.ts';
import { channelOf, type DeviceFacts, judgeCall } from '../../../exchange/invalid-traffic/judge-call.ts';
import type { Behaviour } from '../../../exchange/invalid-traffic/weak-signals.ts';
import type { Clock } from '../../../runtime/ports/clock.ts';
import { type IpAddress, parseIp } from '../../http/ip-address.ts';
import { NetworkSet } from '../../http/network-set.ts';
import { isPublic } from '../screening/addresses.ts';
import { customerOf } from '../screening/customer-of.ts';
import { TokenBuckets } from '../screening/token-buckets.ts';
import type { ImpressionCaller } from '../tracking/impression-caller.ts';
import type { SignedOrigin } from '../tracking/request-origin.ts';
import type { Verified } from '../tracking/verify.ts';
import type { InvalidTrafficSettings } from './settings.ts';
import { SourceBehaviour } from './source-behaviour.ts';
import { type UserAgent, UserAgents } from './user-agents.ts';

/** Addresses whose bursts are remembered; beyond, those that were quiet longest are forgotten. */
const BURSTS_KEPT = 200_000;

/** What a verdict reads of a source. */
export type JudgedPublisher = Pick<PublisherView, 'type' | 'billingNotice'>;

export interface JudgeParts {
  readonly settings: InvalidTrafficSettings;
  readonly clock: Clock;
  /** Undefined for a source that is not known here. */
  readonly publisher: (id: string) => JudgedPublisher | undefined;
  /** ISO 3166-1 alpha-3; null for an address of which it is not known. Absent where nobody compares countries. */
  readonly countryOf?: (address: IpAddress) => string | null;
}

/**
 * Judges calls for impressions by what this edge knows. Memory alone, bounded, some microseconds. It keeps no address and no user
 * agent of a verdict; those user agents that come again and again are known by their texts, of nobody in particular.
 */
export class ImpressionJudge {
  readonly #parts: JudgeParts;
  readonly #blocked: NetworkSet;
  readonly #userAgents = new UserAgents();
  readonly #behaviour: SourceBehaviour;
  /** Null where there is no limit. */
  readonly #bursts: TokenBuckets | null;

  constructor(parts: JudgeParts) {
    const { settings, clock } = parts;
    const nowMs = clock.monotonic();
    this.#parts = parts;
    this.#blocked = new NetworkSet(settings.blockedNetworks);
    this.#behaviour = new SourceBehaviour(nowMs);
    const perSecond = settings.maxImpressionsPerSecondPerAddress;
    this.#bursts = perSecond > 0 ? new TokenBuckets(perSecond, BURSTS_KEPT, nowMs) : null;
  }

  /** A live ad was sold to the source. */
  sold(publisherId: string): void {
    this.#behaviour.sold(publisherId, this.#parts.clock.monotonic());
  }

  /** Why a call is invalid traffic, or null. */
  judge({ sale, channel: signed, origin }: Verified, caller: ImpressionCaller): InvalidReason | null {
    const { publisherId, sandbox } = sale;
    const publisher = this.#parts.publisher(publisherId);
    const declared = publisher?.billingNotice ?? DEFAULT_BILLING_NOTICE;
    const isInApp = publisher !== undefined && publisher.type !== 'web';
    const agent = this.#userAgents.of(caller.userAgent);
    const address = parseIp(caller.address);
    const forwarded = this.#forwarded(caller, isInApp, origin);
    const channel = channelOf({ declared, signed }, agent.kind, forwarded !== null);
    const isDevice = channel === 'client';
    const nowMs = this.#parts.clock.monotonic();
    return judgeCall({
      ...{ declared, signed, sandbox, forwarded },
      caller: this.#facts(agent, isDevice ? address : null, isInApp, origin),
      request: origin,
      isBurst: isDevice && !sandbox && this.#isBurst(address, nowMs),
      behaviour: sandbox ? null : this.#behaviourOf(sale, address, origin, nowMs),
    });
  }

  #forwarded(caller: ImpressionCaller, isInApp: boolean, origin: SignedOrigin | null): DeviceFacts | null {
    const { deviceAddress, deviceUserAgent } = caller;
    if (deviceAddress === null && deviceUserAgent === null) return null;
    const address = deviceAddress === null ? null : parseIp(deviceAddress.trim());
    if (deviceUserAgent === null) return { ...NAMELESS, ...this.#placeOf(address, origin) };
    return this.#facts(this.#userAgents.of(deviceUserAgent), address, isInApp, origin);
  }

  /** Where a server is says nothing, so that its address is not looked up. */
  #facts(
    { kind, family, isBotInApp, isBotInBrowser }: UserAgent,
    address: IpAddress | null,
    isInApp: boolean,
    origin: SignedOrigin | null,
  ): DeviceFacts {
    return { kind, family, isBot: isInApp ? isBotInApp : isBotInBrowser, ...this.#placeOf(address, origin) };
  }

  #placeOf(
    address: IpAddress | null,
    origin: SignedOrigin | null,
  ): Pick<DeviceFacts, 'isInDataCentre' | 'country' | 'isInNetwork'> {
    if (address === null) return NOWHERE;
    const isAsked = origin !== null && origin.country !== null;
    return {
      isInDataCentre: this.#blocked.has(address),
      country: isAsked ? (this.#parts.countryOf?.(address) ?? null) : null,
      isInNetwork: origin?.isInNetwork(address) ?? null,
    };
  }

  /** A private address is that of a proxy in between, and no viewer's. */
  #isBurst(address: IpAddress | null, nowMs: number): boolean {
    if (this.#bursts === null || address === null || !isPublic(address)) return false;
    return !this.#bursts.take(customerOf(address), nowMs);
  }

  #behaviourOf(
    { publisherId, issuedAtMs }: Verified['sale'],
    address: IpAddress | null,
    origin: SignedOrigin | null,
    nowMs: number,
  ): Behaviour | null {
    if (address === null || origin === null) return null;
    if (this.#parts.settings.allowPrivateNetworks && !isPublic(address)) return null;
    const seen = this.#behaviour.called(publisherId, address, nowMs);
    const isAsker = origin.isAsker(address) === true;
    return { ...seen, isAsker, elapsedMs: this.#parts.clock.now() - issuedAtMs };
  }
}

const NOWHERE = { isInDataCentre: false, country: null, isInNetwork: null };
const NAMELESS = { kind: 'device', isBot: false, family: null } as const;
