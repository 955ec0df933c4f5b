import { expect } from 'chai';
import { type DeclaredIdentity, identityMismatch, isVerifiedInventory } from '#exchange/fraud/identity';
import type { BidRequest } from '#exchange/openrtb/bid-request';

const declared = (domain: string, ...identities: string[]): DeclaredIdentity => ({ domain, identities });

const web = declared('News.Example');
const www = declared('www.news.example');
const app = declared('com.example.puzzle');
const numbered = declared('302000101');
const several = declared('news.example', 'weather.example', 'com.example.news', 'id302000101');

type Case = readonly [says: string, declared: DeclaredIdentity, request: Partial<BidRequest>];

const agree: readonly Case[] = [
  ['nothing stated', web, { site: {} }],
  ['empty fields', web, { site: { domain: '', page: '' } }],
  ['the domain', web, { site: { domain: 'news.example', page: 'https://news.example/today?x=rival.example' } }],
  ['capitals and www.', web, { site: { domain: 'WWW.NEWS.example' } }],
  ['a subdomain', web, { site: { domain: 'm.news.example', page: 'https://de.m.news.example:8443/' } }],
  ['www. in the declaration', www, { site: { domain: 'news.example', page: 'http://m.news.example' } }],
  ['a page without a scheme', web, { site: { page: 'news.example/today' } }],
  ['a page on a developer’s machine', web, { site: { page: 'http://localhost:3000/' } }],
  ['a page on a private address', web, { site: { page: 'http://192.168.1.4/test.html' } }],
  ['a page of a user', web, { site: { page: 'https://ann:secret@news.example/' } }],
  ['a page on this machine by IPv6', web, { site: { page: 'http://[::1]:8080/' } }],
  ['a path alone', web, { site: { page: '/today.html' } }],
  ['a document that is no page', web, { site: { page: 'about:srcdoc' } }],
  ['the bundle', app, { app: { bundle: 'com.example.puzzle' } }],
  ['the bundle in capitals', app, { app: { bundle: 'com.Example.Puzzle' } }],
  [
    'the bundle, whatever domain the app states',
    app,
    { app: { bundle: 'com.example.puzzle', domain: 'other.example' } },
  ],
  ['the number', numbered, { app: { bundle: 'id302000101' } }],
  ['a further domain', several, { site: { page: 'https://weather.example/today' } }],
  ['below a further domain', several, { site: { domain: 'm.weather.example' } }],
  ['a further bundle', several, { app: { bundle: 'com.example.news' } }],
  ['a further number in a store', several, { app: { bundle: '302000101' } }],
  ['the domain of an app without a bundle', several, { app: { domain: 'weather.example' } }],
  ['a screen', web, { dooh: { domain: 'news.example' } }],
];

const contradict: readonly Case[] = [
  ['another domain', web, { site: { domain: 'rival.example' } }],
  ['another page', web, { site: { domain: 'news.example', page: 'https://rival.example/news.example' } }],
  ['the domain above', declared('m.news.example'), { site: { domain: 'news.example' } }],
  ['a domain that only ends alike', web, { site: { domain: 'fakenews.example' } }],
  ['the domain before another', web, { site: { page: 'https://news.example.rival.example/' } }],
  ['a user name for a domain', web, { site: { page: 'https://news.example@rival.example/' } }],
  ['a user name and a password for a domain', web, { site: { page: 'https://news.example:443@rival.example/' } }],
  ['a domain behind a backslash', web, { site: { page: 'https://rival.example\\.news.example/' } }],
  ['a scheme with one slash', web, { site: { page: 'https:/rival.example/' } }],
  ['a scheme with backslashes', web, { site: { page: 'https:\\\\rival.example/' } }],
  ['a page without its scheme', web, { site: { page: '//rival.example/' } }],
  ['a control character before the scheme', web, { site: { page: '\u0001https://rival.example/' } }],
  ['a tab in the scheme', web, { site: { page: 'ht\ttps://rival.example/' } }],
  ['a dot in percent-encoding', web, { site: { page: 'https://rival%2eexample/' } }],
  ['an ideographic full stop', web, { site: { page: 'https://rival\u3002example/' } }],
  ['a public address', web, { site: { page: 'http://8.8.8.8/' } }],
  ['the domain turned round, of a site', web, { site: { domain: 'example.news' } }],
  ['another bundle', app, { app: { bundle: 'com.rival.puzzle' } }],
  ['a bundle that only begins alike', app, { app: { bundle: 'com.example.puzzles' } }],
  ['a bundle below that is not declared', app, { app: { bundle: 'com.example.puzzle.hd' } }],
  ['a number of any store for a bundle', app, { app: { bundle: '302000101' } }],
  ['a word of any store for a bundle', app, { app: { bundle: 'B00ABCDEFG' } }],
  ['any bundle for a number', numbered, { app: { bundle: 'com.example.puzzle' } }],
  ['any site for a number', numbered, { site: { domain: 'anything.example' } }],
  ['another number', numbered, { app: { bundle: '302000102' } }],
  [
    'another number with the declared one in the URL',
    numbered,
    { app: { bundle: '12', storeurl: 'https://s.example/id302000101' } },
  ],
  ['any bundle beside the declared domain', web, { app: { bundle: 'org.other.reader', domain: 'news.example' } }],
  ['a bundle that is the domain turned round', web, { app: { bundle: 'example.news.reader' } }],
  ['a site that is the bundle turned round', app, { site: { domain: 'puzzle.example.com' } }],
  ['another screen', web, { dooh: { domain: 'rival.example' } }],
];

describe('the identity of a site or app', () => {
  for (const [says, source, request] of agree) {
    it(`agrees: ${says}`, () => expect(identityMismatch(request as BidRequest, source)).to.equal(null));
  }
  for (const [says, source, request] of contradict) {
    it(`is not declared: ${says}`, () => {
      const reason = 'app' in request ? 'app-mismatch' : 'site-mismatch';
      expect(identityMismatch(request as BidRequest, source)).to.equal(reason);
    });
  }
});

describe('the host of a page', () => {
  it('is the one that a browser would ask, whatever is written before it', () => {
    const pages = [
      'https://news.example:443@rival.example/',
      'https:/rival.example/',
      'https://rival.example\\.news.example/',
    ];
    for (const page of pages) {
      expect(new URL(page).hostname).to.equal('rival.example');
      expect(identityMismatch({ site: { page } } as BidRequest, web), page).to.equal('site-mismatch');
    }
  });
});

describe('inventory that an ads.txt was read for', () => {
  const cases: readonly [says: string, request: Partial<BidRequest>, verified: boolean][] = [
    ['the site of the file', { site: { domain: 'news.example', page: 'https://m.news.example/' } }, true],
    ['a site that states nothing', { site: {} }, true],
    ['a site on another declared domain', { site: { domain: 'weather.example' } }, false],
    ['a page on a developer’s machine', { site: { page: 'http://localhost/' } }, false],
    ['a page with the site for a user name', { site: { page: 'https://news.example:1@rival.example/' } }, false],
    ['the app that the source was created with', { app: { bundle: 'com.example.news' } }, true],
    ['another declared app', { app: { bundle: 'com.example.weather' } }, false],
    ['an app without a bundle, of the developer', { app: { domain: 'news.example' } }, true],
  ];
  for (const [says, request, verified] of cases) {
    it(`${verified ? 'is' : 'is not'} ${says}`, () => {
      expect(isVerifiedInventory(request as BidRequest, 'com.example.news', 'news.example')).to.equal(verified);
    });
  }
});
