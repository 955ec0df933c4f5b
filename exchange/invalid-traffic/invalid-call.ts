import type { BillingNotice } from './billing-notice.ts';
import type { DeviceFamily } from './device-family.ts';
import type { InvalidReason } from './invalid-reason.ts';
import type { UserAgentKind } from './user-agent-kind.ts';
import { type Behaviour, isSelfFired } from './weak-signals.ts';

/** Whom a tracking URL was made for: the viewer's device, which finds it in markup, or a server, which is told it as `burl`. */
export type SignedChannel = 'client' | 'server';

/** Who calls, or the device on whose behalf. What is not known is null. */
export interface DeviceFacts {
  readonly kind: UserAgentKind;
  readonly isBot: boolean;
  readonly isInDataCentre: boolean;
  readonly family: DeviceFamily | null;
  /** ISO 3166-1 alpha-3. */
  readonly country: string | null;
  /** In the network of the ad request's device. */
  readonly isInNetwork: boolean | null;
}

/** The ad request that was sold. */
export interface RequestFacts {
  readonly hasDevice: boolean;
  readonly isKeyed: boolean;
  readonly isVerified: boolean;
  /** A tag's, which the viewer's device makes itself. */
  readonly isTag: boolean;
  readonly family: DeviceFamily | null;
  readonly country: string | null;
}

/** One true call for an impression. */
export interface ImpressionCall {
  readonly declared: BillingNotice;
  /** Null for URLs of release 0.4, which were the same for both. */
  readonly signed: SignedChannel | null;
  readonly sandbox: boolean;
  readonly caller: DeviceFacts;
  /** The device of the headers `X-Device-IP` and `X-Device-User-Agent`; null without them. */
  readonly forwarded: DeviceFacts | null;
  /** Null where the URL says nothing of it. */
  readonly request: RequestFacts | null;
  /** More calls came from the caller's address than one may make. */
  readonly isBurst: boolean;
  /** Null where weak signals are not looked for. */
  readonly behaviour: Behaviour | null;
}

/**
 * As what a call is judged: that of a viewer's device, or of a server. A source that uses both may have its server call the pixel of the
 * markup (specification, Impression tracking), which shows by a program's user agent or by a forwarded device.
 */
export function channelOf(
  { declared, signed }: Pick<ImpressionCall, 'declared' | 'signed'>,
  callerKind: UserAgentKind,
  isForwarded: boolean,
): SignedChannel {
  if (signed === 'server') return 'server';
  if (declared === 'client') return 'client';
  return callerKind === 'program' || isForwarded ? 'server' : 'client';
}

/**
 * Why a call is invalid traffic, or null: general invalid traffic by the rules of the MRC and the TAG. docs/invalid-traffic.md says
 * it in words. In the sandbox a developer's programs call: only crawlers and channels are looked at there.
 */
export function invalidCallReason(call: ImpressionCall): InvalidReason | null {
  const { declared, signed, sandbox, caller, forwarded, request } = call;
  if (caller.kind === 'crawler' || forwarded?.kind === 'crawler') return 'named-crawler';
  if (signed !== null && declared !== 'both' && declared !== signed) return 'undeclared-channel';
  if (sandbox) return null;
  const channel = channelOf(call, caller.kind, forwarded !== null);
  const device = channel === 'client' ? caller : forwarded;
  const reason = device === null ? null : deviceReason(device, request);
  if (reason !== null) return reason;
  if (channel === 'client' && call.isBurst) return 'address-burst';
  return isSelfFiredCall(call, channel) ? 'self-fired' : null;
}

function deviceReason(device: DeviceFacts, request: RequestFacts | null): InvalidReason | null {
  if (device.isBot) return 'bot-user-agent';
  if (device.isInDataCentre) return 'data-centre';
  if (request === null) return null;
  if (differ(device.country, request.country)) return 'other-country';
  // Two devices of one household: what is asked for on one may be shown on the other.
  if (device.isInNetwork !== true && differ(device.family, request.family)) return 'other-device';
  return null;
}

/** What is not known differs from nothing. */
function differ(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && one !== other;
}

function isSelfFiredCall({ behaviour, request, caller }: ImpressionCall, channel: SignedChannel): boolean {
  // A tag's request is made by the device that shows its ad.
  if (behaviour === null || request === null || request.isTag) return false;
  const isTrusted = request.isKeyed || request.isVerified;
  const { hasDevice } = request;
  return isSelfFired(behaviour, { isTrusted, hasDevice, channel, callerIsDevice: caller.kind === 'device' });
}
