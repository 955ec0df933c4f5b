import { expect } from 'chai';
import { advertiserDomain, advertiserDomains, includesDomain } from '#exchange/auction/advertiser-domain';

describe('advertiser domains', () => {
  for (const stated of [
    'ford.example',
    'Ford.Example',
    'www.ford.example',
    ' https://www.ford.example/cars?x=1 ',
    'ford.example.',
    'http://ford.example:8080',
    'https://rival.example:443@ford.example/',
    'https:/ford.example\\.rival.example',
    '//ford.example',
    'ford.example...',
    'ｆord.example',
    'ford。example。',
    'ｗｗｗ.ford.example',
    'fo\u00adrd.example\u200b',
    '%66ord.example',
    'ford\t.exam\nple',
    'ht\ttps://%66ord.example:443/cars',
  ]) {
    it(`reads ${JSON.stringify(stated)}`, () => expect(advertiserDomain(stated)).to.equal('ford.example'));
  }

  it('reads an internationalised domain alike in its own letters and in ASCII', () => {
    for (const stated of [
      'bücher.example',
      'BÜCHER.Example',
      'bu\u0308cher.example',
      'https://www.b%C3%BCcher.example/',
    ]) {
      expect(advertiserDomain(stated), stated).to.equal('xn--bcher-kva.example');
    }
    const [own, ascii] = [advertiserDomains(['bücher.example']), advertiserDomains(['xn--bcher-kva.example'])];
    expect(includesDomain(own, 'shop.xn--bcher-kva.example')).to.equal(true);
    expect(includesDomain(ascii, 'shop.bücher.example')).to.equal(true);
    expect(includesDomain(ascii, 'xbücher.example')).to.equal(false);
  });

  for (const stated of ['no domain', '[::1', 'ü'.repeat(64), `${'ü.'.repeat(200)}example`]) {
    it(`leaves ${JSON.stringify(stated.slice(0, 10))} as it is, which is no domain`, () =>
      expect(advertiserDomain(stated)).to.equal(stated.replace(/:.*/, '')));
  }

  const blocked = advertiserDomains(['www.Ford.example', 'co.example', '']);
  for (const [expected, stated] of [
    [true, 'ford.example'],
    [true, 'shop.ford.example'],
    [true, 'a.b.co.example'],
    [false, 'notford.example'],
    [false, 'ford.example.net'],
    [false, 'example'],
    [false, ''],
    [false, '...'],
  ] as const) {
    it(`${expected ? 'finds' : 'does not find'} ${JSON.stringify(stated)}`, () =>
      expect(includesDomain(blocked, stated)).to.equal(expected));
  }

  it('finds the end of an endless name', () => {
    expect(includesDomain(blocked, `${'a.'.repeat(200_000)}ford.example`)).to.equal(true);
  });
});
