import type { Context } from 'koa';
import { parseIp } from '#edge/addresses/ip-address';
import { plainAddress } from '#edge/addresses/plain-address';
import type { BidRequest } from '#exchange/openrtb/bid-request';
import type { Device } from '#exchange/openrtb/fields/device';
import { type Mutable, shallowCopy } from '#exchange/openrtb/shallow-copy';
import { clientHints } from './client-hints.ts';

type Headers = Context['req']['headers'];

/** The connection of a page that asks for ads itself, with what it says of the viewer's device. */
export interface BrowserConnection {
  /** As the socket or the outermost of the exchange's own proxies saw it; '' when unknown. */
  readonly address: string;
  readonly userAgent: string | undefined;
  readonly headers: Headers;
}

/** A call with an `Origin` was made by a page, whose browser is the viewer's device; null for a server's call. */
export function browserConnection(ctx: Context): BrowserConnection | null {
  const { headers } = ctx.req;
  if (headers.origin === undefined) return null;
  return { address: plainAddress(ctx.ip), userAgent: headers['user-agent'] || undefined, headers };
}

/** Accept-Language (RFC 9110 §12.5.4): the primary subtag of its first range, ISO 639. */
const FIRST_LANGUAGE = /^\s*([a-z]{2,3})(?![a-z])/i;

/**
 * Fills in what the request's `device` leaves out: address, user agent, language and client hints (OpenRTB 2.6
 * §3.2.18), from the browser's own headers. A page cannot know its own address. Stated fields stay; the argument is not
 * changed.
 */
export function withBrowserDevice(request: BidRequest, connection: BrowserConnection): BidRequest {
  const stated: Device & { readonly langb?: unknown } = request.device ?? {};
  const device: Mutable<Device> = shallowCopy(stated);
  const { address, userAgent, headers } = connection;
  if (address !== '' && !isAddress(stated.ip) && !isAddress(stated.ipv6)) {
    if (address.includes(':')) {
      device.ipv6 = address;
      // A malformed address would be screened, and sent to bidders, beside the real one.
      if (stated.ip !== undefined) delete device.ip;
    } else {
      device.ip = address;
      if (stated.ipv6 !== undefined) delete device.ipv6;
    }
  }
  if (!stated.ua && userAgent !== undefined) device.ua = userAgent;
  if (!stated.language && !stated.langb) {
    const language = FIRST_LANGUAGE.exec(headers['accept-language'] ?? '')?.[1]?.toLowerCase();
    if (language !== undefined) device.language = language;
  }
  if (stated.sua === undefined) {
    const hints = clientHints(headers as Readonly<Record<string, string | undefined>>);
    if (hints !== null) device.sua = hints;
  }
  return { ...request, device };
}

function isAddress(stated: string | undefined): boolean {
  return stated !== undefined && parseIp(stated) !== null;
}
