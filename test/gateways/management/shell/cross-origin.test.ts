import { expect } from 'chai';
import { createManagement, type Management } from '#gateways/management/management';
import { originRules, registrableDomain } from '#gateways/management/shell/own-origins';
import { type Answer, managementClient } from '../management-client.ts';
import { type RunningManagement, startManagement } from '../running-management.ts';

const settings = {
  publicBaseUrl: 'https://exchange.example',
  publicEdgeUrl: 'https://ads.exchange.example:8081',
  publicCreativesUrl: 'https://creatives.example',
  regionUrls: [{ code: 'nyc' as const, url: 'https://nyc.exchange.example' }],
  ownDomain: 'exchange.example',
  allowedOrigins: ['https://partner.example:8443', 'https://creatives.example', 'https://nyc.exchange.example'],
};
const OURS = ['https://exchange.example', 'https://partner.example:8443'];

describe('gateways/management/shell/own-origins', () => {
  const { isTrusted } = originRules(settings);
  for (const origin of OURS) {
    it(`${origin} is ours`, () => expect(isTrusted(origin)).to.equal(true));
  }
  for (const origin of [
    'http://exchange.example',
    'https://exchange.example:3000',
    'https://ads.exchange.example:8081',
    'https://creatives.example',
    'https://nyc.exchange.example',
    'https://sub.exchange.example',
    'https://exchange.example.evil.example',
    'https://exchange.example@evil.example',
    'https://exchange.example/',
    'https://partner.example',
    'null',
    '*',
    '',
  ]) {
    it(`${JSON.stringify(origin)} is not`, () => expect(isTrusted(origin)).to.equal(false));
  }

  for (const origin of ['https://console.exchange.example', 'https://a.b.exchange.example:8443', ...OURS]) {
    it(`${origin} is of our domain, or listed`, () => expect(originRules(settings).isOwn(origin)).to.equal(true));
  }
  for (const origin of [
    'http://console.exchange.example',
    'https://ads.exchange.example',
    'https://ads.exchange.example:8081',
    'https://ads.exchange.example:9999',
    'https://ads.exchange.example.',
    'https://creatives.example',
    'https://nyc.exchange.example',
    'https://nyc.exchange.example:9999',
    'https://notexchange.example',
    'https://exchange.example.evil.example',
    'https://exchange.example@evil.example',
    'https://console.exchange.example/',
    'https://example',
    'https://10.0.0.1',
    'null',
    '',
  ]) {
    it(`${JSON.stringify(origin)} is not of our domain`, () =>
      expect(originRules(settings).isOwn(origin)).to.equal(false));
  }

  it('judges whole origins alone while no domain is set', () => {
    const { isOwn } = originRules({ ...settings, ownDomain: null });
    expect(['https://console.exchange.example', ...OURS].map(isOwn)).to.deep.equal([false, true, true]);
  });

  it('does not take two sites of one hosting company for one domain', () => {
    expect(registrableDomain('exchange.github.io')).to.equal('exchange.github.io');
    expect(registrableDomain('ads.exchange.co.uk')).to.equal('exchange.co.uk');
    expect(registrableDomain('co.uk')).to.equal(null);
  });

  it('trusts no page at all where ads are served from the origin of the management API', () => {
    const shared = originRules({ ...settings, publicEdgeUrl: 'https://exchange.example/' });
    expect(shared.isTrusted('https://exchange.example')).to.equal(false);
  });
});

describe('gateways/management/shell/cross-origin', () => {
  let running: RunningManagement;
  let management: Management;
  let ask: (method: string, path: string, headers: Record<string, string>) => Promise<Answer>;
  before(async function () {
    running = await startManagement(this);
    management = createManagement({ ...running.parts, settings: { ...running.parts.settings, ...settings } });
    const client = managementClient(`http://127.0.0.1:${await management.listen(0, '127.0.0.1')}`);
    ask = (method, path, headers) => client.request(method, path, { headers });
  });
  after(async () => {
    await management.close();
    await running.close();
  });

  const own = 'https://exchange.example';
  const preflight = (origin: string, method: string) =>
    ask('OPTIONS', '/api/supply/sources', {
      Origin: origin,
      'Access-Control-Request-Method': method,
      'Access-Control-Request-Headers': 'x-api-key,if-match',
    });
  const allowed = ({ headers }: Answer) => headers.get('access-control-allow-origin');

  it('lets our own pages and listed ones read answers, with credentials', async () => {
    for (const origin of OURS) {
      const { headers } = await ask('GET', '/api/health', { Origin: origin });
      expect(headers.get('access-control-allow-origin')).to.equal(origin);
      expect(headers.get('access-control-allow-credentials')).to.equal('true');
      expect(headers.get('vary')).to.include('Origin');
      const exposed = headers.get('access-control-expose-headers');
      for (const name of ['X-RateLimit-Remaining', 'ETag', 'X-Request-Id']) expect(exposed).to.include(name);
    }
  });

  it('lets pages of other hosts of the domain read answers to their keys, and to no session', async () => {
    const origin = 'https://console.exchange.example';
    for (const answer of [await ask('GET', '/api/health', { Origin: origin }), await preflight(origin, 'PATCH')]) {
      expect(allowed(answer)).to.equal(origin);
      expect(answer.headers.get('access-control-allow-credentials')).to.equal(null);
    }
    const ann = await running.newUser(running.accountId);
    const headers = { Origin: origin, 'Sec-Fetch-Site': 'same-site', 'Content-Type': 'application/json' };
    const bySession = await ask('POST', '/api/supply/sources', { ...headers, Cookie: ann.cookie });
    expect(bySession.status).to.be.oneOf([401, 403]);
    expect((await ask('POST', '/api/supply/sources', { ...headers, 'X-API-Key': running.liveKey })).status).to.equal(
      400,
    );
  });

  it('lets them read errors too', async () => {
    for (const path of ['/api/supply/sources', '/nothing']) {
      const answer = await ask('GET', path, { Origin: own });
      expect([answer.status >= 400, allowed(answer)]).to.deep.equal([true, own]);
    }
  });

  it('lets them send changes, with our headers', async () => {
    for (const method of ['PUT', 'DELETE', 'POST']) {
      const { status, headers } = await preflight(own, method);
      expect(status).to.equal(204);
      expect(headers.get('access-control-allow-origin')).to.equal(own);
      expect(headers.get('access-control-allow-methods')).to.include(method);
      const names = headers.get('access-control-allow-headers');
      for (const name of [
        'X-API-Key',
        'X-Sandbox',
        'X-User-Partner-ID',
        'Idempotency-Key',
        'If-Match',
        'Content-Type',
      ]) {
        expect(names).to.include(name);
      }
      expect(Number(headers.get('access-control-max-age'))).to.be.above(0);
    }
  });

  it('says nothing to other pages, whatever they ask', async () => {
    for (const origin of [
      'https://evil.example',
      'null',
      'http://exchange.example',
      settings.publicEdgeUrl,
      settings.publicCreativesUrl,
    ]) {
      const read = await ask('GET', '/api/health', { Origin: origin });
      for (const answer of [read, await preflight(origin, 'PUT')]) {
        const names = [...answer.headers.keys()].filter((name) => name.startsWith('access-control-'));
        expect(names, origin).to.deep.equal([]);
        expect(answer.headers.get('vary')).to.include('Origin');
      }
    }
  });

  it('serves no route under its path in another case', async () => {
    for (const path of ['/API/health', '/api/HEALTH', '/Docs']) {
      expect((await ask('GET', path, {})).status, path).to.equal(404);
    }
  });
});
