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
  ]) {
    it(`reads ${JSON.stringify(stated)}`, () => expect(advertiserDomain(stated)).to.equal('ford.example'));
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
