/** A URL whose host is of ASCII letters alone and too short for a long label, as nearly all are. */
const PLAIN_URL = /^https?:\/\/[a-z0-9.:-]{1,63}(?:[/?#]|$)/i;
/** What parsers of URLs leave out (WHATWG URL §4.4). */
const LEFT_OUT = /^[\0-\x20]+|[\t\n\r]/g;
/**
 * What stands before a host that is converted to ASCII: those of other schemes stay as they are, and a path has none.
 */
const BEFORE_AUTHORITY = /^(?:(?:https?|wss?|ftp|file):[/\\]*|[/\\]{2,})/i;
/** The characters of the longest label in the DNS (RFC 1035 §2.3.4); in other letters than ASCII it has fewer. */
const MAX_LABEL = 63;

/**
 * Parses a URL that others state, relative to `base` where there is one; null where it is none. Converting a label of
 * other letters than ASCII, or of their form in ASCII (`xn--`), takes time that grows with the square of its length,
 * 0.5 s for 8,000 letters, so that a host with a longer label than the DNS has is not parsed.
 */
export function parseUrl(stated: string, base?: URL): URL | null {
  if (!PLAIN_URL.test(stated) && hasLongLabel(statedHost(stated))) return null;
  return URL.canParse(stated, base?.href) ? new URL(stated, base) : null;
}

/** The host, with its port, that a parser would convert to ASCII; '' where there is none. */
function statedHost(stated: string): string {
  const text = stated.replace(LEFT_OUT, '');
  const before = BEFORE_AUTHORITY.exec(text);
  if (before === null) return '';
  const authority = text.slice(before[0].length);
  const end = authority.search(/[/?#\\]/);
  const named = end === -1 ? authority : authority.slice(0, end);
  return named.slice(named.lastIndexOf('@') + 1);
}

/** The host as browsers connect to it: of an internationalised domain the ASCII form. Null for what is no host. */
export function asciiHost(host: string): string | null {
  const url = `https://${host}`;
  return !hasLongLabel(host) && URL.canParse(url) ? new URL(url).hostname : null;
}

function hasLongLabel(host: string): boolean {
  return host.split('.').some(({ length }) => length > MAX_LABEL);
}
