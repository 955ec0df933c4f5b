import { getDomain } from 'tldts';
import { parseUrl } from '#exchange/parse-url';
import { namesForbiddenAddress } from '../../http/address-guard.ts';
import type { CreativeSettings } from '../settings.ts';
import { CreativeRefused } from './failures.ts';

/** Redirect domains of a creative at most (specification, "Limits"). */
const MAX_REDIRECT_DOMAINS = 3;
/** Redirects and wrappers together at most; no working creative needs more. */
const MAX_STEPS = 10;

/**
 * The way from one URL of a creative to its content: redirects and wrappers. Each hop is checked before it is taken.
 */
export class RedirectTrail {
  readonly #settings: CreativeSettings;
  readonly #seen = new Set<string>();
  /** The first domain is that of the creative's URL; the others are redirect domains. */
  readonly #domains = new Set<string>();

  constructor(settings: CreativeSettings) {
    this.#settings = settings;
  }

  /**
   * Adds a hop to the trail.
   * @throws CreativeRefused when the hop is forbidden
   */
  step(address: string): URL {
    const url = parseUrl(address);
    if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
      throw new CreativeRefused('leads to something that is no http or https URL');
    }
    if (this.#settings.httpsOnly && url.protocol !== 'https:') {
      throw new CreativeRefused(`leads to http://${url.host}: creatives are served over https`);
    }
    if (!this.#settings.allowPrivateNetworks && namesForbiddenAddress(url)) {
      throw new CreativeRefused('leads to an address that is not of the public Internet', 'address');
    }
    url.hash = '';
    if (this.#seen.has(url.href)) throw new CreativeRefused('leads back to where it has been: it is a loop');
    this.#seen.add(url.href);
    if (this.#seen.size > MAX_STEPS) throw new CreativeRefused(`leads on and on: more than ${MAX_STEPS} steps`);
    this.#domains.add(getDomain(url.hostname) ?? url.hostname);
    if (this.#domains.size > 1 + MAX_REDIRECT_DOMAINS) {
      throw new CreativeRefused(`leads through more than ${MAX_REDIRECT_DOMAINS} domains`);
    }
    return url;
  }
}
