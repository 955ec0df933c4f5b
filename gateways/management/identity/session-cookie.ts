import type { Context } from 'koa';
import type { ManagementSettings } from '../settings.ts';
import { deviceCookieOf, KNOWN_DEVICE_DAYS } from './passwords/device-cookie.ts';
import { sessionCookieOf } from './session-token.ts';
import { sessionIdleTimeoutMs } from './sessions.ts';

/**
 * Gives the browser a session's cookie; null takes it away. `Secure` where browsers come over TLS: by what
 * `PUBLIC_BASE_URL` says, or by a trusted proxy's word. Lax, so that a link into the dashboard finds its user logged in;
 * changes that other sites send are refused by where they come from (cross-origin.ts).
 */
export function writeSessionCookie(
  ctx: Context,
  token: string | null,
  settings: Pick<ManagementSettings, 'publicBaseUrl'>,
): void {
  const maxAge = token === null ? null : sessionIdleTimeoutMs;
  writeCookie(ctx, { name: sessionCookieOf(settings), value: token, maxAge }, settings);
}

/** Gives the browser the cookie by which it is known. */
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
  // Else `cookies` refuses to send a Secure cookie from behind a proxy that ends TLS.
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
