import type { IncomingHttpHeaders } from 'node:http';

/**
 * The `WWW-Authenticate` header of a 401 (RFC 9110 §11.6.1): a key may come as a bearer token or in a header of its
 * own.
 */
export const KEY_CHALLENGE = 'Bearer realm="exchange", ApiKey realm="exchange", header="X-API-Key"';

const BEARER = 'bearer ';

/** The token of `Authorization: Bearer <token>` (RFC 6750 §2.1), '' when there is none. */
function bearerOf(authorization: string): string {
  if (authorization.slice(0, BEARER.length).toLowerCase() !== BEARER) return '';
  const token = authorization.slice(BEARER.length).trim();
  return token.includes(' ') || token.includes('\t') ? '' : token;
}

/** The API key of a request: `X-API-Key`, or else the bearer token of `Authorization`. Undefined without either. */
export function presentedKey(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['x-api-key'];
  if (key !== undefined || headers.authorization === undefined) return key as string | undefined;
  return bearerOf(headers.authorization) || undefined;
}
