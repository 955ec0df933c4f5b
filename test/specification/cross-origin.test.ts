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
