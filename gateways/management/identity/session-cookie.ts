import type { Context } from 'koa';
import type { ManagementSettings } from '../settings.ts';
import { sessionCookieOf } from './session-token.ts';
import { sessionLengthMs } from './sessions.ts';

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
  const secure = ctx.secure || settings.publicBaseUrl.startsWith('https:');
  // Else `cookies` refuses to send a Secure cookie from behind a proxy that ends TLS.
  ctx.cookies.secure = secure;
  ctx.cookies.set(sessionCookieOf(settings), token, {
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    secure,
    overwrite: true,
    ...(token === null ? {} : { maxAge: sessionLengthMs }),
  });
}
