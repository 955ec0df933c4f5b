/** A record: a line that authorises a seller. */
export interface AuthorizedSeller {
  /** The advertising system's domain, lower case. */
  readonly domain: string;
  /** The account of the publisher or reseller in that system, as written. */
  readonly sellerId: string;
  readonly relationship: 'DIRECT' | 'RESELLER';
  /**
   * The advertising system's id at a certification authority, e.g. the Trustworthy Accountability Group; null when not
   * given.
   */
  readonly certificationId: string | null;
}

export interface AdsTxt {
  readonly sellers: readonly AuthorizedSeller[];
  /** Values by variable name in lower case, such as `subdomain`; the values as written, in the order of the file. */
  readonly variables: ReadonlyMap<string, readonly string[]>;
}

const VARIABLE_NAME = /^[A-Za-z][\w-]*$/;
const RELATIONSHIPS: ReadonlySet<string> = new Set(['DIRECT', 'RESELLER']);
/** The longest line that is read, without its comment and extensions; no record needs more. */
const MAX_LINE_LENGTH = 1_024;
/** The most domains of one variable that are read. */
const MAX_DOMAINS = 1_000;
/** The longest domain as text (DNS, RFC 1035 §2.3.4). */
const MAX_DOMAIN_LENGTH = 253;

/**
 * Reads an ads.txt or app-ads.txt (ads.txt 1.1 §3.4): one record or variable per line, with any line ending. Comments
 * (from `#`), extensions (from `;`), lines of any other form and a byte-order mark are skipped. Names and keywords are
 * read in either case. The file may be hostile: the time is at most proportional to its length.
 */
export function parseAdsTxt(text: string): AdsTxt {
  const sellers: AuthorizedSeller[] = [];
  const variables = new Map<string, string[]>();
  for (const line of text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)) {
    const end = line.search(/[#;]/);
    const content = (end === -1 ? line : line.slice(0, end)).trim();
    if (content === '' || content.length > MAX_LINE_LENGTH) continue;
    const seller = sellerOf(content);
    if (seller !== null) {
      sellers.push(seller);
      continue;
    }
    const equals = content.indexOf('=');
    const [name, value] = [content.slice(0, Math.max(0, equals)).trimEnd(), content.slice(equals + 1).trimStart()];
    if (!VARIABLE_NAME.test(name) || value === '') continue;
    const key = name.toLowerCase();
    const values = variables.get(key);
    if (values) values.push(value);
    else variables.set(key, [value]);
  }
  return { sellers, variables };
}

function sellerOf(content: string): AuthorizedSeller | null {
  const [domain = '', sellerId = '', relationship = '', certificationId = ''] = content
    .split(',')
    .map((field) => field.trim());
  const stated = relationship.toUpperCase();
  if (domain === '' || sellerId === '' || !RELATIONSHIPS.has(stated)) return null;
  return {
    domain: domain.toLowerCase().replace(/\.$/, ''),
    sellerId: unescaped(sellerId),
    relationship: stated as AuthorizedSeller['relationship'],
    certificationId: certificationId === '' ? null : certificationId,
  };
}

/** Decodes a field: commas and semicolons in it are percent-encoded (§3.4.2). */
function unescaped(field: string): string {
  try {
    return decodeURIComponent(field);
  } catch {
    return field;
  }
}

/** The domains that a variable names, in lower case: `MANAGERDOMAIN=agency.example, US` names `agency.example`. */
export function domainsOfVariable({ variables }: AdsTxt, name: string): string[] {
  const values = variables.get(name) ?? [];
  const domains = values.map((value) => value.split(',', 1)[0]!.trim().toLowerCase().replace(/\.$/, ''));
  return [...new Set(domains)].slice(0, MAX_DOMAINS).filter(isDomain);
}

/** Whether a URL can have this host; the letters alone do not decide it (`1.2.3.999`). */
function isDomain(name: string): boolean {
  return (
    name.length <= MAX_DOMAIN_LENGTH && /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(name) && URL.canParse(`https://${name}`)
  );
}
