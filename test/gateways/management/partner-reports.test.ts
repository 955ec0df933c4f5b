import { expect } from 'chai';
import { PROVIDER_PAIRS } from '../../support/exchange.ts';
import { bookLedgers } from './book-ledgers.ts';
import { errorOf, type ManagementClient } from './management-client.ts';
import { type AccountClients, type RunningManagement, startManagement } from './running-management.ts';

const absentId = 'ffffffff-ffff-4fff-8fff-ffffffffffff';
const DAY_MS = 86_400_000;

for (const pair of PROVIDER_PAIRS)
  describe(`gateways/management/partner endpoints on ${pair}`, () => {
    let running: RunningManagement;
    let own: AccountClients;
    let partnerId: string;
    let partner: ManagementClient;
    let other: ManagementClient;
    // biome-ignore lint/suspicious/noExplicitAny: whatever the API answers
    let publisher: any, dsp: any, rehearsal: any, archived: any, elsewhere: any;

    const made = async (path: string, body: object, client = own.api) => {
      const answer = await client.post(path, body);
      expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
      return answer.body;
    };

    before(async function () {
      running = await startManagement(this, pair);
      own = await running.newAccount();
      partnerId = (await made('/api/partners', { name: 'One' })).id;
      const otherId = (await made('/api/partners', { name: 'Two' })).id;
      partner = own.api.as({ 'X-User-Partner-ID': partnerId });
      other = own.api.as({ 'X-User-Partner-ID': otherId });
      const source = { domain: 'd.example', type: 'web' };
      publisher = await made('/api/supply/sources', { ...source, name: 'First' }, partner);
      rehearsal = await made('/api/supply/sources', { ...source, name: 'Rehearsal', sandbox: true }, partner);
      archived = await made('/api/supply/sources', { ...source, name: 'Gone' }, partner);
      archived = (await partner.delete(`/api/supply/sources/${archived.id}`)).body;
      elsewhere = await made('/api/supply/sources', { ...source, name: 'Elsewhere' }, other);
      dsp = await made('/api/demand/sources', { name: 'Buyer', mode: 'delegate' }, partner);
      const stranger = await made('/api/demand/sources', { name: 'Stranger', mode: 'delegate' }, other);
      await bookLedgers(running, [
        { scope: 'publisher', id: publisher.id, counterparty: stranger.id },
        { scope: 'publisher', id: publisher.id, counterparty: dsp.id, atMs: Date.now() - 3 * DAY_MS },
        { scope: 'publisher', id: rehearsal.id, counterparty: dsp.id, sandbox: true },
        { scope: 'publisher', id: elsewhere.id, counterparty: dsp.id },
        { scope: 'dsp', id: dsp.id, counterparty: elsewhere.id },
        { scope: 'dsp', id: stranger.id, counterparty: publisher.id },
      ]);
    });
    after(() => running?.close());

    it('list the partner’s sources of the context', async () => {
      const list = async (path: string, client = partner) => (await client.get(`/api/partner/${path}`)).body;
      expect(await list('publishers')).to.deep.equal({ publishers: [publisher, archived], total: 2 });
      expect(await list('publishers?status=active')).to.deep.equal({ publishers: [publisher], total: 1 });
      expect(await list('publishers?sandbox=true')).to.deep.equal({ publishers: [rehearsal], total: 1 });
      expect(await list('publishers', other)).to.deep.equal({ publishers: [elsewhere], total: 1 });
      expect(await list('dsps')).to.deep.equal({ dsps: [dsp], total: 1 });
      expect(await list('dsps?sandbox=true')).to.deep.equal({ dsps: [], total: 0 });
      expect(errorOf(await partner.get('/api/partner/dsps?status=x'))).to.equal('400 INVALID_PARAMS status');
    });

    it('give the figures of the partner’s sources alone', async () => {
      const figures = { auctions: 2000, impressions: 1000, revenue_cents: 200, bid_requests_sent: 2000 };
      const { body: stats } = await partner.get('/api/partner/stats');
      expect(stats).to.include({ partner_id: partnerId, period: '24h', ...figures });
      const { body: metrics } = await partner.get('/api/metrics/partner');
      expect(metrics).to.include({ period: '24h', ...figures });
      const { partner_id: _, ...same } = stats;
      expect(Object.keys(metrics)).to.have.members(Object.keys(same));
      expect((await partner.get('/api/metrics')).body).to.include(figures);
      expect((await partner.get('/api/partner/stats?period=7d')).body).to.include({ impressions: 2000 });
      expect((await partner.get('/api/partner/stats?region=nyc')).body).to.include({ impressions: 0 });
      expect((await partner.get('/api/metrics/partner?sandbox=true')).body).to.include({ impressions: 1000 });
      expect((await own.api.get('/api/metrics')).body).to.include({ impressions: 2000, revenue_cents: 400 });
    });

    it('have a time series where the platform has', async () => {
      const { body } = await partner.get('/api/metrics/partner?breakdown=time&period=7d');
      expect(body.buckets).to.have.length(8);
      const total = body.buckets.reduce((sum: number, one: { revenue_cents: number }) => sum + one.revenue_cents, 0);
      expect(total).to.equal(400);
    });

    it('need X-User-Partner-ID, of the account', async () => {
      const stranger = await running.newAccount();
      const strange = stranger.api.as({ 'X-User-Partner-ID': partnerId });
      for (const path of [
        '/api/partner/publishers',
        '/api/partner/dsps',
        '/api/partner/stats',
        '/api/metrics/partner',
      ]) {
        expect(errorOf(await own.api.get(path)), path).to.equal('403 FORBIDDEN');
        expect(errorOf(await strange.get(path)), path).to.equal('403 FORBIDDEN');
        expect(errorOf(await running.anonymous.get(path)), path).to.equal('401 UNAUTHORIZED');
      }
    });

    describe('report', () => {
      const path = (query: string) => `/api/partner/report?publisher_id=${publisher.id}${query}`;

      it('has a row for each day, today last', async () => {
        for (const client of [partner, own.api]) {
          const { body } = await client.get(path(''));
          expect(body.publisher_id).to.equal(publisher.id);
          expect(body.days).to.have.length(31);
          const traded = { auctions: 2000, impressions: 1000, fill_rate: 0.25, revenue_cents: 200, ecpm_cents: 200 };
          const today = new Date().toISOString().slice(0, 10);
          expect(body.days.at(-1)).to.deep.equal({ date: today, ...traded });
          expect(body.days.at(-4)).to.include(traded);
          expect(body.days.at(-2)).to.include({ auctions: 0, impressions: 0, revenue_cents: 0 });
        }
        expect((await partner.get(path('&period=7d'))).body.days).to.have.length(8);
      });

      it('is CSV for those who ask for that', async () => {
        const { headers, body } = await own.api.get(path('&period=7d'), { Accept: 'text/csv' });
        expect(headers.get('content-type')).to.match(/^text\/csv/);
        const lines = body.trim().split(/\r?\n/);
        expect(lines).to.have.length(9);
        expect(lines[0]).to.equal('date,auctions,impressions,fill_rate,revenue_cents,ecpm_cents');
        expect(lines[8]).to.match(/^\d{4}-\d\d-\d\d,2000,1000,0\.25,200,200$/);
      });

      it('is of a publisher that the caller sees', async () => {
        expect(errorOf(await other.get(path('')))).to.equal('404 NOT_FOUND');
        expect(errorOf(await own.sandboxApi.get(path('')))).to.equal('404 NOT_FOUND');
        const unknown = await partner.get(`/api/partner/report?publisher_id=${absentId}`);
        expect(errorOf(unknown)).to.equal('404 NOT_FOUND');
        expect(errorOf(await partner.get('/api/partner/report'))).to.equal('400 INVALID_PARAMS publisher_id');
        const malformed = await partner.get('/api/partner/report?publisher_id=x');
        expect(errorOf(malformed)).to.equal('400 INVALID_PARAMS publisher_id');
        expect(errorOf(await partner.get(path('&period=1h')))).to.equal('400 INVALID_PARAMS period');
      });
    });

    it('name the counterparties of a source, of any partner', async () => {
      const { body } = await partner.get(`/api/metrics/publisher/${publisher.id}`);
      expect(body.dsp_breakdown.map((entry: { dsp_name: string }) => entry.dsp_name)).to.deep.equal(['Stranger']);
    });
  });
