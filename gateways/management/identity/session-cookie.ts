import type { Context } from 'koa';
import type { ManagementSettings } from '../settings.ts';
import { deviceCookieOf, KNOWN_DEVICE_DAYS } from './passwords/device-cookie.ts';
import { sessionCookieOf } from './session-token.ts';
import { sessionIdleTimeoutMs } from './sessions.ts';

/**
 * Sets the session cookie in the browser; null removes it. The cookie is `Secure` where browsers come over TLS,
 * according to `PUBLIC_BASE_URL` or to a trusted proxy. It is `SameSite=Lax`, so that the user of a link into the
 * dashboard is logged in; changes that other sites send are refused by their origin (`cross-site-requests.ts`).
 */
export function writeSessionCookie(
  ctx: Context,
  token: string | null,
  settings: Pick<ManagementSettings, 'publicBaseUrl'>,
): void {
  const maxAge = token === null ? null : sessionIdleTimeoutMs;
  writeCookie(ctx, { name: sessionCookieOf(settings), value: token, maxAge }, settings);
}

/** Sets the cookie by which the browser is known. */
export function writeDeviceCookie(
  ctx: Context,
  value: string,
  settings: Pick<ManagementSettings, 'publicBaseUrl'>,
): void {
  writeCookie(ctx, { name: deviceCookieOf(settings), value, maxAge: KNOWN_DEVICE_DAYS * 86_400_000 }, settings);
}

function writeCookie(
  ctx: Context,
  { name, value, maxAge }: { readonly name: string; readonly value: string | null; readonly maxAge: number | null },
  settings: Pick<ManagementSettings, 'publicBaseUrl'>,
): void {
  const secure = ctx.secure || settings.publicBaseUrl.startsWith('https:');
  // Without this, `cookies` refuses to send a Secure cookie from behind a proxy that ends TLS.
  ctx.cookies.secure = secure;
  ctx.cookies.set(name, value, {
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    secure,
    overwrite: true,
    ...(maxAge === null ? {} : { maxAge }),
  });
}
