import { unescape as percentDecoded } from 'node:querystring';

/**
 * The user name and password of a URL as the value of `Authorization` (RFC 7617); null where it has neither.
 * `percentDecoded` accepts a percent sign that begins no escape, which a URL may contain.
 */
export function basicCredentials({ username, password }: URL): string | null {
  if (username === '' && password === '') return null;
  return `Basic ${Buffer.from(`${percentDecoded(username)}:${percentDecoded(password)}`).toString('base64')}`;
}
