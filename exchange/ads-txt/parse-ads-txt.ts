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

const VARIABLE = /^([A-Za-z][\w-]*)\s*=\s*(.+)$/;
const RELATIONSHIPS: ReadonlySet<string> = new Set(['DIRECT', 'RESELLER']);

/**
 * Reads an ads.txt or app-ads.txt (ads.txt 1.1 §3.4): a record or a variable a line, whatever ends the lines; comments from `#`
 * on, extensions from `;` on, lines of any other form and a byte-order mark are passed over. Names and keywords are taken in
 * either case.
 */
export function parseAdsTxt(text: string): AdsTxt {
  const sellers: AuthorizedSeller[] = [];
  const variables = new Map<string, string[]>();
  for (const line of text.replace(/^\ufeff/, '').split(/\r\n|\r|\n/)) {
    const said = line.replace(/[#;].*$/, '').trim();
    if (said === '') continue;
    const seller = sellerOf(said);
    if (seller !== null) {
      sellers.push(seller);
      continue;
    }
    const [, name, value] = VARIABLE.exec(said) ?? [];
    if (name === undefined || value === undefined) continue;
    const key = name.toLowerCase();
    variables.set(key, [...(variables.get(key) ?? []), value.trim()]);
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
export function domainsNamed({ variables }: AdsTxt, name: string): string[] {
  const values = variables.get(name) ?? [];
  const domains = values.map((value) => value.split(',', 1)[0]!.trim().toLowerCase().replace(/\.$/, ''));
  return [...new Set(domains)].filter((domain) => /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain));
}
