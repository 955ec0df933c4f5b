import { unescape as percentDecoded } from 'node:querystring';
import type { DspProjection } from '../../actors/dsp/fields.ts';
import type { Clock } from '../../runtime/ports/clock.ts';
import { namesForbiddenAddress } from '../http/address-guard.ts';
import { guardedConnect } from '../http/guarded-connect.ts';
import { type ChannelPool, ConnectionPool } from './connection-pool.ts';
import type { BidderSettings } from './settings.ts';
import { InProcessChannels, isSyntheticUrl, syntheticBidderAt } from './synthetic/in-process-channels.ts';

/** The endpoint of a bidder: its connections, with the path and headers of its bid requests. */
export interface Endpoint {
  readonly connections: ChannelPool;
  readonly path: string;
  readonly headers: string[];
}

/** Null when the URL cannot or may not be called. `random`: uniform in [0, 1), for the synthetic demand. */
export function createEndpoint(
  dsp: DspProjection,
  settings: BidderSettings,
  clock: Clock,
  random: () => number = Math.random,
): Endpoint | null {
  if (isSyntheticUrl(dsp.endpointUrl)) return createSyntheticEndpoint(dsp, settings, clock, random);
  if (dsp.endpointUrl === null || !URL.canParse(dsp.endpointUrl)) return null;
  const url = new URL(dsp.endpointUrl);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  if (!settings.allowPrivateNetworks && namesForbiddenAddress(url)) return null;
  const headers = [
    'content-type',
    'application/json',
    'accept',
    'application/json',
    'accept-encoding',
    'gzip',
    'x-openrtb-version',
    dsp.openrtbVersion,
  ];
  if (url.username) headers.push('authorization', basicCredentials(url));
  const connections = new ConnectionPool(url.origin, {
    pipelining: 1,
    keepAliveTimeout: settings.keepAliveMs,
    connect: guardedConnect(settings, settings.connectTimeoutMs),
    // The auction's own deadline ends a call; the client's timers per request would only cost time.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return { connections, path: url.pathname + url.search, headers };
}

/**
 * The synthetic demand bids in the sandbox only: in live auctions it would buy inventory that no advertiser pays for.
 */
function createSyntheticEndpoint(
  { endpointUrl, status }: DspProjection,
  { creativesUrl }: BidderSettings,
  clock: Clock,
  random: () => number,
): Endpoint | null {
  const persona = status === 'sandbox' ? syntheticBidderAt(endpointUrl!) : null;
  return (
    persona && {
      connections: new InProcessChannels(persona, creativesUrl, clock, random),
      path: persona.path,
      headers: [],
    }
  );
}

/** RFC 7617. `percentDecoded` accepts a percent sign that begins no escape, which a URL may contain. */
function basicCredentials({ username, password }: URL): string {
  return `Basic ${Buffer.from(`${percentDecoded(username)}:${percentDecoded(password)}`).toString('base64')}`;
}
