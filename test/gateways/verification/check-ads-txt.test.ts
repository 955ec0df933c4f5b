import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import type { VerificationOutcome } from '#actors/verification/outcome';
import { AdsTxtFetcher } from '#gateways/verification/ads-txt-fetcher';
import { type AdsTxtSource, checkAdsTxt } from '#gateways/verification/check-ads-txt';
import { DEFAULT_VERIFICATION_LIMITS } from '#gateways/verification/settings';
import { systemClock } from '#runtime/providers/system/system-clock';
import { expected, SELLER } from '../../exchange/ads-txt/cases.ts';
import { answer, type Page, redirectTo, WebOfHosts } from './web-of-hosts.ts';

const line = `exchange.example, ${SELLER}, DIRECT`;
const stop = new AbortController().signal;
const limits = { ...DEFAULT_VERIFICATION_LIMITS, exchangeDomain: 'exchange.example', certificationId: null };

const web = (domain: string): AdsTxtSource => ({ type: 'web', domain, developerDomain: null });
const app = (developerDomain: string): AdsTxtSource => ({ type: 'ctv', domain: 'com.x.y', developerDomain });

interface LookCase {
  readonly title: string;
  readonly source: AdsTxtSource;
  readonly pages?: Readonly<Record<string, Page>>;
  readonly refused?: readonly string[];
  /** Kind, and what there is of reason, error and URL. */
  readonly comesTo: string;
  /** The domain of the outcome, where it is looked at. */
  readonly domain?: string;
  /** Default: longer than a busy machine needs. */
  readonly fetchMs?: number;
}

const cases: readonly LookCase[] = [
  {
    title: 'reads ads.txt of a web source by https',
    source: web('news.com'),
    pages: { 'https://news.com/ads.txt': line, 'http://news.com/ads.txt': '' },
    comesTo: 'verified https://news.com/ads.txt',
  },
  {
    title: 'reads app-ads.txt of an app, not ads.txt',
    source: app('dev.com'),
    pages: { 'https://dev.com/ads.txt': line },
    comesTo: 'failed file_not_found https://dev.com/app-ads.txt',
  },
  {
    title: 'falls back to http where https takes no connections',
    source: web('news.com'),
    pages: { 'http://news.com/ads.txt': line },
    refused: ['https://news.com'],
    comesTo: 'verified http://news.com/ads.txt',
  },
  {
    title: 'falls back to http where https has no file',
    source: web('news.com'),
    pages: { 'http://news.com/ads.txt': line },
    comesTo: 'verified http://news.com/ads.txt',
  },
  {
    title: 'follows redirects within the root domain',
    source: web('news.com'),
    pages: {
      'https://news.com/ads.txt': redirectTo('https://www.news.com/ads.txt', 301),
      'https://www.news.com/ads.txt': redirectTo('/files/ads.txt', 307),
      'https://www.news.com/files/ads.txt': line,
    },
    comesTo: 'verified https://www.news.com/files/ads.txt',
  },
  {
    title: 'follows one redirect out of the root domain',
    source: web('news.com'),
    pages: {
      'https://news.com/ads.txt': redirectTo('https://manager.com/news-ads.txt'),
      'https://manager.com/news-ads.txt': line,
    },
    comesTo: 'verified https://manager.com/news-ads.txt',
  },
  {
    title: 'follows no redirect from there',
    source: web('news.com'),
    pages: {
      'https://news.com/ads.txt': redirectTo('https://manager.com/a'),
      'https://manager.com/a': redirectTo('https://manager.com/b'),
      'https://manager.com/b': line,
    },
    comesTo: 'failed redirect_out_of_scope https://news.com/ads.txt',
  },
  {
    title: 'ends where redirects go round',
    source: web('news.com'),
    pages: { 'https://news.com/ads.txt': redirectTo('https://news.com/ads.txt') },
    comesTo: 'failed redirect_out_of_scope https://news.com/ads.txt',
  },
  {
    title: 'goes nowhere where a redirect does not say where to',
    source: web('news.com'),
    pages: { 'https://news.com/ads.txt': (_request, response) => void response.writeHead(302).end() },
    refused: ['http://news.com'],
    comesTo: 'unavailable news.com answered 302 https://news.com/ads.txt',
  },
  {
    title: 'goes nowhere where a redirect names a host that the DNS cannot have',
    source: web('news.com'),
    pages: { 'https://news.com/ads.txt': redirectTo(`https://${'a'.repeat(64)}.com/ads.txt`) },
    refused: ['http://news.com'],
    comesTo: 'unavailable news.com answered 302 https://news.com/ads.txt',
  },
  {
    title: "takes a subdomain's own file where the root's names it",
    source: web('sport.news.com'),
    pages: {
      'https://news.com/ads.txt': 'subdomain=sport.news.com',
      'https://sport.news.com/ads.txt': line,
    },
    comesTo: 'verified https://sport.news.com/ads.txt',
  },
  {
    title: "takes the root's file for a subdomain that it does not name",
    source: web('sport.news.com'),
    pages: { 'https://news.com/ads.txt': 'other.com, 1, DIRECT', 'https://sport.news.com/ads.txt': line },
    comesTo: 'failed exchange_not_listed https://news.com/ads.txt',
  },
  {
    title: "asks a developer's subdomain first, and then the root",
    source: app('games.dev.com'),
    pages: { 'https://dev.com/app-ads.txt': line },
    comesTo: 'verified https://dev.com/app-ads.txt',
  },
  {
    title: 'knows no subdomains in app-ads.txt',
    source: app('dev.com'),
    pages: { 'https://dev.com/app-ads.txt': 'subdomain=games.dev.com', 'https://games.dev.com/app-ads.txt': line },
    comesTo: 'failed exchange_not_listed https://dev.com/app-ads.txt',
  },
  {
    title: "reads an inventory partner's file that the source's names",
    source: app('dev.com'),
    pages: {
      'https://dev.com/app-ads.txt': 'INVENTORYPARTNERDOMAIN=partner.com',
      'https://partner.com/app-ads.txt': line,
    },
    comesTo: 'verified https://partner.com/app-ads.txt',
  },
  {
    title: "verifies a web source by its inventory partner's file for its own domain",
    source: web('news.com'),
    pages: {
      'https://news.com/ads.txt': 'inventorypartnerdomain=partner.com',
      'https://partner.com/ads.txt': line,
    },
    comesTo: 'verified https://partner.com/ads.txt',
    domain: 'news.com',
  },
  {
    title: "finds out nothing where an inventory partner's file gives no answer",
    source: app('dev.com'),
    pages: {
      'https://dev.com/app-ads.txt': 'inventorypartnerdomain=away.com\ninventorypartnerdomain=other.com',
      'https://away.com/app-ads.txt': answer(503),
      'http://away.com/app-ads.txt': answer(503),
      'https://other.com/app-ads.txt': 'third.com, 1, DIRECT',
    },
    comesTo: 'unavailable inventory partner away.com: away.com answered 503 https://away.com/app-ads.txt',
    domain: 'dev.com',
  },
  {
    title: 'is verified by another inventory partner where one gives no answer',
    source: app('dev.com'),
    pages: {
      'https://dev.com/app-ads.txt': 'inventorypartnerdomain=away.com\ninventorypartnerdomain=partner.com',
      'https://away.com/app-ads.txt': answer(503),
      'http://away.com/app-ads.txt': answer(503),
      'https://partner.com/app-ads.txt': line,
    },
    comesTo: 'verified https://partner.com/app-ads.txt',
    domain: 'dev.com',
  },
  {
    title: 'fails where an inventory partner has no file',
    source: app('dev.com'),
    pages: { 'https://dev.com/app-ads.txt': 'inventorypartnerdomain=partner.com' },
    comesTo: 'failed exchange_not_listed https://dev.com/app-ads.txt',
  },
  {
    title: "does not read the inventory partner's partner's",
    source: app('dev.com'),
    pages: {
      'https://dev.com/app-ads.txt': 'inventorypartnerdomain=partner.com',
      'https://partner.com/app-ads.txt': 'inventorypartnerdomain=third.com',
      'https://third.com/app-ads.txt': line,
    },
    comesTo: 'failed exchange_not_listed https://dev.com/app-ads.txt',
  },
  {
    title: 'finds no file behind a 404',
    source: web('news.com'),
    comesTo: 'failed file_not_found https://news.com/ads.txt',
  },
  {
    title: 'takes a page for no file, whatever is in it',
    source: web('news.com'),
    pages: { 'https://news.com/ads.txt': answer(200, 'text/html', line) },
    comesTo: 'failed wrong_content_type https://news.com/ads.txt',
  },
  {
    title: 'reads no more than there is room for',
    source: web('news.com'),
    pages: { 'https://news.com/ads.txt': `${'# filler\n'.repeat(2_000)}${line}` },
    comesTo: 'failed file_too_large https://news.com/ads.txt',
  },
  {
    title: 'reads no more of what is compressed',
    source: web('news.com'),
    pages: {
      'https://news.com/ads.txt': (_request, response) =>
        void response
          .writeHead(200, { 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' })
          .end(gzipSync('# filler\n'.repeat(100_000))),
    },
    comesTo: 'failed file_too_large https://news.com/ads.txt',
  },
  {
    title: 'reads what is compressed, though it asks for none',
    source: web('news.com'),
    pages: {
      'https://news.com/ads.txt': (_request, response) =>
        void response.writeHead(200, { 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' }).end(gzipSync(line)),
    },
    comesTo: 'verified https://news.com/ads.txt',
  },
  {
    title: 'reads UTF-16 with its mark',
    source: web('news.com'),
    pages: { 'https://news.com/ads.txt': answer(200, 'text/plain', Buffer.from(`\ufeff${line}`, 'utf16le')) },
    comesTo: 'verified https://news.com/ads.txt',
  },
  ...[500, 503, 401, 403, 429].map((status) => ({
    title: `finds out nothing from a ${status}`,
    source: web('news.com'),
    pages: { 'https://news.com/ads.txt': answer(status), 'http://news.com/ads.txt': answer(status) },
    comesTo: `unavailable news.com answered ${status} https://news.com/ads.txt`,
  })),
  {
    title: 'finds out nothing where nobody is',
    source: web('news.com'),
    refused: ['https://news.com', 'http://news.com'],
    comesTo: 'unavailable the file could not be fetched: ECONNREFUSED https://news.com/ads.txt',
  },
  {
    title: 'finds out nothing from whoever says nothing for so long',
    source: web('news.com'),
    pages: { 'https://news.com/ads.txt': () => undefined, 'http://news.com/ads.txt': () => undefined },
    fetchMs: 300,
    comesTo: 'unavailable no answer within 0.3 s https://news.com/ads.txt',
  },
  {
    title: 'looks nowhere for a bundle without a developer',
    source: { type: 'mobile', domain: 'com.x.y', developerDomain: null },
    comesTo: 'failed no_domain ',
  },
];

describe('gateways/verification/check-ads-txt', () => {
  let hosts: WebOfHosts;
  beforeEach(async () => {
    hosts = await WebOfHosts.open();
  });
  afterEach(() => hosts.close());

  for (const { title, source, pages = {}, refused = [], comesTo, domain, fetchMs = 10_000 } of cases) {
    it(title, async () => {
      for (const [url, page] of Object.entries(pages)) hosts.pages.set(url, page);
      for (const origin of refused) hosts.refused.add(origin);
      const settings = {
        ...limits,
        allowPrivateNetworks: true,
        fetchMs,
        maxFileBytes: 16_384,
        connect: hosts.connect,
      };
      const fetcher = new AdsTxtFetcher(settings, systemClock);
      const outcome = await checkAdsTxt(source, expected, (host, path) => fetcher.fetch(host, path, stop));
      await fetcher.close();
      expect(inWords(outcome)).to.equal(comesTo);
      if (domain !== undefined) expect(outcome.domain).to.equal(domain);
    });
  }

  for (const host of ['localhost', '127.0.0.1', '[::1]', '10.0.0.1', '169.254.169.254']) {
    it(`reads nothing of ${host} where private networks are not allowed`, async () => {
      const fetcher = new AdsTxtFetcher({ ...limits, allowPrivateNetworks: false }, systemClock);
      const fetched = await fetcher.fetch(host, '/ads.txt', stop);
      await fetcher.close();
      expect(fetched).to.include({
        kind: 'unavailable',
        error: 'the domain leads to an address that is not of the public Internet',
      });
    });
  }

  it('follows no redirect into a private network', async () => {
    hosts.pages.set('https://news.com/ads.txt', redirectTo('http://169.254.169.254/latest/meta-data'));
    hosts.refused.add('http://news.com');
    const fetcher = new AdsTxtFetcher({ ...limits, allowPrivateNetworks: false, connect: hosts.connect }, systemClock);
    const fetched = await fetcher.fetch('news.com', '/ads.txt', stop);
    await fetcher.close();
    expect(fetched.kind).to.equal('unavailable');
    expect(hosts.asked).to.deep.equal(['https://news.com/ads.txt']);
  });
});

function inWords(outcome: VerificationOutcome): string {
  const { kind, fileUrl } = outcome;
  const why = kind === 'failed' ? `${outcome.reason} ` : kind === 'unavailable' ? `${outcome.error} ` : '';
  return `${kind} ${why}${fileUrl ?? ''}`;
}
