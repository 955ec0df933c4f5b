import { expect } from 'chai';
import fc from 'fast-check';
import { adsTxtLocation } from '#exchange/ads-txt/ads-txt-location';
import { checkSeller } from '#exchange/ads-txt/check-seller';
import { domainsOfVariable, parseAdsTxt } from '#exchange/ads-txt/parse-ads-txt';
import { followRedirect, type RedirectChain, startRedirectChain } from '#exchange/ads-txt/redirect-chain';
import { expected, fileCases } from './cases.ts';

describe('exchange/ads-txt', () => {
  for (const { title, text, expecting = {}, is, warnings = [] } of fileCases) {
    it(`finds in a file with ${title}: ${is}`, () => {
      const judgement = checkSeller(parseAdsTxt(text), { ...expected, ...expecting });
      if (judgement.kind === 'not-listed') expect(judgement.reason).to.equal(is);
      else {
        expect(`listed ${judgement.seller.relationship}`).to.equal(is);
        expect(judgement.warnings).to.deep.equal(warnings);
      }
    });
  }

  it('finds every record written, whatever stands around it', () => {
    const word = fc.stringMatching(/^[a-z0-9-]{1,12}$/);
    const record = fc.record({ domain: word.map((name) => `${name}.example`), id: word, direct: fc.boolean() });
    const noise = fc.constantFrom('', '# a comment', 'contact=a@b.example', 'nonsense', ',,,', '=', ' \t ');
    const ends = fc.constantFrom('\n', '\r\n', '\r');
    fc.assert(
      fc.property(fc.array(fc.tuple(record, noise)), ends, (lines, end) => {
        const text = lines.flatMap(([{ domain, id, direct }, other]) => [
          other,
          `${domain}, ${id}, ${direct ? 'DIRECT' : 'RESELLER'}`,
        ]);
        const { sellers } = parseAdsTxt(text.join(end));
        expect(sellers.map(({ domain, sellerId, relationship }) => [domain, sellerId, relationship])).to.deep.equal(
          lines.map(([{ domain, id, direct }]) => [domain, id, direct ? 'DIRECT' : 'RESELLER']),
        );
      }),
    );
  });

  it('never fails, whatever the text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void parseAdsTxt(text)));
  });

  // Two megabytes take a tenth of a second; with time that grows with the square of the length each would take many
  // minutes.
  for (const [what, line] of Object.entries({
    'variables of one name': 'a=b\n',
    'comment signs before what ends no line': '#',
    'spaces before what ends no line': ' ',
    'domains of one variable': 'subdomain=a.example\n',
    commas: ',',
  })) {
    it(`reads two megabytes of ${what} in little time`, () => {
      const text = `a=${line.repeat((2 * 1024 * 1024) / line.length)}x\u2028y`;
      const began = process.cpuUsage();
      domainsOfVariable(parseAdsTxt(text), 'subdomain');
      const { user, system } = process.cpuUsage(began);
      expect((user + system) / 1e6).to.be.below(5);
    });
  }

  it('names no domain that no URL can have, and none that is longer than a name can be', () => {
    const names = ['1.2.3.999', `${'a'.repeat(300)}.example`, 'named.example'];
    const file = parseAdsTxt(names.map((name) => `inventorypartnerdomain=${name}`).join('\n'));
    expect(domainsOfVariable(file, 'inventorypartnerdomain')).to.deep.equal(['named.example']);
    expect(adsTxtLocation({ type: 'web', domain: '1.2.3.999', developerDomain: null })).to.equal(null);
  });

  it('passes over a record that is longer than any is', () => {
    const { sellers } = parseAdsTxt(
      `a.example, 1, DIRECT, ${'c'.repeat(2_000)}\nb.example, 1, DIRECT, c # ${'c'.repeat(2_000)}`,
    );
    expect(sellers.map(({ domain }) => domain)).to.deep.equal(['b.example']);
  });

  it('reads variables in either case, more than once, with what stands behind a comma left out', () => {
    const file = parseAdsTxt(
      'SUBDOMAIN=divisionone.example.com\nsubdomain = DivisionTwo.example.com.\nManagerDomain=agency.example, US\nmanagerdomain=nonsense\nCONTACT=me',
    );
    expect(domainsOfVariable(file, 'subdomain')).to.deep.equal(['divisionone.example.com', 'divisiontwo.example.com']);
    expect(domainsOfVariable(file, 'managerdomain')).to.deep.equal(['agency.example']);
    expect(domainsOfVariable(file, 'ownerdomain')).to.deep.equal([]);
  });

  const places: [string, Parameters<typeof adsTxtLocation>[0], ReturnType<typeof adsTxtLocation>][] = [
    ['a web domain', web('news.com'), { path: '/ads.txt', hosts: ['news.com'], subdomain: null }],
    ['www', web('www.News.com'), { path: '/ads.txt', hosts: ['news.com'], subdomain: null }],
    [
      'a web subdomain',
      web('sport.news.co.uk'),
      { path: '/ads.txt', hosts: ['news.co.uk'], subdomain: 'sport.news.co.uk' },
    ],
    ['a bundle on the web', web('com.news'), { path: '/ads.txt', hosts: ['com.news'], subdomain: null }],
    ['an address', web('192.0.2.1'), null],
    ['a word', web('localhost'), null],
    ['a public suffix', web('co.uk'), null],
    [
      'an app with a developer',
      app('com.x.y', 'dev.com'),
      { path: '/app-ads.txt', hosts: ['dev.com'], subdomain: null },
    ],
    [
      'a developer on a subdomain',
      app('123456789', 'games.dev.com'),
      { path: '/app-ads.txt', hosts: ['games.dev.com', 'dev.com'], subdomain: null },
    ],
    [
      'a developer on www',
      app('123456789', 'www.dev.com'),
      { path: '/app-ads.txt', hosts: ['dev.com'], subdomain: null },
    ],
    ['a bundle without developer', app('com.example.app', null), null],
    ['what may be a bundle or a domain', app('com.example.news', null), null],
    ["a country's bundle", app('tv.example.play', null), null],
    ['a number', app('1234567890', null), null],
    [
      'a web domain as an app',
      app('example.com', null),
      { path: '/app-ads.txt', hosts: ['example.com'], subdomain: null },
    ],
  ];
  for (const [title, source, place] of places) {
    it(`looks for the file of ${title} ${place === null ? 'nowhere' : `at ${place.hosts.join(', ')}`}`, () => {
      expect(adsTxtLocation(source)).to.deep.equal(place);
    });
  }

  const follow = (from: string, ...hosts: string[]) =>
    hosts.reduce<RedirectChain | null>((way, host) => way && followRedirect(way, host), startRedirectChain(from));
  it('follows redirects within the root domain, once out of it, and no further', () => {
    expect(follow('news.com', 'www.news.com', 'news.com', 'cdn.news.com')).not.to.equal(null);
    expect(follow('news.com', 'www.news.com', 'manager.com')).not.to.equal(null);
    expect(follow('news.com', 'manager.com', 'www.manager.com')).to.equal(null);
    expect(follow('news.com', 'manager.com', 'news.com')).to.equal(null);
    expect(follow('news.com', ...Array<string>(6).fill('www.news.com'))).to.equal(null);
  });
});

function web(domain: string) {
  return { type: 'web' as const, domain, developerDomain: null };
}

function app(domain: string, developerDomain: string | null) {
  return { type: 'ctv' as const, domain, developerDomain };
}
