import { expect } from 'chai';
import { identityMismatch, type RegisteredIdentity } from '../../../exchange/fraud/identity.ts';
import type { BidRequest } from '../../../exchange/openrtb/bid-request.ts';

const web: RegisteredIdentity = { type: 'web', domain: 'News.Example' };
const www: RegisteredIdentity = { type: 'web', domain: 'www.news.example' };
const app: RegisteredIdentity = { type: 'mobile', domain: 'com.example.puzzle' };
const studio: RegisteredIdentity = { type: 'ctv', domain: 'example.com' };
const numbered: RegisteredIdentity = { type: 'mobile', domain: '302000101' };

type Case = readonly [says: string, registered: RegisteredIdentity, request: Partial<BidRequest>];

const agree: readonly Case[] = [
  ['nothing stated', web, { site: {} }],
  ['empty fields', web, { site: { domain: '', page: '' } }],
  ['the domain', web, { site: { domain: 'news.example', page: 'https://news.example/today?x=rival.example' } }],
  ['capitals and www.', web, { site: { domain: 'WWW.NEWS.example' } }],
  ['a subdomain', web, { site: { domain: 'm.news.example', page: 'https://de.m.news.example:8443/' } }],
  ['www. in the registration', www, { site: { domain: 'news.example', page: 'http://m.news.example' } }],
  ['a page without a scheme', web, { site: { page: 'news.example/today' } }],
  ['a page on a developer’s machine', web, { site: { page: 'http://localhost:3000/' } }],
  ['a page on a private address', web, { site: { page: 'http://192.168.1.4/test.html' } }],
  ['a document that is no page', web, { site: { page: 'about:srcdoc' } }],
  ['a web publisher’s app', web, { app: { bundle: 'example.news.reader' } }],
  ['an app that names its web domain', web, { app: { bundle: 'org.other.reader', domain: 'news.example' } }],
  ['the bundle', app, { app: { bundle: 'com.example.puzzle' } }],
  ['the bundle in capitals', app, { app: { bundle: 'com.Example.Puzzle' } }],
  ['a bundle below', app, { app: { bundle: 'com.example.puzzle.hd' } }],
  ['a store’s number for a bundle', app, { app: { bundle: '302000101' } }],
  ['a store’s own word for a bundle', app, { app: { bundle: 'B00ABCDEFG' } }],
  ['an app’s site', app, { site: { domain: 'puzzle.example.com' } }],
  ['an app developer’s site', app, { site: { domain: 'example.com' } }],
  ['the developer’s domain alone', app, { app: { domain: 'example.com' } }],
  ['a bundle of the registered domain', studio, { app: { bundle: 'com.example.tv' } }],
  ['the registered domain and another bundle', studio, { app: { bundle: 'org.other.tv', domain: 'tv.example.com' } }],
  ['the number', numbered, { app: { bundle: 'id302000101' } }],
  [
    'another store’s number, with the registered one in the URL',
    numbered,
    { app: { bundle: '12', storeurl: 'https://apps.example/id302000101' } },
  ],
  ['a bundle for a number', numbered, { app: { bundle: 'com.example.puzzle' } }],
  ['a number’s site', numbered, { site: { domain: 'anything.example' } }],
  ['a screen', web, { dooh: { domain: 'news.example' } }],
];

const contradict: readonly Case[] = [
  ['another domain', web, { site: { domain: 'rival.example' } }],
  ['another page', web, { site: { domain: 'news.example', page: 'https://rival.example/news.example' } }],
  ['the domain above', { ...web, domain: 'm.news.example' }, { site: { domain: 'news.example' } }],
  ['a domain that only ends alike', web, { site: { domain: 'fakenews.example' } }],
  ['the domain before another', web, { site: { page: 'https://news.example.rival.example/' } }],
  ['a user name for a domain', web, { site: { page: 'https://news.example@rival.example/' } }],
  ['a public address', web, { site: { page: 'http://8.8.8.8/' } }],
  ['the domain turned round, of a site', web, { site: { domain: 'example.news' } }],
  ['another bundle', app, { app: { bundle: 'com.rival.puzzle' } }],
  ['a bundle that only begins alike', app, { app: { bundle: 'com.example.puzzles' } }],
  ['another site than the app’s', app, { site: { domain: 'rival.example' } }],
  ['another number', numbered, { app: { bundle: '302000102' } }],
  ['another bundle and another domain', studio, { app: { bundle: 'org.other.tv', domain: 'other.org' } }],
  ['another app of a web publisher', web, { app: { bundle: 'com.rival.app' } }],
  ['another screen', web, { dooh: { domain: 'rival.example' } }],
];

describe('the identity of a site or app', () => {
  for (const [says, registered, request] of agree) {
    it(`agrees: ${says}`, () => expect(identityMismatch(request as BidRequest, registered)).to.equal(null));
  }
  for (const [says, registered, request] of contradict) {
    it(`is another: ${says}`, () => {
      const reason = 'app' in request ? 'app-mismatch' : 'site-mismatch';
      expect(identityMismatch(request as BidRequest, registered)).to.equal(reason);
    });
  }
});
