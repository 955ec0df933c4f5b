/** A line that authorises somebody to sell. */
export interface AuthorizedSeller {
  /** The advertising system's domain, lower case. */
  readonly domain: string;
  /** The publisher's or reseller's account there, as written. */
  readonly sellerId: string;
  readonly relationship: 'DIRECT' | 'RESELLER';
  /** Of the advertising system, e.g. by the Trustworthy Accountability Group; null when not given. */
  readonly certificationId: string | null;
}

export interface AdsTxt {
  readonly sellers: readonly AuthorizedSeller[];
  /** By name in lower case, such as `subdomain`; values as written, in their order. */
  readonly variables: ReadonlyMap<string, readonly string[]>;
}

const VARIABLE_NAME = /^[A-Za-z][\w-]*$/;
const RELATIONSHIPS: ReadonlySet<string> = new Set(['DIRECT', 'RESELLER']);
/** No record needs more, without its comment and extensions; what is longer is of another form. */
const MAX_LINE_LENGTH = 1_024;
/** Of one variable; nobody names more. */
const MAX_DOMAINS = 1_000;
/** DNS (RFC 1035 §2.3.4), as text. */
const MAX_DOMAIN_LENGTH = 253;

/**
 * Reads an ads.txt or app-ads.txt (ads.txt 1.1 §3.4): a record or a variable a line, whatever ends the lines; comments from `#`
 * on, extensions from `;` on, lines of any other form and a byte-order mark are passed over. Names and keywords are taken in
 * either case. The file may be anybody's: the time that it takes grows with its length and no faster.
 */
export function parseAdsTxt(text: string): AdsTxt {
  const sellers: AuthorizedSeller[] = [];
  const variables = new Map<string, string[]>();
  for (const line of text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)) {
    const end = line.search(/[#;]/);
    const said = (end === -1 ? line : line.slice(0, end)).trim();
    if (said === '' || said.length > MAX_LINE_LENGTH) continue;
    const seller = sellerOf(said);
    if (seller !== null) {
      sellers.push(seller);
      continue;
    }
    const equals = said.indexOf('=');
    const [name, value] = [said.slice(0, Math.max(0, equals)).trimEnd(), said.slice(equals + 1).trimStart()];
    if (!VARIABLE_NAME.test(name) || value === '') continue;
    const key = name.toLowerCase();
    const values = variables.get(key);
    if (values) values.push(value);
    else variables.set(key, [value]);
  }
  return { sellers, variables };
}

function sellerOf(said: string): AuthorizedSeller | null {
  const [domain = '', sellerId = '', relationship = '', certificationId = ''] = said
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

/** Commas and semicolons within a field are written as in URLs (§3.4.2). */
function unescaped(field: string): string {
  try {
    return decodeURIComponent(field);
  } catch {
    return field;
  }
}

/** The domains that a variable names, lower case: `MANAGERDOMAIN=agency.example, US` names `agency.example`. */
export function domainsOfVariable({ variables }: AdsTxt, name: string): string[] {
  const values = variables.get(name) ?? [];
  const domains = values.map((value) => value.split(',', 1)[0]!.trim().toLowerCase().replace(/\.$/, ''));
  return [...new Set(domains)].slice(0, MAX_DOMAINS).filter(isDomain);
}

/** Whether URLs can have it as their host: letters alone do not make a name (`1.2.3.999`). */
function isDomain(name: string): boolean {
  return (
    name.length <= MAX_DOMAIN_LENGTH && /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(name) && URL.canParse(`https://${name}`)
  );
}
