import { expect } from 'chai';
import { isCrossSiteForgery, isCrossSiteWebSocket } from '#gateways/management/identity/cross-site-requests';
import { originRules } from '#gateways/management/shell/own-origins';

const rules = originRules({
  publicBaseUrl: 'https://exchange.example',
  publicEdgeUrl: 'https://exchange.example:8081',
  publicCreativesUrl: 'https://creatives.example',
  regionUrls: [],
  allowedOrigins: ['https://app.example'],
  ownDomain: 'exchange.example',
});

describe('gateways/management/identity/cross-site-requests', () => {
  const cases: readonly (readonly [title: string, method: string, headers: Record<string, string>, forged: boolean])[] =
    [
      ['our own page', 'POST', { 'Sec-Fetch-Site': 'same-origin', Origin: 'https://exchange.example' }, false],
      [
        'our own page under another host name',
        'POST',
        { 'Sec-Fetch-Site': 'same-origin', Origin: 'http://10.0.0.1' },
        false,
      ],
      ['the address bar or a bookmark', 'POST', { 'Sec-Fetch-Site': 'none' }, false],
      ['another site', 'POST', { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' }, true],
      ['another site that hides', 'POST', { 'Sec-Fetch-Site': 'cross-site', Origin: 'null' }, true],
      ['another site without an origin', 'POST', { 'Sec-Fetch-Site': 'cross-site' }, true],
      ['a neighbour of ours', 'POST', { 'Sec-Fetch-Site': 'same-site', Origin: 'https://blog.exchange.example' }, true],
      [
        'an ad of our own host on another port',
        'POST',
        { 'Sec-Fetch-Site': 'same-site', Origin: 'https://exchange.example:8081' },
        true,
      ],
      [
        'an ad of an old browser',
        'POST',
        { Origin: 'https://exchange.example:8081', Host: 'exchange.example:8081' },
        true,
      ],
      [
        'an ad that a browser takes for our own page',
        'POST',
        { 'Sec-Fetch-Site': 'same-origin', Origin: 'https://exchange.example:8081' },
        true,
      ],
      ['our host on a port that is nobody’s', 'POST', { Origin: 'https://exchange.example:3000' }, true],
      ['a site on the allowlist', 'POST', { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://app.example' }, false],
      [
        'another scheme than the one on the allowlist',
        'PUT',
        { 'Sec-Fetch-Site': 'cross-site', Origin: 'http://app.example' },
        true,
      ],
      ['a site that claims what no browser says', 'POST', { 'Sec-Fetch-Site': 'ours' }, true],
      [
        'an old browser on our page',
        'DELETE',
        { Origin: 'http://exchange.internal:8080', Host: 'exchange.internal:8080' },
        false,
      ],
      [
        'an old browser on our page, behind a proxy',
        'PUT',
        { Origin: 'https://exchange.example', Host: 'node-1:8080' },
        false,
      ],
      ['an old browser on another site', 'POST', { Origin: 'https://evil.example', Host: 'exchange.example' }, true],
      ['an old browser on another port', 'POST', { Origin: 'http://node-1:9999', Host: 'node-1:8080' }, true],
      ['an old browser that hides', 'POST', { Origin: 'null', Host: 'exchange.example' }, true],
      ['no browser', 'POST', { Host: 'exchange.example' }, false],
      [
        'another site that only reads',
        'GET',
        { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' },
        false,
      ],
      [
        'another site that only asks',
        'OPTIONS',
        { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' },
        false,
      ],
    ];
  for (const [title, method, headers, forged] of cases) {
    it(`${forged ? 'refuses' : 'lets pass'} ${title}`, () => {
      const header = (name: string) => headers[name] ?? '';
      expect(isCrossSiteForgery({ method, header }, rules)).to.equal(forged);
    });
  }

  it('lets WebSockets of whole trusted origins pass, and of no other port of our host', () => {
    const forged = (origin: string, host = 'node-1:8080') =>
      isCrossSiteWebSocket({ header: (name) => ({ Origin: origin, Host: host })[name] ?? '' }, rules);
    expect(['https://exchange.example', 'https://app.example'].map((origin) => forged(origin))).to.deep.equal([
      false,
      false,
    ]);
    expect(forged('https://exchange.example:8081', 'exchange.example:8081')).to.equal(true);
    for (const origin of ['https://exchange.example:3000', 'https://creatives.example', 'null', '']) {
      expect(forged(origin), origin).to.equal(true);
    }
  });
});
