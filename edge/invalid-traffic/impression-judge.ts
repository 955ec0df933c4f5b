import type { PublisherProjection } from '../../actors/publisher/fields.ts';
import { DEFAULT_BILLING_NOTICE } from '../../exchange/invalid-traffic/billing-notice.ts';
import { channelOf, type DeviceFacts, invalidCallReason } from '../../exchange/invalid-traffic/invalid-call.ts';
import type { InvalidReason } from '../../exchange/invalid-traffic/invalid-reason.ts';
import type { Behaviour } from '../../exchange/invalid-traffic/weak-signals.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import { type IpAddress, parseIp } from '../addresses/ip-address.ts';
import type { Networks } from '../addresses/network-set.ts';
import { plainAddress } from '../addresses/plain-address.ts';
import type { ImpressionCaller } from '../impressions/impression-caller.ts';
import { isPublic } from '../screening/addresses.ts';
import { customerNetworkKey } from '../screening/customer-of.ts';
import { TokenBuckets } from '../screening/token-buckets.ts';
import type { SignedOrigin } from '../tracking/request-origin.ts';
import type { Verified } from '../tracking/verify.ts';
import type { InvalidTrafficSettings } from './settings.ts';
import { SourceBehaviour } from './source-behaviour.ts';
import { type UserAgent, UserAgentClassifier } from './user-agents.ts';

/** Upper bound of addresses whose bursts are remembered; beyond it, those that were quiet longest are forgotten. */
const BURSTS_KEPT = 200_000;

/** The fields of a publisher that a verdict reads. */
export type DetectorPublisher = Pick<PublisherProjection, 'type' | 'billingNotice'>;

export interface JudgeDeps {
  readonly settings: InvalidTrafficSettings;
  readonly clock: Clock;
  /** Undefined for a publisher that this edge does not know. */
  readonly publisher: (id: string) => DetectorPublisher | undefined;
  /** ISO 3166-1 alpha-3; null for an address of unknown country. Absent where countries are not compared. */
  readonly countryOf?: (address: IpAddress) => string | null;
}

/**
 * Judges calls for impressions by what this edge knows: in memory, bounded, in some microseconds. It stores no address
 * and no user agent with a verdict; frequent user agents are cached by their texts, without any person.
 */
export class InvalidTrafficDetector {
  readonly #deps: JudgeDeps;
  readonly #blocked: Networks;
  readonly #userAgents = new UserAgentClassifier();
  readonly #behaviour: SourceBehaviour;
  /** Null where there is no limit. */
  readonly #bursts: TokenBuckets | null;

  constructor(deps: JudgeDeps) {
    const { settings, clock } = deps;
    const nowMs = clock.monotonic();
    this.#deps = deps;
    this.#blocked = settings.blockedNetworks;
    this.#behaviour = new SourceBehaviour(nowMs);
    const perSecond = settings.maxImpressionsPerSecondPerAddress;
    this.#bursts = perSecond > 0 ? new TokenBuckets(perSecond, BURSTS_KEPT, nowMs) : null;
  }

  /** Called when a live ad was sold for the publisher. */
  onSold(publisherId: string): void {
    this.#behaviour.onSold(publisherId, this.#deps.clock.monotonic());
  }

  /** The reason why a call is invalid traffic, or null. */
  detect({ sale, channel: signed, origin }: Verified, caller: ImpressionCaller): InvalidReason | null {
    const { publisherId, sandbox } = sale;
    const publisher = this.#deps.publisher(publisherId);
    const declared = publisher?.billingNotice ?? DEFAULT_BILLING_NOTICE;
    const isInApp = publisher !== undefined && publisher.type !== 'web';
    const agent = this.#userAgents.classify(caller.userAgent);
    const address = parseIp(plainAddress(caller.address));
    const forwarded = this.#forwarded(caller, isInApp, origin);
    const isDevice = channelOf({ declared, signed }, agent.kind, forwarded !== null) === 'client';
    const nowMs = this.#deps.clock.monotonic();
    return invalidCallReason({
      declared,
      signed,
      sandbox,
      // The place of a server is no evidence.
      caller: this.#facts(agent, isDevice ? address : null, isInApp, origin),
      forwarded,
      request: origin,
      isBurst: isDevice && !sandbox && this.#isBurst(address, nowMs),
      behaviour: sandbox ? null : this.#behaviourOf(sale, address, origin, nowMs),
    });
  }

  #forwarded(caller: ImpressionCaller, isInApp: boolean, origin: SignedOrigin | null): DeviceFacts | null {
    const { deviceAddress, deviceUserAgent } = caller;
    if (deviceAddress === null && deviceUserAgent === null) return null;
    const address = deviceAddress === null ? null : parseIp(plainAddress(deviceAddress.trim()));
    const agent = deviceUserAgent === null ? NAMELESS : this.#userAgents.classify(deviceUserAgent);
    return this.#facts(agent, address, isInApp, origin);
  }

  #facts(
    { kind, family, isBotInApp, isBotInBrowser }: UserAgent,
    address: IpAddress | null,
    isInApp: boolean,
    origin: SignedOrigin | null,
  ): DeviceFacts {
    const { countryOf } = this.#deps;
    const isBot = isInApp ? isBotInApp : isBotInBrowser;
    const isCompared = address !== null && origin !== null;
    return {
      kind,
      family,
      isBot: isBot && !this.#isDevelopers(address, origin),
      isInDataCentre: address !== null && this.#blocked.has(address),
      country: isCompared && origin.country !== null && countryOf !== undefined ? countryOf(address) : null,
      isInNetwork: isCompared ? origin.isInNetwork(address) : null,
    };
  }

  /**
   * Whether it is a browser on a developer's desk that asked by a tag, which only a browser with a screen may do.
   * Frames of ads have an origin of their own, and those of an automated browser do not repeat what its pages were told
   * to say.
   */
  #isDevelopers(address: IpAddress | null, origin: SignedOrigin | null): boolean {
    if (address === null || origin === null || !origin.isTag || !this.#deps.settings.allowPrivateNetworks) return false;
    return !isPublic(address) && origin.isAsker(address) === true;
  }

  /** A private address is that of a proxy in between, not of a viewer. */
  #isBurst(address: IpAddress | null, nowMs: number): boolean {
    if (this.#bursts === null || address === null || !isPublic(address)) return false;
    return !this.#bursts.take(customerNetworkKey(address), nowMs);
  }

  #behaviourOf(
    { publisherId, issuedAtMs }: Verified['sale'],
    address: IpAddress | null,
    origin: SignedOrigin | null,
    nowMs: number,
  ): Behaviour | null {
    if (address === null || origin === null) return null;
    if (this.#deps.settings.allowPrivateNetworks && !isPublic(address)) return null;
    const isAsker = origin.isAsker(address) === true;
    return this.#behaviour.onCall(publisherId, address, isAsker, this.#deps.clock.now() - issuedAtMs, nowMs);
  }
}

const NAMELESS: UserAgent = { kind: 'device', family: null, isBotInBrowser: false, isBotInApp: false };
