import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import {
  callJson,
  PROVIDER_PAIRS,
  realProviders,
  startTestExchange,
  type TestExchange,
} from '../../support/exchange.ts';
import { firstRelease, type Leftovers, leaveBehind, leftYesterday } from './first-release.ts';

const live = { 'X-API-Key': firstRelease.BOOTSTRAP_API_KEY };
const sandbox = { 'X-API-Key': firstRelease.BOOTSTRAP_SANDBOX_API_KEY };
const sandboxPublisher = '00000000-0000-4000-8000-00000000000a';
/** Of one live impression, in cents: its fee is 0. */
const CENTS = 0.3217;

for (const pair of PROVIDER_PAIRS)
  describe(`an exchange on what release 0.1.0 left behind, on ${pair}`, () => {
    let folder: string;
    let left: Leftovers;
    let running: TestExchange;

    before(async function () {
      folder = await mkdtemp(join(tmpdir(), 'exchange-upgrade-'));
      const environment = {
        ...firstRelease,
        DATA_DIR: join(folder, 'data'),
        ...(pair === 'embedded' ? {} : realProviders(this)),
      };
      left = leftYesterday();
      await leaveBehind(left, environment);
      running = await startTestExchange(this, pair, environment);
    });
    after(async () => {
      await running?.stop();
      await rm(folder, { recursive: true, force: true });
    });

    const get = async (path: string, headers: Record<string, string> = live) => {
      const answer = await running.call('GET', path, undefined, headers);
      expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).to.equal(200);
      return answer;
    };

    it('knows its keys, sources and pools, each at its first revision', async () => {
      const { ids } = left;
      const site = await get(`/api/supply/sources/${ids.site}`);
      expect(site.headers.get('etag')).to.equal('"1"');
      expect(site.body).to.include({
        name: 'Live site',
        domain: 'x.example',
        status: 'active',
        pool_id: ids.pool,
        floor_price_cpm: 1,
        content_genre: 'news',
        seller_type: 'PUBLISHER',
        is_confidential: false,
      });
      expect((await get(`/api/supply/sources/${ids.gone}`)).body.status).to.equal('archived');
      expect((await get('/api/supply/sources')).body.total).to.equal(4);
      expect((await get('/api/demand/sources')).body.dsps.map(({ name }: { name: string }) => name)).to.deep.equal([
        'Live buyer, renamed',
        'Delegate',
      ]);
      expect((await get(`/api/supply/pools/${ids.pool}`)).body).to.include({ publisher_count: 1, dsp_count: 2 });
      expect((await get(`/api/demand/sources/${ids.dsp}/pools`)).body.pools).to.have.length(1);
      expect((await get('/sellers.json')).body.sellers).to.have.length(3);
    });

    it('has every impression in the books of both sides, those that nobody had read too', async () => {
      const { ids, impressions } = left;
      await eventually('the books of both sides', async () => {
        const { body: sold } = await get(`/api/supply/sources/${ids.site}/stats?period=7d`);
        const { body: bought } = await get(`/api/demand/sources/${ids.dsp}/stats?period=7d`);
        expect([sold.impressions, bought.impressions]).to.deep.equal([impressions.live, impressions.live]);
        expect(sold.revenue_cents).to.equal(Number((impressions.live * CENTS).toFixed(4)));
        expect(bought.spend_cents).to.equal(sold.revenue_cents);
        const { body: all } = await get('/api/metrics?period=7d');
        expect([all.impressions, all.revenue_cents]).to.deep.equal([impressions.live, sold.revenue_cents]);
        const { body: rehearsed } = await get(`/api/supply/sources/${sandboxPublisher}/stats?period=7d`, sandbox);
        expect(rehearsed.impressions).to.equal(impressions.sandbox);
        return true;
      });
      expect((await callJson('GET', `${running.opsUrl}/metrics`)).body).not.to.match(
        /^actor_dead_letters_total\{.*\} [1-9]/m,
      );
    });

    it('keeps what names were taken, and those that were given up free', async () => {
      const create = (name: string) =>
        running.call('POST', '/api/supply/sources', { name, domain: 'z.example', type: 'web' }, live);
      for (const taken of ['Live site', 'Late 0', 'late 1']) expect((await create(taken)).status, taken).to.equal(409);
      expect((await create('Gone site')).status).to.equal(201);
    });

    it('changes what it found, from its first revision on', async () => {
      const { ids } = left;
      const first = { ...live, 'If-Match': '"1"' };
      for (const [path, body] of [
        [`/api/supply/sources/${ids.site}`, { floor_price_cpm: 2, name: 'Site, renamed' }],
        [`/api/demand/sources/${ids.dsp}`, { daily_budget_cents: 5 }],
        [`/api/supply/pools/${ids.pool}`, { description: 'Changed' }],
      ] as const) {
        const changed = await running.call('PUT', path, body, first);
        expect(changed.status, JSON.stringify(changed.body)).to.equal(200);
        expect(changed.headers.get('etag')).to.match(/^"2\b/);
        expect((await running.call('PUT', path, body, first)).status).to.equal(412);
      }
      const cookie = await running.logIn();
      for (const path of [`/api/supply/sources/${ids.late[0]}/key`, `/api/demand/sources/${ids.delegate}/key`]) {
        expect((await callJson('POST', `${running.baseUrl}${path}`, undefined, { Cookie: cookie })).status).to.equal(
          201,
        );
      }
    });

    it('flushes its sandbox and nothing else', async () => {
      const answer = await running.call('POST', '/api/sandbox/reset', undefined, sandbox);
      expect(answer.status).to.equal(200);
      const { body } = await get(`/api/supply/sources/${sandboxPublisher}/stats?period=7d`, sandbox);
      expect(body.impressions).to.equal(0);
      const { body: sold } = await get(`/api/supply/sources/${left.ids.site}/stats?period=7d`);
      expect(sold.impressions).to.equal(left.impressions.live);
    });

    if (pair === 'embedded')
      it('fills the first sandbox request', async () => {
        const request = { id: 'r', imp: [{ id: '1', banner: { w: 300, h: 250 } }], site: { id: sandboxPublisher } };
        const answer = await callJson('POST', `${running.edgeUrl}/rtb`, request);
        expect(answer.status).to.equal(200);
      });
  });
