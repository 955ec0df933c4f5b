import { expect } from 'chai';
import { PROVIDER_PAIRS } from '../../support/exchange.ts';
import { MovedClock } from './auth/moved-clock.ts';
import { bookLedgers } from './book-ledgers.ts';
import { type RunningManagement, startManagement } from './running-management.ts';

const DAY_MS = 86_400_000;

for (const pair of PROVIDER_PAIRS)
  describe(`gateways/management at midnight, UTC, on ${pair}`, () => {
    const clock = new MovedClock();
    let running: RunningManagement;
    before(async function () {
      running = await startManagement(this, pair, { clock });
    });
    after(() => running?.close());

    it('a budget is whole again, and the day before stays what it was', async () => {
      const { api } = running;
      const midnight = (Math.floor(Date.now() / DAY_MS) + 1) * DAY_MS;
      const create = async (path: string, body: object): Promise<string> => (await api.post(path, body)).body.id;
      const dsp = await create('/api/demand/sources', { name: 'Buyer', mode: 'delegate', daily_budget_cents: 300 });
      const site = await create('/api/supply/sources', { name: 'Site', domain: 's.example', type: 'web' });
      await bookLedgers(running, [
        { scope: 'dsp', id: dsp, counterparty: site, atMs: midnight - 60_000 },
        { scope: 'publisher', id: site, counterparty: dsp, atMs: midnight - 60_000 },
      ]);
      const budget = (headers = {}) => api.get(`/api/demand/dsp/${dsp}/budget`, headers);
      const at = async (ms: number) => {
        clock.move(ms - clock.now());
        const health = await api.get(`/api/demand/sources/${dsp}/health`);
        const { body, headers } = await budget();
        expect(health.body.daily_budget_remaining_cents).to.equal(Math.floor(body.remaining_cents));
        return { ...body, tag: headers.get('etag') };
      };
      const spent = await at(midnight - 30_000);
      expect(spent).to.include({ spent_today_cents: 250, remaining_cents: 50 });
      expect(spent.resets_at).to.equal(new Date(midnight).toISOString());
      const whole = await at(midnight);
      expect(whole).to.include({ spent_today_cents: 0, remaining_cents: 300 });
      expect(whole.resets_at).to.equal(new Date(midnight + DAY_MS).toISOString());
      expect((await budget({ 'If-None-Match': spent.tag })).status).to.equal(200);

      const { body: report } = await api.get(`/api/partner/report?publisher_id=${site}&period=7d`);
      const days = report.days.map(({ impressions }: { impressions: number }) => impressions);
      expect(days).to.deep.equal([0, 0, 0, 0, 0, 0, 1000, 0]);
      const today = await api.get(`/api/supply/sources/${site}/stats?period=today`);
      const hour = await api.get(`/api/supply/sources/${site}/stats?period=1h`);
      expect([today.body.impressions, hour.body.impressions]).to.deep.equal([0, 1000]);
    });
  });
