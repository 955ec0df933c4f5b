import { expect } from 'chai';
import { bidderHealth } from '#actors/bidder-health/bidder-health';
import { dsp } from '#actors/dsp/dsp';
import type { DspState } from '#actors/dsp/reduce';
import { ledger } from '#actors/ledger/ledger';
import { hourLedgerId } from '#actors/ledger/ledger-id';
import { eventually } from '../../support/eventually.ts';
import { PROVIDER_PAIRS } from '../../support/exchange.ts';
import { errorOf } from './management-client.ts';
import { type AccountClients, type RunningManagement, startManagement } from './running-management.ts';

for (const pair of PROVIDER_PAIRS)
  describe(`gateways/management/health, resets and budgets of demand sources on ${pair}`, () => {
    let running: RunningManagement;
    let own: AccountClients;
    let names = 0;

    before(async function () {
      running = await startManagement(this, pair);
      own = await running.newAccount();
    });
    after(() => running?.close());

    const create = async (more: object = {}): Promise<string> => {
      const body = { name: `Bidder ${++names}`, mode: 'rtb', endpoint_url: 'https://b.example/', ...more };
      const answer = await own.api.post('/api/demand/sources', body);
      expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
      return answer.body.id;
    };
    const delegate = { mode: 'delegate', endpoint_url: null };
    const archived = async () => {
      const id = await create();
      await own.api.delete(`/api/demand/sources/${id}`);
      return id;
    };
    const health = (id: string) => own.api.get(`/api/demand/sources/${id}/health`);
    const reset = (id: string, headers = {}) => own.api.post(`/api/demand/sources/${id}/reset`, undefined, headers);
    const budget = (id: string) => `/api/demand/dsp/${id}/budget`;
    const resetsOf = async (id: string) => {
      const [document] = await running.store.load([{ kind: dsp.kind, id }]);
      return (document!.state as DspState).breakerResets;
    };

    it('health is good where no edge has said anything, of a delegate too', async () => {
      const quiet = {
        circuit_breaker: 'closed',
        timeout_rate_5m: 0,
        error_rate_5m: 0,
        avg_latency_ms: 0,
        qps_current: 0,
        qps_limit: 10_000,
        daily_budget_remaining_cents: null,
        last_bid_at: null,
      };
      expect((await health(await create())).body).to.deep.equal(quiet);
      expect((await health(await create(delegate))).body).to.deep.equal(quiet);
      expect((await health(await archived())).body).to.deep.equal(quiet);
    });

    it('health of a delegate is what its ledgers say of its evaluations and bids', async () => {
      const id = await create(delegate);
      const minuteMs = Math.floor(Date.now() / 60_000) * 60_000;
      const facts = (atMs: number, counts: Record<string, number>) =>
        running.node.messenger.tell(ledger, hourLedgerId('dsp', id, atMs, false), 'facts', {
          ...{ minuteMs: atMs, region: 'fra', counts, counterparties: [], creatives: [], latency: {} },
        });
      await facts(minuteMs, { bidRequests: 1_200 });
      await facts(minuteMs - 3 * 60_000, { bidRequests: 5, bids: 1 });
      const lastBidAt = new Date(minuteMs - 3 * 60_000).toISOString();
      // While the books of an hour that is over are on their way to their day, the day alone may have the bid.
      const { body } = await eventually('the books to be followed', async () => {
        const answer = await health(id);
        return answer.body.last_bid_at === lastBidAt && answer.body.qps_current > 0 ? answer : null;
      });
      expect(body).to.include({ circuit_breaker: 'closed', timeout_rate_5m: 0, error_rate_5m: 0, avg_latency_ms: 0 });
      // Of 60 to 120 seconds.
      expect(body.qps_current).to.be.within(10, 20);
    });

    it('health is what the edges said', async () => {
      const id = await create({ daily_budget_cents: 1_000, qps_limit: 5 });
      const say = (edge: string, sighting: object, lastBidAtMs: number | null) => {
        const common = { region: 'fra', breaker: 'closed', callsPerSecond: 1, timeouts: 0, errors: 0 } as const;
        const calls = { calls: 2, timed: 2, latencyMicros: 30_000 };
        const body = { edge, resets: 0, sighting: { ...common, ...calls, ...sighting }, lastBidAtMs };
        return running.node.messenger.tell(bidderHealth, id, 'report', body);
      };
      await say('one', { timeouts: 1 }, Date.UTC(2026, 0, 1));
      await say(
        'other',
        { breaker: 'half_open', errors: 2, latencyMicros: 90_000, connectionProblem: 'certificate-expired' },
        null,
      );
      const { body } = await eventually('both edges to be heard', async () => {
        const answer = await health(id);
        return answer.body.qps_current === 2 ? answer : null;
      });
      expect(body).to.deep.equal({
        circuit_breaker: 'half_open',
        timeout_rate_5m: 0.25,
        error_rate_5m: 0.5,
        avg_latency_ms: 30,
        connection_problem: 'certificate-expired',
        qps_current: 2,
        qps_limit: 5,
        daily_budget_remaining_cents: 1_000,
        last_bid_at: '2026-01-01T00:00:00.000Z',
      });
    });

    it('a reset is counted once, however often the same request comes', async () => {
      const id = await create();
      const once = { 'Idempotency-Key': `reset ${id}` };
      for (let time = 0; time < 3; time++) expect((await reset(id, once)).body.circuit_breaker).to.equal('closed');
      expect(await resetsOf(id)).to.equal(1);
      await reset(id);
      expect(await resetsOf(id)).to.equal(2);
    });

    it('a reset of a delegate is 200; of an archived source, 409', async () => {
      const { status, body } = await reset(await create(delegate));
      expect([status, body.circuit_breaker]).to.deep.equal([200, 'closed']);
      expect(errorOf(await reset(await archived()))).to.equal('409 CONFLICT');
    });

    it('a reset is no change of the source: a client that read it may still change it', async () => {
      const id = await create();
      await reset(id);
      const changed = await own.api.put(`/api/demand/sources/${id}`, { timeout_ms: 90 }, { 'If-Match': '"1"' });
      expect(changed.status).to.equal(200);
    });

    it("a budget counts on the demand source's revision", async () => {
      const id = await create();
      const set = (cents: number, tag: string) =>
        own.api.put(budget(id), { daily_budget_cents: cents }, { 'If-Match': tag });
      expect((await own.api.get(budget(id))).headers.get('etag')).to.match(/^"1-/);
      const changed = await set(5, '"1"');
      expect(changed.status).to.equal(200);
      expect(changed.headers.get('etag')).to.match(/^"2-/);
      expect(errorOf(await set(6, '"1"'))).to.equal('412 PRECONDITION_FAILED');
      expect((await own.api.get(`/api/demand/sources/${id}`)).body.daily_budget_cents).to.equal(5);
    });

    it('none of it exists for others, nor for the sandbox', async () => {
      const id = await create();
      const { api: other } = await running.newAccount();
      for (const client of [other, own.sandboxApi]) {
        expect(errorOf(await client.get(`/api/demand/sources/${id}/health`))).to.equal('404 NOT_FOUND');
        expect(errorOf(await client.post(`/api/demand/sources/${id}/reset`))).to.equal('404 NOT_FOUND');
        expect(errorOf(await client.get(budget(id)))).to.equal('404 NOT_FOUND');
        expect(errorOf(await client.put(budget(id), { daily_budget_cents: 1 }))).to.equal('404 NOT_FOUND');
      }
      expect(await resetsOf(id)).to.equal(0);
    });

    for (const [wrong, limit] of [
      ['none', 0],
      ['more than anybody makes', 1_000_001],
      ['half a call', 0.5],
    ] as const) {
      it(`a limit of ${wrong} a second is refused`, async () => {
        const id = await create({ qps_limit: 10_000 });
        const answer = await own.api.put(`/api/demand/sources/${id}`, { qps_limit: limit });
        expect(errorOf(answer)).to.equal('400 VALIDATION_ERROR qps_limit');
      });
    }
  });
