import { getDomain } from 'tldts';
import { parseUrl } from '#exchange/parse-url';
import { namesForbiddenAddress } from '../../http/address-guard.ts';
import { CreativeRefused } from '../fetch/failures.ts';
import type { CreativeSettings } from '../settings.ts';
import type { Findings } from './findings.ts';
import { isPlainHttp } from './trustworthy.ts';

/** Redirect domains at most, beyond the first, as for creatives of campaigns; and redirects in a row. */
const MAX_DOMAINS = 3;
const MAX_REDIRECTS = 3;
/** Steps that are followed to see where they lead. */
const MAX_STEPS = 10;

export function registrableDomain({ hostname }: Pick<URL, 'hostname'>): string {
  return getDomain(hostname) ?? hostname;
}

/**
 * The way from one URL of a creative to what is there. Unlike the trail of a campaign's creative it goes on where a
 * limit is passed, and says so among the findings.
 */
export class ScanTrail {
  readonly #settings: Pick<CreativeSettings, 'allowPrivateNetworks'>;
  readonly #findings: Findings;
  readonly #seen = new Set<string>();
  readonly #domains = new Set<string>();
  #inARow = -1;
  #last: string | null = null;
  #mostRedirects = 0;

  constructor(settings: Pick<CreativeSettings, 'allowPrivateNetworks'>, findings: Findings) {
    this.#settings = settings;
    this.#findings = findings;
  }

  /** The way so far, for one of several that go on from here. */
  branch(): ScanTrail {
    const branch = new ScanTrail(this.#settings, this.#findings);
    for (const url of this.#seen) branch.#seen.add(url);
    for (const domain of this.#domains) branch.#domains.add(domain);
    branch.#last = this.#last;
    branch.#mostRedirects = this.#mostRedirects;
    return branch;
  }

  /** In the order in which they were met. */
  get domains(): readonly string[] {
    return [...this.#domains];
  }

  /** Redirects of the longest chain. */
  get redirects(): number {
    return this.#mostRedirects;
  }

  /** The last step that was taken; null before the first. */
  get last(): string | null {
    return this.#last;
  }

  /** The next step is no redirect: it follows from what was read. */
  begin(): void {
    this.#inARow = -1;
  }

  /** @throws CreativeRefused where the way ends */
  step(address: string): URL {
    const url = parseUrl(address);
    if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
      throw new CreativeRefused('leads to something that is no http or https URL');
    }
    url.hash = '';
    if (!this.#settings.allowPrivateNetworks && namesForbiddenAddress(url)) {
      throw new CreativeRefused('leads to an address that is not of the public Internet', 'address');
    }
    if (isPlainHttp(url)) {
      this.#findings.add('plain-http', 'It loads over plain HTTP, which a page of https does not.', url.href);
    }
    if (this.#seen.has(url.href)) throw new CreativeRefused('leads back to where it has been: it is a loop', 'steps');
    this.#seen.add(url.href);
    if (this.#seen.size > MAX_STEPS)
      throw new CreativeRefused(`leads on and on: more than ${MAX_STEPS} steps`, 'steps');
    this.#last = url.href;
    this.#count(url);
    return url;
  }

  #count(url: URL): void {
    this.#inARow += 1;
    this.#mostRedirects = Math.max(this.#mostRedirects, this.#inARow);
    if (this.#inARow === MAX_REDIRECTS + 1) {
      this.#findings.add('too-many-redirects', `It leads through more than ${MAX_REDIRECTS} redirects.`, url.href);
    }
    this.#domains.add(registrableDomain(url));
    if (this.#domains.size === MAX_DOMAINS + 2) {
      this.#findings.add('too-many-domains', `It leads through more than ${MAX_DOMAINS} redirect domains.`, url.href);
    }
  }
}
