import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { type AuditEntry, auditEntry } from '#actors/audit-entry/audit-entry';
import { eventually } from '../../support/eventually.ts';
import { PROVIDER_PAIRS } from '../../support/exchange.ts';
import { tellAuctionRecord } from '../../support/recorded-auction.ts';
import { strategyOf } from './access-matrix/delegate.ts';
import { bookLedgers } from './book-ledgers.ts';
import { errorOf, type ManagementClient } from './management-client.ts';
import { type RunningManagement, startManagement, type UserClient } from './running-management.ts';

for (const pair of PROVIDER_PAIRS)
  describe(`gateways/management/own source: what its people read, on ${pair}`, () => {
    let running: RunningManagement;
    let publisher: string;
    let rehearsal: string;
    let bidder: string;
    let delegate: string;
    let people: Record<'publisher' | 'rehearsal' | 'bidder' | 'delegate', UserClient>;

    const made = async (path: string, body: object): Promise<string> => {
      const answer = await running.api.post(path, { name: randomUUID(), ...body });
      expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
      return answer.body.id;
    };
    const read = async (client: ManagementClient, path: string) => {
      const { status, body } = await client.get(path);
      expect(status, `${path} ${JSON.stringify(body)}`).to.equal(200);
      return body;
    };

    before(async function () {
      running = await startManagement(this, pair, { settings: { allowPrivateNetworks: true } });
      const pool = await made('/api/supply/pools', { name: 'Harbour', floor_price_cpm: 1.5 });
      const source = { domain: 'd.example', type: 'web' };
      publisher = await made('/api/supply/sources', { ...source, name: 'News', pool_id: pool, floor_price_cpm: 2 });
      rehearsal = await made('/api/supply/sources', { ...source, name: 'Rehearsal', sandbox: true });
      const endpoint_url = 'http://127.0.0.1:9/bid';
      const budget = { daily_budget_cents: 1000, qps_limit: 50, timeout_ms: 90 };
      bidder = await made('/api/demand/sources', { name: 'Buyer', mode: 'rtb', endpoint_url, ...budget });
      delegate = await made('/api/demand/sources', { name: 'Left', mode: 'delegate' });
      const of = (type: 'publisher' | 'dsp', id: string) => running.newUserOf(running.accountId, { type, id });
      people = {
        publisher: await of('publisher', publisher),
        rehearsal: await of('publisher', rehearsal),
        bidder: await of('dsp', bidder),
        delegate: await of('dsp', delegate),
      };
      await bookLedgers(running, [
        { scope: 'publisher', id: publisher, counterparty: bidder },
        { scope: 'publisher', id: rehearsal, counterparty: delegate, sandbox: true },
        { scope: 'dsp', id: bidder, counterparty: publisher },
      ]);
    });
    after(() => running?.close());

    it('is the profile of a publisher, with what its tags and its ads.txt need', async () => {
      const profile = await read(people.publisher.api, '/api/source/profile');
      const verification = await read(running.api, `/api/supply/sources/${publisher}/verification`);
      expect(profile).to.deep.include({
        ...{ id: publisher, name: 'News', domain: 'd.example', type: 'web', status: 'active', sandbox: false },
        ...{ pool_name: 'Harbour', pool_floor_cpm: 1.5, floor_price_cpm: 2, edge_url: 'http://localhost:8081' },
        ...{ key_created_at: null, require_key: false, verification },
      });
      expect(profile.verification.expected_line).to.contain(publisher);
      expect(profile).not.to.have.any.keys('account_id', 'partner_id', 'pool_id', 'fill_rate_alert_threshold');
      const inSandbox = await read(people.rehearsal.api, '/api/source/profile');
      expect(inSandbox).to.include({ status: 'sandbox', sandbox: true, pool_name: null, pool_floor_cpm: 0 });
    });

    it('is the profile of a demand source, with the budget and the health that its account reads', async () => {
      for (const [client, id] of [
        [people.bidder, bidder],
        [people.delegate, delegate],
      ] as const) {
        const profile = await read(client.api, '/api/demand/profile');
        const source = await read(running.api, `/api/demand/sources/${id}`);
        const { partner_id: _, updated_at: __, daily_budget_cents: ___, ...shown } = source;
        expect(profile).to.deep.include(shown);
        expect(profile.health).to.deep.equal(await read(running.api, `/api/demand/sources/${id}/health`));
        expect(profile.budget).to.deep.equal(await read(running.api, `/api/demand/dsp/${id}/budget`));
        expect(profile).not.to.have.any.keys('account_id', 'partner_id');
      }
    });

    it('is its metrics, as its account reads them, and over time', async () => {
      const same = [
        [people.publisher, '/api/source/metrics', `/api/metrics/publisher/${publisher}`],
        [people.bidder, '/api/demand/metrics', `/api/metrics/dsp/${bidder}`],
      ] as const;
      for (const [{ api }, own, ofAccount] of same) {
        for (const query of ['', '?period=7d', '?period=24h&breakdown=time', '?region=nyc']) {
          expect(await read(api, `${own}${query}`), query).to.deep.equal(
            await read(running.api, `${ofAccount}${query}`),
          );
        }
        expect(errorOf(await api.get(`${own}?breakdown=dsp`))).to.match(/^400 \w+ breakdown$/);
      }
      const sold = await read(people.publisher.api, '/api/source/metrics');
      expect(sold.dsp_breakdown.map(({ dsp_name }: { dsp_name: string }) => dsp_name)).to.deep.equal(['Buyer']);
    });

    it('is of the sandbox where the source is in it, whatever is asked for', async () => {
      const sandbox = { 'X-Sandbox': 'true' };
      const ofAccount = (await running.api.get(`/api/metrics/publisher/${rehearsal}`, sandbox)).body;
      expect(await read(people.rehearsal.api, '/api/source/metrics?sandbox=false')).to.deep.equal(ofAccount);
      expect(ofAccount.impressions).to.equal(1000);
      const record = (fields: object) => tellAuctionRecord(running.parts, { atMs: Date.now(), ...fields });
      const sold = { id: rehearsal, accountId: running.accountId, generation: 0 };
      const [own, live] = [await record({ sandbox: true, publisher: sold }), await record({ publisher: sold })];
      expect((await read(people.rehearsal.api, `/api/source/auctions/${own}`)).sandbox).to.equal(true);
      expect(errorOf(await people.rehearsal.api.get(`/api/source/auctions/${live}`))).to.equal('404 NOT_FOUND');
      await running.api.post('/api/sandbox/reset', {}, sandbox);
      expect(errorOf(await people.rehearsal.api.get(`/api/source/auctions/${own}`))).to.equal('404 NOT_FOUND');
    });

    it('has no statement before a month is over', async () => {
      for (const [{ api }, path] of [
        [people.publisher, '/api/source/statements'],
        [people.bidder, '/api/demand/statements'],
      ] as const) {
        expect(await read(api, path)).to.deep.equal({ statements: [], total: 0, page: 1 });
      }
    });

    it('is the strategy of a delegate, with its revision; of a bidder there is none', async () => {
      const uploaded = strategyOf(delegate);
      await running.api.put(`/api/demand/sources/${delegate}/strategy`, uploaded);
      const { body, headers } = await people.delegate.api.get('/api/demand/strategy');
      expect(body).to.deep.equal(uploaded);
      const ofAccount = await running.api.get(`/api/demand/sources/${delegate}/strategy`);
      expect(headers.get('etag')).to.equal(ofAccount.headers.get('etag'));
      expect(errorOf(await people.bidder.api.get('/api/demand/strategy'))).to.equal('404 NOT_FOUND');
    });

    it('is its key, which they rotate, and which is never shown again', async () => {
      for (const [user, prefix, path, report] of [
        [people.publisher, 'pub', '/api/source/key', '/api/source/profile'],
        [people.delegate, 'dsp', '/api/demand/key', '/api/demand/profile'],
      ] as const) {
        expect(errorOf(await user.api.get(path))).to.equal('404 NOT_FOUND');
        const first = await user.api.post(path);
        expect([first.status, first.headers.get('cache-control')]).to.deep.equal([201, 'no-store']);
        expect(first.body.key).to.match(new RegExp(`^${prefix}_\\d+_[0-9a-f]{40}$`));
        expect(await read(user.api, path)).to.deep.equal(first.body);
        const withKey = running.anonymous.as({ 'X-API-Key': first.body.key });
        expect((await read(withKey, report)).key_created_at).to.equal(first.body.created_at);
        for (const method of ['GET', 'POST']) {
          expect(errorOf(await withKey.request(method, path))).to.equal('403 FORBIDDEN');
        }
        const second = await user.api.post(path);
        expect(second.body.key).not.to.equal(first.body.key);
        expect(errorOf(await withKey.get(report))).to.equal('401 UNAUTHORIZED');
      }
    });

    it('is recorded in the audit trail when they change it, with the user and without the key', async () => {
      const answer = await people.publisher.api.post('/api/source/key');
      const requestId = answer.headers.get('x-request-id');
      const entry = await eventually('the entry', async () => {
        const { documents } = await running.store.query(auditEntry.kind, {
          where: { resource: `publisher/${publisher}` },
        });
        return documents.map(({ state }) => state as AuditEntry).find(({ by }) => by.requestId === requestId);
      });
      expect(entry.by).to.include({ actor: `user/${people.publisher.userId}`, route: 'POST /api/source/key' });
      expect(entry.by.accountId).to.equal(running.accountId);
      expect(JSON.stringify(entry)).not.to.contain(answer.body.key);
    });
  });
