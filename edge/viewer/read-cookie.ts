import { parseCookie } from 'cookie';

const AS_SENT = { decode: (text: string) => text };

/**
 * The value of a cookie in a `Cookie` header, as it was sent (RFC 6265 §4.2.1). It is the first of that name that is
 * `wellFormed`: another site below the same domain may have planted one in front of the exchange's.
 */
export function readCookie(
  header: string | undefined,
  name: string,
  wellFormed: (value: string) => boolean = () => true,
): string | undefined {
  // Most requests bring none of the exchange's cookies.
  if (header === undefined || !header.includes(name)) return undefined;
  for (const pair of header.split(';')) {
    const value = parseCookie(pair, AS_SENT)[name];
    if (value !== undefined && wellFormed(value)) return value;
  }
  return undefined;
}
