import { unescape as percentDecoded } from 'node:querystring';
import type { DspView } from '../../actors/dsp/view.ts';
import { namesForbiddenAddress, publicLookup } from '../http/address-guard.ts';
import { Connections } from './connections.ts';
import type { BidderSettings } from './settings.ts';

/** Where bids are asked for. */
export interface Endpoint {
  readonly connections: Connections;
  readonly path: string;
  readonly headers: string[];
}

/** Null when the URL cannot or may not be called. */
export function openEndpoint(dsp: DspView, settings: BidderSettings): Endpoint | null {
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
  const connections = new Connections(url.origin, {
    pipelining: 1,
    keepAliveTimeout: settings.keepAliveMs,
    connect: {
      timeout: settings.connectTimeoutMs,
      ...(settings.allowPrivateNetworks ? {} : { lookup: publicLookup }),
    },
    // The auction's own deadline ends a call; a timer of the client's per request would only cost.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return { connections, path: url.pathname + url.search, headers };
}

/** RFC 7617. `percentDecoded` forgives a percent sign that begins no escape, which a URL may hold. */
function basicCredentials({ username, password }: URL): string {
  return `Basic ${Buffer.from(`${percentDecoded(username)}:${percentDecoded(password)}`).toString('base64')}`;
}
