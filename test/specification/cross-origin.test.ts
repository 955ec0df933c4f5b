import { expect } from 'chai';
import { callJson } from '../support/exchange.ts';
import { againstExchange } from './against-exchange.ts';
import { shows } from './shows.ts';

againstExchange(
  'cross-origin requests',
  (exchange) => {
    /** The origin that may read the answer, and the one that may send a PUT, as the answers say it. */
    const allowed = async (origin: string) => {
      const url = `${exchange.running.baseUrl}/api/supply/sources`;
      const read = await callJson('GET', url, undefined, { Origin: origin, 'X-API-Key': exchange.running.liveKey });
      const preflight = await callJson('OPTIONS', url, undefined, {
        Origin: origin,
        'Access-Control-Request-Method': 'PUT',
        'Access-Control-Request-Headers': 'x-api-key',
      });
      return [read, preflight].map(({ headers }) => headers.get('access-control-allow-origin'));
    };
    shows('auth.cors.own', async () => {
      const own = exchange.running.baseUrl;
      expect(await allowed(own)).to.deep.equal([own, own]);
    });
    shows('auth.cors.allowlist', async () => {
      expect(await allowed('https://other.example')).to.deep.equal([null, null]);
      const listed = 'https://listed.example';
      expect(await allowed(listed)).to.deep.equal([listed, listed]);
    });
  },
  { environment: { CORS_ORIGINS: 'https://listed.example' } },
);

againstExchange(
  'cross-origin requests of a domain that is set',
  (exchange) => {
    const read = (origin: string) =>
      callJson('GET', `${exchange.running.baseUrl}/api/supply/sources`, undefined, {
        Origin: origin,
        'X-API-Key': exchange.running.liveKey,
      });
    shows('auth.cors.own', async () => {
      for (const origin of ['http://exchange.example', 'http://dashboard.exchange.example:3000']) {
        const { headers } = await read(origin);
        expect(headers.get('access-control-allow-origin')).to.equal(origin);
        expect(headers.get('access-control-allow-credentials')).to.equal(null);
      }
      const own = (await read(exchange.running.baseUrl)).headers;
      expect(own.get('access-control-allow-credentials')).to.equal('true');
      for (const origin of [
        'https://exchange.example',
        'http://exchange.example.evil.example',
        exchange.running.edgeUrl,
      ]) {
        expect((await read(origin)).headers.get('access-control-allow-origin'), origin).to.equal(null);
      }
    });
  },
  { environment: { EXCHANGE_DOMAIN: 'ads.exchange.example' } },
);
