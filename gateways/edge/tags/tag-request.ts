import type { PublisherProjection } from '#actors/publisher/fields';
import { userAgentKind } from '#exchange/invalid-traffic/user-agent-kind';
import type { BidRequest } from '#exchange/openrtb/bid-request';
import { deviceOfUserAgent } from '#exchange/openrtb/device-of-user-agent';
import type { Device } from '#exchange/openrtb/fields/device';
import type { Imp } from '#exchange/openrtb/fields/imp';
import type { App, Content, Site } from '#exchange/openrtb/fields/inventory';
import type { Regs } from '#exchange/openrtb/fields/regs';
import type { User } from '#exchange/openrtb/fields/user';
import { ApiError } from '../../errors.ts';
import { withoutUndefined } from './defined.ts';
import type { TagQuery } from './query.ts';

/** Headers of the browser or player, which apply where the query says nothing. */
export interface TagCaller {
  readonly userAgent: string | undefined;
  readonly address: string | undefined;
  /** The device that a server calls for (VAST 4.2 §1.7: `X-Device-IP`, `X-Device-User-Agent`). */
  readonly deviceAddress: string | undefined;
  readonly deviceUserAgent: string | undefined;
  readonly referrer: string | undefined;
}

export type TagPublisher = Pick<PublisherProjection, 'id' | 'name' | 'domain' | 'type' | 'confidential'>;

/** AdCOM 1.0, List: Device Types. */
const CONNECTED_TV = 3;
const DEVICE_TYPES = 8;

/** Parameters that only one kind of inventory has. */
const OF_APPS = ['app_bundle', 'app_name', 'app_store_url'];
const OF_SITES = ['page', 'ref'];

/**
 * The OpenRTB request of a tag. `ip` and `ua` are the viewer's, for servers that call on a viewer's behalf. Throws
 * INVALID_PARAMS, with the parameter's name, for invalid values.
 */
export function tagRequest(
  id: string,
  publisher: TagPublisher,
  imp: Imp,
  query: TagQuery,
  caller: TagCaller,
): BidRequest {
  return withoutUndefined({
    id,
    imp: [imp],
    ...siteOrApp(publisher, query, caller.referrer),
    device: device(publisher, query, caller),
    user: user(query),
    regs: regs(query),
    test: query.flag('test'),
    at: 1,
    cur: ['USD'],
  }) as BidRequest;
}

function siteOrApp(
  { id, name, domain: registered, type, confidential }: TagPublisher,
  query: TagQuery,
  referrer: string | undefined,
): Pick<BidRequest, 'site' | 'app'> {
  const foreign = (type === 'web' ? OF_APPS : OF_SITES).find((parameter) => query.text(parameter) !== undefined);
  if (foreign !== undefined) {
    const kind = type === 'web' ? 'a website' : 'an app';
    throw new ApiError('INVALID_PARAMS', `The publisher is ${kind}, which has no ${foreign}.`, foreign);
  }
  const publisher = { id, name };
  const domain = confidential ? undefined : registered;
  const contained = content(query);
  if (type === 'web') {
    const page = query.text('page') ?? referrer;
    return {
      site: withoutUndefined({ id, domain, page, ref: query.text('ref'), publisher, content: contained }) as Site,
    };
  }
  const app = withoutUndefined({
    id,
    name: query.text('app_name'),
    bundle: query.text('app_bundle') ?? domain,
    storeurl: query.text('app_store_url'),
    publisher,
    content: contained,
  });
  return { app: app as App };
}

/** OpenRTB 2.6 §3.2.16; absent where the tag says nothing of it. */
function content(query: TagQuery): Content | undefined {
  const stated = withoutUndefined({
    id: query.text('content_id'),
    title: query.text('content_title'),
    series: query.text('content_series'),
    season: query.text('content_season'),
    episode: query.integer('content_episode'),
    genre: query.text('content_genre'),
    contentrating: query.text('content_rating'),
    cat: query.texts('content_cat'),
    len: query.integer('content_len'),
    livestream: query.flag('content_livestream'),
    language: query.text('content_language'),
    url: query.text('content_url'),
  });
  return Object.keys(stated).length === 0 ? undefined : (stated as Content);
}

function device({ type }: TagPublisher, query: TagQuery, caller: TagCaller): Device {
  const userAgent = query.text('ua') ?? caller.deviceUserAgent;
  const stated = query.address('ip') ?? caller.deviceAddress;
  // A server's own address is no device's: bidders would take it for the viewer's.
  const address = stated ?? (isServer(caller, userAgent) ? undefined : caller.address);
  const ifa = query.text('ifa');
  const ifaType = query.text('ifa_type');
  if (ifaType !== undefined && query.raw('ifa') === undefined) {
    throw new ApiError('INVALID_PARAMS', 'ifa_type says what ifa is: give both.', 'ifa_type');
  }
  const ua = userAgent ?? caller.userAgent;
  const described = ua === undefined ? null : deviceOfUserAgent(ua, type === 'ctv');
  return withoutUndefined({
    ua,
    ...(address?.includes(':') ? { ipv6: address } : { ip: address }),
    devicetype:
      query.integer('device_type', 1, DEVICE_TYPES) ??
      described?.devicetype ??
      (type === 'ctv' ? CONNECTED_TV : undefined),
    make: query.text('device_make') ?? described?.make,
    model: query.text('device_model'),
    os: query.text('device_os') ?? described?.os,
    osv: query.text('device_osv'),
    language: query.text('device_language'),
    lmt: query.flag('lmt'),
    dnt: query.flag('dnt'),
    ifa,
    // IAB Tech Lab, Identifier for Advertising Guidelines: aaid, idfa, rida, tifa …
    ext: ifa === undefined || ifaType === undefined ? undefined : { ifa_type: ifaType },
  }) as Device;
}

/** Servers that stitch ads into streams call for devices: with the device's user agent, or with their own program's. */
function isServer({ userAgent, deviceUserAgent }: TagCaller, stated: string | undefined): boolean {
  if (deviceUserAgent !== undefined) return true;
  if (stated !== undefined && stated !== userAgent) return true;
  return userAgentKind(userAgent ?? '') === 'program';
}

function user(query: TagQuery): User | undefined {
  const consent = query.signal('gdpr_consent');
  return consent === undefined ? undefined : { consent };
}

function regs(query: TagQuery): Regs {
  return withoutUndefined({
    coppa: query.flag('coppa'),
    gdpr: query.flag('gdpr'),
    us_privacy: query.text('us_privacy'),
    gpp: query.signal('gpp'),
    gpp_sid: query.integers('gpp_sid', -1),
  }) as Regs;
}
