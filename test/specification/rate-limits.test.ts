import { expect } from 'chai';
import { type Answer, callJson, PROVIDER_PAIRS } from '../support/exchange.ts';
import { againstExchange, errorOf } from './against-exchange.ts';
import { openOtherAccount } from './other-account.ts';
import { shows } from './shows.ts';

const names = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];
const rateOf = ({ headers }: Answer) => names.map((name) => Number(headers.get(name) ?? Number.NaN));

againstExchange(
  'rate limits',
  (exchange) => {
    /** Calls with the key of an account that has made one request: for this key. */
    const newAccount = async (fields: object) => {
      const key = await openOtherAccount(exchange, fields);
      return (method = 'GET', path = '/api/supply/sources') =>
        callJson(method, `${exchange.running.baseUrl}${path}`, undefined, { 'X-API-Key': key });
    };

    /** The account has `limit` requests in a minute, that for its key among them, and not one more. */
    const holds = async (call: () => Promise<Answer>, limit: number) => {
      const left = limit - 1;
      const answers: Answer[] = [];
      while (answers.length < left) {
        const batch = Math.min(50, left - answers.length);
        answers.push(...(await Promise.all(Array.from({ length: batch }, () => call()))));
      }
      expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([200]));
      expect(new Set(answers.map((answer) => rateOf(answer)[1])).size).to.equal(left);
      expect(errorOf(await call())).to.equal('429 RATE_LIMITED');
    };

    shows('limit.rate.standard', async () => holds(await newAccount({ tier: 'standard' }), 1000));
    shows('limit.rate.partner', async () => {
      const call = await newAccount({ tier: 'partner' });
      expect(rateOf(await call()).slice(0, 2)).to.deep.equal([5000, 4998]);
      expect(rateOf(await call()).slice(0, 2)).to.deep.equal([5000, 4997]);
    });
    shows('limit.rate.enterprise', async () =>
      holds(await newAccount({ tier: 'enterprise', requests_per_minute: 7 }), 7),
    );
    shows(['limit.rate.429', 'error.429.RATE_LIMITED'], async () => {
      const call = await newAccount({ tier: 'enterprise', requests_per_minute: 2 });
      await call();
      const refused = await call();
      expect(errorOf(refused)).to.equal('429 RATE_LIMITED');
      expect(refused.headers.get('retry-after')).to.equal('60');
      const [limit, remaining, reset] = rateOf(refused);
      expect([limit, remaining]).to.deep.equal([2, 0]);
      expect(refused.body.error.reset_at).to.be.closeTo(reset!, 1);
      expect(reset).to.be.closeTo(Date.now() / 1000 + 60, 5);
    });
    shows('limit.rate.headers', async () => {
      const call = await newAccount({});
      const answers = [
        await call(),
        await call('HEAD'),
        await call('OPTIONS'),
        await call('DELETE'),
        await call('GET', '/nothing'),
        await call('GET', '/api/supply/sources?per_page=x'),
        await call('GET', '/docs'),
        await callJson('GET', `${exchange.running.baseUrl}/api/supply/sources`),
        await callJson('GET', `${exchange.running.baseUrl}/api/supply/sources`, undefined, {
          'X-API-Key': 'pk_live_x',
        }),
      ];
      expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200, 405, 404, 400, 200, 401, 401]);
      for (const answer of answers) for (const value of rateOf(answer)) expect(value).to.be.at.least(0);
    });
    shows('limit.rate.edge', async () => {
      const { headers } = await callJson('GET', `${exchange.running.edgeUrl}/track/impression?id=none`);
      for (const name of names) expect(headers.has(name), name).to.equal(false);
    });
  },
  { pairs: PROVIDER_PAIRS },
);

againstExchange(
  'rate limits without a key',
  (exchange) => {
    shows('limit.rate.anonymous', async () => {
      const from = (address: string) =>
        callJson('GET', `${exchange.running.baseUrl}/api/health`, undefined, { 'X-Forwarded-For': address });
      const left: number[] = [];
      for (let call = 0; call < 3; call++) left.push(rateOf(await from('198.51.100.7'))[1]!);
      expect(left).to.deep.equal([2, 1, 0]);
      expect(errorOf(await from('198.51.100.7'))).to.equal('429 RATE_LIMITED');
      expect((await from('198.51.100.8')).status).to.equal(200);
    });
  },
  { environment: { ANONYMOUS_REQUESTS_PER_MINUTE: '3', TRUST_PROXY_HOPS: '1' } },
);
