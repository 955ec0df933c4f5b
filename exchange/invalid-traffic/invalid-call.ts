import type { BillingNotice } from './billing-notice.ts';
import type { DeviceFamily } from './device-family.ts';
import type { InvalidReason } from './invalid-reason.ts';
import type { UserAgentKind } from './user-agent-kind.ts';
import { type Behaviour, isSelfFired } from './weak-signals.ts';

/**
 * The caller that a tracking URL was made for: the viewer's device, which finds it in markup, or a server, which gets
 * it as `burl`.
 */
export type SignedChannel = 'client' | 'server';

/** The device that calls, or on whose behalf a server calls. Null fields are not known. */
export interface DeviceFacts {
  readonly kind: UserAgentKind;
  readonly isBot: boolean;
  readonly isInDataCentre: boolean;
  readonly family: DeviceFamily | null;
  /** ISO 3166-1 alpha-3. */
  readonly country: string | null;
  /** Whether it is in the network of the ad request's device. */
  readonly isInNetwork: boolean | null;
}

/** The ad request that led to the sale. */
export interface RequestFacts {
  readonly hasDevice: boolean;
  readonly isKeyed: boolean;
  readonly isVerified: boolean;
  /** Whether it came from a tag, which the viewer's device calls itself. */
  readonly isTag: boolean;
  readonly family: DeviceFamily | null;
  readonly country: string | null;
}

/** One authentic call for an impression. */
export interface ImpressionCall {
  readonly declared: BillingNotice;
  /** The channel in the URL; null for URLs of release 0.4, which were the same for both. */
  readonly signed: SignedChannel | null;
  readonly sandbox: boolean;
  readonly caller: DeviceFacts;
  /** The device of the headers `X-Device-IP` and `X-Device-User-Agent`; null without them. */
  readonly forwarded: DeviceFacts | null;
  /** Null where the URL says nothing about the request. */
  readonly request: RequestFacts | null;
  /** Whether the caller's address made more calls than allowed. */
  readonly isBurst: boolean;
  /** Null where weak signals are not evaluated. */
  readonly behaviour: Behaviour | null;
}

/**
 * The channel by which a call is judged: a viewer's device or a server. The server of a source that uses both may call
 * the pixel of the markup (specification, Impression tracking); a program's user agent or a forwarded device shows it.
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
 * The reason why a call is invalid traffic, or null: general invalid traffic by the rules of the MRC and the TAG.
 * docs/invalid-traffic.md describes the rules. In the sandbox a developer's programs call, so only crawlers and
 * channels are judged there.
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
  // Two devices of one household may differ: an ad that one requests may be shown on the other.
  if (device.isInNetwork !== true && differ(device.family, request.family)) return 'other-device';
  return null;
}

/** Whether two known values differ; an unknown value differs from nothing. */
function differ(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && one !== other;
}

function isSelfFiredCall({ behaviour, request, caller }: ImpressionCall, channel: SignedChannel): boolean {
  // A tag's request comes from the device that shows its ad.
  if (behaviour === null || request === null || request.isTag) return false;
  const isTrusted = request.isKeyed || request.isVerified;
  const { hasDevice } = request;
  return isSelfFired(behaviour, { isTrusted, hasDevice, channel, callerIsDevice: caller.kind === 'device' });
}
