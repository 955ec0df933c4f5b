import { advertiserDomain } from '#exchange/auction/advertiser-domain';
import { parseUrl } from '#exchange/parse-url';
import type { Clock } from '#runtime/ports/clock';
import { namesForbiddenAddress } from '../../http/address-guard.ts';
import type { CreativeFetcher } from '../fetch/creative-fetcher.ts';
import { CreativeRefused, FetchFailed } from '../fetch/failures.ts';
import { FetchLimit } from '../fetch/fetch-limit.ts';
import type { CreativeSettings } from '../settings.ts';
import type { ScanLoad } from './scan-load.ts';
import { registrableDomain } from './scan-trail.ts';

export interface LandingDeps {
  readonly web: Pick<CreativeFetcher, 'get'>;
  readonly clock: Clock;
  readonly settings: Pick<CreativeSettings, 'allowPrivateNetworks'>;
}

/** Links that are followed at most; the others of an ad lead to the same advertiser, or to what says who advertises. */
const MAX_LINKS = 3;
const MAX_STEPS = 10;
const GIVE_UP_MS = 5_000;

/** Pages that say why somebody sees an ad: they are nobody's landing pages. */
const CHOICES: ReadonlySet<string> = new Set([
  'aboutads.info',
  'adssettings.google.com',
  'networkadvertising.org',
  'youradchoices.ca',
  'youradchoices.com',
  'youronlinechoices.com',
  'youronlinechoices.eu',
]);
/** Shops of apps, where the advertiser is a page and no domain. */
const SHOPS: ReadonlySet<string> = new Set([
  'apps.apple.com',
  'itunes.apple.com',
  'play.google.com',
  'appgallery.huawei.com',
  'galaxystore.samsung.com',
  'apps.microsoft.com',
]);

/**
 * Follows the clicks of a creative and compares where they end with the advertiser that its bids declare. Answers the
 * registrable domain of the first landing page, or of the one that is the advertiser's; null where none can be read.
 */
export async function landingDomain(
  deps: LandingDeps,
  load: ScanLoad,
  links: readonly string[],
  declared: readonly string[],
  stop: AbortSignal,
): Promise<string | null> {
  const advertisers = new Set(declared.map((domain) => registrableDomain({ hostname: advertiserDomain(domain) })));
  let first: { readonly domain: string; readonly url: string } | null = null;
  let isShop = false;
  for (const link of [...new Set(links)].filter(isLanding).slice(0, MAX_LINKS)) {
    const end = await endOf(deps, load, link.startsWith('//') ? `https:${link}` : link, stop);
    if (end === null) continue;
    if (SHOPS.has(end.hostname)) {
      isShop = true;
      continue;
    }
    const domain = registrableDomain(end);
    if (advertisers.has(domain)) return domain;
    first ??= { domain, url: end.href };
  }
  if (advertisers.size === 0) {
    load.findings.add('advertiser-unknown', 'Its bids declare no advertiser domain.', first?.url ?? null);
  } else if (first === null) {
    const why = isShop ? 'A click leads to a shop of apps' : 'Where a click leads could not be read';
    load.findings.add('advertiser-unknown', `${why}, so the declared advertiser could not be confirmed.`);
  } else {
    const all = [...advertisers].slice(0, 5).join(', ');
    load.findings.add(
      'wrong-advertiser-domain',
      `A click leads to ${first.domain}; its bids declare ${all}.`,
      first.url,
    );
  }
  return first?.domain ?? null;
}

function isLanding(link: string): boolean {
  if (!/^(?:https?:)?\/\//i.test(link)) return false;
  const url = link.startsWith('//') ? `https:${link}` : link;
  const parsed = parseUrl(url);
  return parsed !== null && !CHOICES.has(parsed.hostname.replace(/^(?:www|optout)\./, ''));
}

/** Where the redirects of a click end; null where they do not end at a page. */
async function endOf(
  { web, clock, settings }: LandingDeps,
  load: ScanLoad,
  link: string,
  stop: AbortSignal,
): Promise<URL | null> {
  const limit = new FetchLimit(clock, GIVE_UP_MS, 'lead to its landing page', stop);
  let steps = 0;
  const step = (address: string): URL => {
    const url = parseUrl(address);
    if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
      throw new CreativeRefused('leads to something that is no page');
    }
    if (!settings.allowPrivateNetworks && namesForbiddenAddress(url)) {
      throw new CreativeRefused('leads to an address that is not of the public Internet', 'address');
    }
    steps += 1;
    if (steps > MAX_STEPS) throw new CreativeRefused(`leads on and on: more than ${MAX_STEPS} steps`, 'steps');
    return url;
  };
  try {
    const arriving = await web.get(load.filled(link), { step }, limit.signal);
    arriving.body.on('error', () => undefined).destroy();
    return arriving.url;
  } catch (error) {
    stop.throwIfAborted();
    if (error instanceof CreativeRefused && error.because === 'address') {
      load.findings.add('forbidden-address', `A click ${error.message}.`, link);
    }
    if (error instanceof CreativeRefused || error instanceof FetchFailed) return null;
    throw error;
  } finally {
    limit.end();
  }
}
