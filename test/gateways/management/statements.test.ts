import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { ledger } from '#actors/ledger/ledger';
import { hourLedgerId } from '#actors/ledger/ledger-id';
import type { Totals } from '#actors/ledger/messages';
import { unpackLedger } from '#actors/ledger/stored-ledger';
import { canonicalLedgerText } from '#actors/statement/canonical-text';
import { statement } from '#actors/statement/statement';
import { LEDGER_WATERMARK_ID, watermark } from '#actors/watermark/watermark';
import { ActorTimeout } from '#runtime/actor/errors';
import { encodeEnvelope } from '#runtime/node/envelope';
import type { Clock } from '#runtime/ports/clock';
import { systemClock } from '#runtime/providers/system/system-clock';
import { finaliseMonth } from '#scheduler/billing/finalise-month';
import { loadMonth, sha256 } from '#scheduler/billing/freeze-statement';
import { eventually } from '../../support/eventually.ts';
import { PROVIDER_PAIRS } from '../../support/exchange.ts';
import { errorOf, type ManagementClient } from './management-client.ts';
import { type AccountClients, type RunningManagement, startManagement } from './running-management.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** A month that has just begun when its sources are made; the one after it; the one after that. */
const MARCH = '2030-03';
const APRIL = '2030-04';
const MARCH_MS = Date.parse('2030-03-01T00:00:00Z');
const APRIL_MS = Date.parse('2030-04-01T00:00:00Z');
const MAY_MS = Date.parse('2030-05-01T00:00:00Z');

for (const pair of PROVIDER_PAIRS)
  describe(`gateways/management/statements on ${pair}`, () => {
    let wallMs = MARCH_MS + DAY_MS;
    const clock: Clock = { ...systemClock, now: () => wallMs };
    let running: RunningManagement;
    let own: AccountClients;
    let publisher: string;
    let dsp: string;
    let quiet: string;
    let seller: ManagementClient;
    let buyer: ManagementClient;
    let idle: ManagementClient;
    let operator: ManagementClient;

    const billing = (client: ManagementClient, month: string) =>
      client.get(`/api/${client === buyer ? 'demand' : 'source'}/billing?month=${month}`);
    const raise = (throughMs: number) =>
      running.node.messenger.ask(watermark, LEDGER_WATERMARK_ID, 'raise', { throughMs });

    /** Tells both sides of impressions of one minute: each at 1.50 CPM, with a publisher's fee of a tenth. */
    const sold = async (partition: number, minuteMs: number, impressions: number, slotMs: number) => {
      const sum = { impressions, grossNanos: impressions * 1_500_000, feeNanos: impressions * 150_000 };
      const totals = (counterparty: string): Totals => ({
        partition,
        minuteMs,
        version: `${minuteMs}-${impressions}`,
        slots: [{ slotMs, impressions, grossNanos: sum.grossNanos }],
        regions: [{ region: 'fra', ...sum, counterparties: [{ id: counterparty, ...sum }], creatives: [] }],
      });
      const sides = [
        [hourLedgerId('publisher', publisher, minuteMs, false), dsp],
        [hourLedgerId('dsp', dsp, minuteMs, false), publisher],
      ] as const;
      for (const [id, counterparty] of sides) {
        await running.node.messenger.tell(ledger, id, 'totals', totals(counterparty));
        await eventually(`${id} to hold them`, async () => {
          const [document] = await running.store.load([{ kind: ledger.kind, id }]);
          return unpackLedger(document?.state ?? {}).open?.[partition]?.version === `${minuteMs}-${impressions}`;
        });
      }
    };

    before(async function () {
      running = await startManagement(this, pair, { clock });
      own = await running.newAccount();
      operator = (await running.newUser(running.accountId, 'operator')).api;
      const session = (await running.newUser(own.accountId)).api;
      const made = async (path: string, body: object) => {
        const { body: source, status } = await own.api.post(path, body);
        expect(status, JSON.stringify(source)).to.equal(201);
        const key = (await session.post(`${path}/${source.id}/key`)).body.key;
        return [source.id, running.anonymous.as({ 'X-API-Key': key })] as const;
      };
      const site = { domain: 'd.example', type: 'web' };
      [publisher, seller] = await made('/api/supply/sources', { ...site, name: 'News' });
      [quiet, idle] = await made('/api/supply/sources', { ...site, name: 'Quiet' });
      [dsp, buyer] = await made('/api/demand/sources', { name: 'Buyer', mode: 'delegate' });
      await operator.put(`/api/fees/${publisher}`, { fee_percent: 10 });
      await operator.put(`/api/fees/${dsp}`, { fee_percent: 5 });
      // 1,000 impressions of March: 1.50 dollars.
      await sold(0, MARCH_MS + DAY_MS, 1_000, MARCH_MS + DAY_MS);
      // 10 more, sold in the last minutes of March and rendered in April, beside 200 of April.
      await sold(0, APRIL_MS + MINUTE_MS, 10, APRIL_MS - 5 * MINUTE_MS);
      await sold(0, APRIL_MS + DAY_MS, 200, APRIL_MS + DAY_MS);
    });
    after(() => running?.close());

    // 150 cents, a tenth of which is the exchange's; and 150 cents with 5 % on top: 157.5, to the even cent.
    const payout = {
      gross_revenue_cents: 150,
      fee_percent: 10,
      fee_cents: 15,
      net_payout_cents: 135,
      impressions: 1_000,
      currency: 'USD',
    };
    const invoice = {
      spend_cents: 150,
      fee_percent: 5,
      fee_cents: 8,
      total_due_cents: 158,
      wins: 1_000,
      currency: 'USD',
    };

    it('are in progress while the month is', async () => {
      const { body } = await billing(seller, MARCH);
      expect(body).to.deep.equal({
        publisher: 'News',
        publisher_id: publisher,
        month: MARCH,
        status: 'in_progress',
        payout,
      });
      expect(errorOf(await billing(seller, APRIL))).to.equal('400 INVALID_PARAMS month');
    });

    it('are not answered while the ledgers of a month that is over are incomplete', async () => {
      wallMs = APRIL_MS;
      await raise(APRIL_MS - 1);
      for (const client of [seller, buyer]) {
        const answer = await billing(client, MARCH);
        expect(errorOf(answer)).to.equal('503 SERVICE_UNAVAILABLE');
        expect(answer.headers.get('retry-after')).to.equal('30');
        expect(answer.body.error.message).to.contain('the books are complete up to 2030-03-31T23:59:59.999Z');
      }
      const closed = await finaliseMonth(running.parts, MARCH);
      expect(closed).to.include({ frozen: 0, already: 0 });
      expect(closed.incomplete).to.contain('not to the end of 2030-03');
    });

    it('are not answered while money of theirs is parked, and others are', async () => {
      await raise(APRIL_MS);
      const atMs = MARCH_MS + 3 * DAY_MS;
      const body = { id: 'x', auction: 'a', publisher, dsp: randomUUID(), priceCpmMicros: 1, feePpm: 0, region: 'fra' };
      const letter = {
        ...{ id: `3:${atMs}-0`, partition: 3, position: `${atMs}-0`, to: 'tally/3', type: 'impression' },
        ...{ payload: encodeEnvelope({ to: 'tally/3', type: 'impression', body }), reason: 'a test', parkedAtMs: atMs },
        replayedAtMs: null,
      };
      const discarded = { ...letter, id: `4:${atMs}-0` };
      await running.store.park([letter, discarded]);
      await running.parts.deadLetters.discard(discarded.id, { by: 'an operator', why: 'it names nobody' });
      expect(errorOf(await billing(seller, MARCH))).to.equal('503 SERVICE_UNAVAILABLE');
      expect((await billing(seller, MARCH)).body.error.message).to.contain(`dead letter 3:${atMs}-0`);
      expect((await billing(buyer, MARCH)).body.status).to.equal('finalized');
      const closed = await finaliseMonth(running.parts, MARCH);
      expect(closed.waiting.map(({ statement }) => statement)).to.deep.equal([`publisher:${publisher}:${MARCH}`]);
      // Replayed, but it may still be on its way; then the books have passed that too.
      await running.store.markReplayed(letter.id, APRIL_MS);
      expect(errorOf(await billing(seller, MARCH))).to.equal('503 SERVICE_UNAVAILABLE');
      await raise(APRIL_MS + DAY_MS);
      expect((await billing(seller, MARCH)).status).to.equal(200);
    });

    it('are frozen: nothing that comes later changes them', async () => {
      // The first session has expired: a month has gone by.
      operator = (await running.newUser(running.accountId, 'operator')).api;
      const before = [await billing(seller, MARCH), await billing(buyer, MARCH)].map(({ body }) => body);
      const [paid, owed] = before;
      expect(paid).to.deep.include({ month: MARCH, status: 'finalized', payout });
      expect(owed).to.deep.include({ month: MARCH, status: 'finalized', invoice });
      for (const [body, scope, id] of [
        [paid, 'publisher', publisher],
        [owed, 'dsp', dsp],
      ] as const) {
        const ledgers = await loadMonth(running.store, { scope, id }, MARCH);
        expect(body.pages_sha256, 'anybody can take the hash again').to.equal(sha256(canonicalLedgerText(ledgers)));
        expect(Date.parse(body.finalized_at), 'frozen by the log’s clock').to.be.closeTo(Date.now(), MINUTE_MS);
      }
      for (const id of [publisher, dsp]) {
        expect((await operator.put(`/api/fees/${id}`, { fee_percent: 50 })).status).to.equal(200);
      }
      // As no real partition could: after the watermark.
      await sold(5, MARCH_MS + 2 * DAY_MS, 77, MARCH_MS + 2 * DAY_MS);
      const after = [await billing(seller, MARCH), await billing(buyer, MARCH)].map(({ body }) => body);
      expect(after).to.deep.equal(before);
      expect(await finaliseMonth(running.parts, MARCH)).to.include({ frozen: 0 });
    });

    it('show what was sold in the month before and is billed with this one', async () => {
      const { body } = await billing(seller, APRIL);
      expect(body).to.deep.include({ status: 'in_progress', late_impressions: 10, late_gross_cents: 1.5 });
      expect(body.payout.impressions).to.equal(210);
      const csv = (await seller.get(`/api/source/billing?month=${APRIL}`, { Accept: 'text/csv' })).body.trim();
      expect(csv.split(/\r?\n/)[0]).to.match(
        /,late_impressions,late_gross_cents,finalized_at,pages_sha256,invalid_impressions,/,
      );
      expect(csv.split(/\r?\n/)[1]).to.match(/,10,1.5,,,0,,0,,,0$/);
    });

    it('are frozen by a run in which the actor of another does not answer in time', async () => {
      wallMs = MAY_MS;
      await raise(MAY_MS);
      const { messenger } = running.parts;
      const ask: typeof messenger.ask = (kind, id, ...message) =>
        id === `publisher:${publisher}:${APRIL}`
          ? Promise.reject(new ActorTimeout(`${id} is busy`))
          : messenger.ask(kind, id, ...message);
      const run = finaliseMonth({ ...running.parts, messenger: { ask } }, APRIL);
      expect(await run.catch((error) => error)).to.be.an.instanceOf(ActorTimeout);
      const frozen = await running.store.load(
        [`publisher:${publisher}`, `dsp:${dsp}`].map((of) => ({ kind: statement.kind, id: `${of}:${APRIL}` })),
      );
      expect(frozen.map((document) => document !== null)).to.deep.equal([false, true]);
    });

    it('of all sources with ledgers are frozen by the next run, those of archived sources too', async () => {
      await own.api.delete(`/api/supply/sources/${publisher}`);
      const closed = await finaliseMonth(running.parts, APRIL);
      expect(closed).to.deep.equal({ month: APRIL, frozen: 1, already: 1, waiting: [], incomplete: null });
      expect(await finaliseMonth(running.parts, APRIL)).to.include({ frozen: 0, already: 2 });
      const { body } = await billing(seller, APRIL);
      expect(body).to.deep.include({ status: 'finalized', late_impressions: 10, late_gross_cents: 1.5 });
      // 210 × 0.15 = 31.5 cents, to the even cent; less a tenth 28.35.
      expect(body.payout).to.deep.equal({
        ...payout,
        gross_revenue_cents: 32,
        fee_percent: 50,
        fee_cents: 4,
        net_payout_cents: 28,
        impressions: 210,
      });
    });

    it('stand where the source has gone into the sandbox since', async () => {
      const before = (await billing(buyer, APRIL)).body;
      expect(before).to.deep.include({ status: 'finalized', late_impressions: 10 });
      await own.api.put(`/api/demand/sources/${dsp}`, { sandbox: true });
      expect((await billing(buyer, APRIL)).body).to.deep.equal(before);
      await own.api.put(`/api/demand/sources/${dsp}`, { sandbox: false });
    });

    it('are not read in the sandbox context', async () => {
      const path = `/api/demand/sources/${dsp}/billing?month=${APRIL}`;
      expect((await own.api.get(path)).body.invoice).to.include({ wins: 210 });
      expect(errorOf(await own.sandboxApi.get(path))).to.equal('404 NOT_FOUND');
      await own.api.put(`/api/demand/sources/${dsp}`, { sandbox: true });
      const ofSandbox = { spend_cents: 0, total_due_cents: 0, wins: 0 };
      expect((await own.sandboxApi.get(path)).body.invoice).to.include(ofSandbox);
      expect((await own.api.get(path, { 'X-Sandbox': 'true' })).body.invoice).to.include(ofSandbox);
      expect((await own.api.get(path)).body.invoice).to.include({ wins: 210 });
      await own.api.put(`/api/demand/sources/${dsp}`, { sandbox: false });
      const { api } = await running.newUser(running.accountId, 'operator');
      expect(errorOf(await api.get(path, { 'X-Sandbox': 'true' }))).to.equal('404 NOT_FOUND');
    });

    it('are listed for operators, a month or all, as JSON and CSV', async () => {
      const { api } = await running.newUser(running.accountId, 'operator');
      const { status, body } = await api.get(`/api/statements?month=${APRIL}`);
      expect(status, JSON.stringify(body)).to.equal(200);
      expect([body.total, body.page]).to.deep.equal([2, 1]);
      const of = (source: string) => body.statements.find((one: { source_id: string }) => one.source_id === source);
      expect(of(publisher)).to.deep.include({
        ...{ id: `publisher:${publisher}:${APRIL}`, source_type: 'publisher', source_name: 'News', month: APRIL },
        ...{ impressions: 210, gross_cents: 32, fee_percent: 50, fee_cents: 4, due_cents: 28 },
        ...{ late_impressions: 10, late_gross_cents: 1.5 },
      });
      expect(of(dsp).pages_sha256).to.match(/^[0-9a-f]{64}$/);
      expect((await api.get('/api/statements')).body.total).to.equal(4);
      const second = (await api.get('/api/statements?per_page=3&page=2')).body;
      expect([second.statements.length, second.total, second.page]).to.deep.equal([1, 4, 2]);
      expect(errorOf(await api.get('/api/statements?month=2030-13'))).to.equal('400 INVALID_PARAMS month');
      const csv = (await api.get(`/api/statements?month=${APRIL}`, { Accept: 'text/csv' })).body.trim().split(/\r?\n/);
      expect(csv).to.have.length(3);
      expect(csv[0]).to.match(/^id,source_type,source_id,source_name,month,impressions,gross_cents,/);
      expect(csv.join()).to.contain(
        `publisher:${publisher}:${APRIL},publisher,${publisher},News,${APRIL},210,32,50,4,28,10,1.5,`,
      );
    });

    it('are listed for the source itself, the newest month first, as JSON and CSV', async () => {
      const { api } = await running.newUser(running.accountId, 'operator');
      const { body: all } = await api.get('/api/statements?per_page=200');
      const sides = [
        [seller, '/api/source/statements', publisher],
        [buyer, '/api/demand/statements', dsp],
      ] as const;
      for (const [client, path, id] of sides) {
        const { status, body } = await client.get(path);
        expect(status, JSON.stringify(body)).to.equal(200);
        const ofSource = all.statements.filter((one: { source_id: string }) => one.source_id === id).reverse();
        expect(ofSource.map(({ month }: { month: string }) => month)).to.deep.equal([APRIL, MARCH]);
        expect(body).to.deep.equal({ statements: ofSource, total: 2, page: 1 });
        const second = (await client.get(`${path}?per_page=1&page=2`)).body;
        expect(second).to.deep.equal({ statements: [ofSource[1]], total: 2, page: 2 });
        const csv = (await client.get(path, { Accept: 'text/csv' })).body.trim().split(/\r?\n/);
        expect([csv.length, csv[1].startsWith(ofSource[0].id)]).to.deep.equal([3, true]);
      }
      expect(errorOf(await seller.get('/api/demand/statements'))).to.equal('403 FORBIDDEN');
    });

    it('of a source without ledgers are frozen when they are read', async () => {
      const { status, body } = await billing(idle, APRIL);
      expect(status).to.equal(200);
      expect(body).to.deep.include({ publisher_id: quiet, status: 'finalized' });
      expect(body.payout).to.include({ gross_revenue_cents: 0, impressions: 0 });
      expect(body.pages_sha256).to.equal(sha256('[]'));
    });

    it('that are requested in the first instants of a month wait for its ledgers', async () => {
      wallMs = Date.parse('2030-06-01T00:00:00Z');
      const [answer] = await Promise.all([
        billing(idle, '2030-05'),
        new Promise((resolve) => setImmediate(resolve)).then(() => raise(wallMs)),
      ]);
      expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
      expect(answer.body.status).to.equal('finalized');
    });
  });
