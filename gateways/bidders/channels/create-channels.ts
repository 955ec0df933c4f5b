import type { DspProjection } from '#actors/dsp/fields';
import { parseUrl } from '#exchange/parse-url';
import type { Clock } from '#runtime/ports/clock';
import { namesForbiddenAddress } from '../../http/address-guard.ts';
import { basicCredentials } from '../../http/basic-credentials.ts';
import { undici } from '../../http/undici.ts';
import type { BidderSettings } from '../settings.ts';
import { InProcessChannels, isSyntheticUrl, syntheticBidderAt } from '../synthetic/in-process-channels.ts';
import type { ChannelPool } from './channel.ts';
import { SocketChannels } from './socket-channels.ts';
import { UndiciChannels } from './undici-channels.ts';

/**
 * The channels to a bidder; null when its URL cannot or may not be called. `random`: uniform in [0, 1), for the
 * synthetic demand.
 */
export function createChannels(
  dsp: DspProjection,
  settings: BidderSettings,
  clock: Clock,
  random: () => number = Math.random,
): ChannelPool | null {
  if (isSyntheticUrl(dsp.endpointUrl)) return createSyntheticChannels(dsp, settings, clock, random);
  const url = dsp.endpointUrl === null ? null : parseUrl(dsp.endpointUrl);
  if (url === null) return null;
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  if (!settings.allowPrivateNetworks && namesForbiddenAddress(url)) return null;
  // The library is loaded when a bidder becomes known, so that its first auction does not wait for that.
  undici();
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
  const credentials = basicCredentials(url);
  if (credentials !== null) headers.push('authorization', credentials);
  const { keepAliveMs, connectTimeoutMs, secureContext } = settings;
  const options = { policy: settings, connectTimeoutMs, keepAliveMs, ...(secureContext && { secureContext }) };
  return settings.httpClient === 'undici'
    ? new UndiciChannels(url, headers, options)
    : new SocketChannels(url, headers, options, clock);
}

/**
 * The synthetic demand bids in the sandbox only: in live auctions it would buy inventory that no advertiser pays for.
 */
function createSyntheticChannels(
  { endpointUrl, status }: DspProjection,
  { creativesUrl }: BidderSettings,
  clock: Clock,
  random: () => number,
): ChannelPool | null {
  const persona = status === 'sandbox' ? syntheticBidderAt(endpointUrl!) : null;
  return persona && new InProcessChannels(persona, creativesUrl, clock, random);
}
