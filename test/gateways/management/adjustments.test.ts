import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { ledger } from '#actors/ledger/ledger';
import { hourLedgerId } from '#actors/ledger/ledger-id';
import type { Totals } from '#actors/ledger/messages';
import { monthOf, reportWindowOfMonth } from '#actors/ledger/report/month';
import { LEDGER_WATERMARK_ID, watermark } from '#actors/watermark/watermark';
import { campaignExample } from '#gateways/management/resources/campaigns/example';
import type { Clock } from '#runtime/ports/clock';
import { systemClock } from '#runtime/providers/system/system-clock';
import { auditBooks } from '#scheduler/audit/audit-books';
import { finaliseMonth } from '#scheduler/billing/finalise-month';
import { eventually } from '../../support/eventually.ts';
import { PROVIDER_PAIRS } from '../../support/exchange.ts';
import { errorOf, type ManagementClient } from './management-client.ts';
import { type AccountClients, type RunningManagement, startManagement } from './running-management.ts';

const DAY_MS = 86_400_000;

/** The log's clock is the real one: adjustments are booked in this month. */
const NOW_MS = Date.now();
const CURRENT = monthOf(NOW_MS);
const CURRENT_MS = reportWindowOfMonth(CURRENT)!.fromMs;
const NEXT_MS = reportWindowOfMonth(CURRENT)!.toMs;
const PAST = monthOf(CURRENT_MS - 1);

for (const pair of PROVIDER_PAIRS)
  describe(`adjustments of invalid traffic on ${pair}`, () => {
    let wallMs = NOW_MS;
    const clock: Clock = { ...systemClock, now: () => wallMs };
    let running: RunningManagement;
    let own: AccountClients;
    let operator: ManagementClient;
    let publisher: string;
    let dsp: string;
    let campaign: string;
    let sandboxed: string;
    let seller: ManagementClient;
    let buyer: ManagementClient;

    const raise = (throughMs: number) =>
      running.node.messenger.ask(watermark, LEDGER_WATERMARK_ID, 'raise', { throughMs });

    /**
     * Both sides, and the campaign, hear of impressions of one minute at 1.50 CPM with a publisher's fee of a tenth,
     * and of three invalid ones.
     */
    const sold = (minuteMs: number, impressions: number) =>
      heard(minuteMs, [publisher, dsp, campaign], {
        ...{ impressions, grossNanos: impressions * 1_500_000, feeNanos: impressions * 150_000 },
      });

    const heard = async (
      minuteMs: number,
      [publisherId, dspId, campaignId]: readonly [string, string, string?],
      sum: { readonly impressions: number; readonly grossNanos: number; readonly feeNanos: number },
    ) => {
      const counts = {
        ...{ 'invalid/data-centre': 2, 'invalid/self-fired': 1, invalidNanos: 4_500_000 },
        ...{ 'revalidated/data-centre': 1, revalidatedNanos: 1_500_000 },
      };
      const sides = [
        [hourLedgerId('publisher', publisherId, minuteMs, false), dspId],
        [hourLedgerId('dsp', dspId, minuteMs, false), publisherId],
        ...(campaignId === undefined
          ? []
          : [[hourLedgerId('campaign', campaignId, minuteMs, false), publisherId] as const]),
      ] as const;
      for (const [id, counterparty] of sides) {
        const totals: Totals = {
          ...{ partition: 0, minuteMs, version: `${minuteMs}-1` },
          slots: [
            {
              slotMs: minuteMs - (minuteMs % 300_000),
              ...{ impressions: sum.impressions, grossNanos: sum.grossNanos },
            },
          ],
          regions: [{ region: 'fra', ...sum, counts, counterparties: [{ id: counterparty, ...sum }], creatives: [] }],
        };
        await running.node.messenger.tell(ledger, id, 'totals', totals);
        await eventually(`${id} to hold them`, async () => {
          const [document] = await running.store.load([{ kind: ledger.kind, id }]);
          return (document?.state as { open: Record<string, unknown> } | undefined)?.open[0] !== undefined;
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
      [dsp, buyer] = await made('/api/demand/sources', { name: 'Buyer', mode: 'delegate' });
      const sandbox = await own.sandboxApi.post('/api/supply/sources', { ...site, name: 'Trial' });
      sandboxed = sandbox.body.id;
      await operator.put(`/api/fees/${dsp}`, { fee_percent: 5 });
      const planned = await own.api.post('/api/campaigns', { ...campaignExample, dsp_id: dsp });
      expect(planned.status, JSON.stringify(planned.body)).to.equal(201);
      campaign = planned.body.id;
      await sold(CURRENT_MS - DAY_MS, 1_000);
    });
    after(() => running?.close());

    const draft = (changes: object = {}) => ({
      ...{ publisher_id: publisher, dsp_id: dsp, period: PAST, impressions: 400, gross_cents: 60 },
      ...{ reason: 'data-centre', note: 'A list was updated.', ...changes },
    });
    const book = (changes: object = {}) => operator.post('/api/adjustments', draft(changes));

    it('are refused for what two live sources of an account have not traded', async () => {
      for (const [changes, error] of [
        [{ publisher_id: randomUUID() }, '404 NOT_FOUND'],
        [{ publisher_id: sandboxed }, '404 NOT_FOUND'],
        [{ dsp_id: publisher }, '404 NOT_FOUND'],
        [{ campaign_id: randomUUID() }, '404 NOT_FOUND'],
        [{ period: monthOf(NEXT_MS) }, '400 INVALID_PARAMS period'],
        [{ impressions: 0 }, '400 VALIDATION_ERROR impressions'],
        [{ gross_cents: 0 }, '400 VALIDATION_ERROR gross_cents'],
        [{ gross_cents: 0.000_000_01 }, '400 VALIDATION_ERROR gross_cents'],
        [{ gross_cents: 50.000_000_04 }, '400 VALIDATION_ERROR gross_cents'],
        [{ gross_cents: 123.456_789_01 }, '400 VALIDATION_ERROR gross_cents'],
        [{ gross_cents: 500_000_000.123_45 }, '400 VALIDATION_ERROR gross_cents'],
        [{ gross_cents: 500_000_000.1234 }, '409 CONFLICT'],
        [{ reason: 'because' }, '400 VALIDATION_ERROR reason'],
        [{ impressions: 1_001 }, '409 CONFLICT'],
        [{ gross_cents: 150.000_000_1 }, '409 CONFLICT'],
        [{ period: CURRENT }, '409 CONFLICT'],
      ] as const) {
        expect(errorOf(await book(changes)), JSON.stringify(changes)).to.equal(error);
      }
      expect(errorOf(await own.api.post('/api/adjustments', draft()))).to.equal('403 FORBIDDEN');
      expect((await operator.get('/api/adjustments')).body).to.deep.include({ adjustments: [], total: 0 });
    });

    it('are booked once, in the open month, and change no statement that is frozen', async () => {
      await raise(CURRENT_MS);
      const parts = { store: running.store, messenger: running.node.messenger };
      expect(await finaliseMonth(parts, PAST)).to.include({ frozen: 2, incomplete: null });
      const frozen = (await operator.get(`/api/statements?month=${PAST}`)).body.statements;
      const key = { 'Idempotency-Key': randomUUID() };
      const answers = [];
      const drafted = draft({ campaign_id: campaign });
      for (let call = 0; call < 3; call++) answers.push(await operator.as(key).post('/api/adjustments', drafted));
      for (const { status, body } of answers) {
        expect(status, JSON.stringify(body)).to.equal(201);
        expect(body).to.deep.equal(answers[0]!.body);
      }
      expect(answers[0]!.body).to.deep.include({
        ...{ publisher_id: publisher, dsp_id: dsp, campaign_id: campaign, period: PAST, month: CURRENT },
        ...{ impressions: 400, gross_cents: 60, publisher_fee_cents: 6, reason: 'data-centre' },
      });
      expect(answers[0]!.body.booked_by).to.contain('@');
      const trail = await eventually('the entry in the audit trail', async () => {
        const resource = `adjustment/${publisher}:${dsp}:${PAST}`;
        const { entries } = (await operator.get(`/api/audit-trail?resource=${encodeURIComponent(resource)}`)).body;
        return entries.length > 0 ? entries : null;
      });
      expect(trail.map(({ action }: { action: string }) => action)).to.deep.equal(['book']);
      expect((await operator.get(`/api/statements?month=${PAST}`)).body.statements).to.deep.equal(frozen);
      expect(frozen.map((one: { invalid_impressions: number }) => one.invalid_impressions)).to.deep.equal([3, 3]);
    });

    it('never take back more than was traded, also when they come at once', async () => {
      const answers = await Promise.all(Array.from({ length: 6 }, () => book({ impressions: 250, gross_cents: 37.5 })));
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, 201, 409, 409, 409, 409]);
      const { body } = await operator.get(`/api/adjustments?publisher_id=${publisher}&month=${CURRENT}`);
      expect(body.adjustments).to.have.length(3);
      expect(body.total).to.equal(3);
      const paged = [];
      for (const page of [1, 2, 3]) {
        const { body: part } = await operator.get(`/api/adjustments?per_page=2&page=${page}`);
        expect(part).to.include({ total: 3, page });
        paged.push(...part.adjustments);
      }
      expect(paged, 'the pages together').to.deep.equal(body.adjustments);
      const { body: none } = await operator.get(`/api/adjustments?month=${PAST}`);
      expect(none).to.deep.include({ adjustments: [], total: 0 });
      const csv = await operator.get('/api/adjustments?per_page=200', { Accept: 'text/csv' });
      expect(csv.body.trim().split('\n')).to.have.length(4);
    });

    // Taken back: 60 + 37.5 + 37.5 = 135 cents, of which a tenth was the exchange's; the buyer's fee is 5 %.
    const lines = (body: { adjustments: { amount_cents: number }[] }) =>
      body.adjustments.map(({ amount_cents: amount }) => amount).sort((a, b) => a - b);
    const campaigns = (body: { adjustments: { campaign_id: string | null }[] }) =>
      body.adjustments.map(({ campaign_id: id }) => id);

    it('are lines of their own in the billing of both sides, beside figures that add up without them', async () => {
      const paid = (await seller.get('/api/source/billing')).body;
      expect(paid.payout).to.include({ gross_revenue_cents: 0, fee_cents: 0, net_payout_cents: 0, impressions: 0 });
      expect(lines(paid)).to.deep.equal([-54, -33.75, -33.75]);
      expect(paid.due_after_adjustments_cents).to.equal(-122);
      expect(campaigns(paid), 'the campaigns of the buyer').to.deep.equal([null, null, null]);
      const owed = (await buyer.get('/api/demand/billing')).body;
      expect(owed.invoice).to.include({ spend_cents: 0, total_due_cents: 0 });
      expect(lines(owed)).to.deep.equal([-63, -39.375, -39.375]);
      expect(owed.due_after_adjustments_cents).to.equal(-142);
      expect(campaigns(owed)).to.deep.equal([campaign, null, null]);
    });

    it('are frozen with the month in which they were booked, of sources without traffic in it too', async () => {
      wallMs = NEXT_MS + DAY_MS;
      await raise(NEXT_MS);
      const parts = { store: running.store, messenger: running.node.messenger };
      expect(await finaliseMonth(parts, CURRENT)).to.include({ frozen: 2, incomplete: null });
      const paid = (await seller.get(`/api/source/billing?month=${CURRENT}`)).body;
      expect(paid).to.include({ status: 'finalized', due_after_adjustments_cents: -122 });
      expect(lines(paid)).to.deep.equal([-54, -33.75, -33.75]);
      expect(campaigns(paid), 'the campaigns of the buyer').to.deep.equal([null, null, null]);
      const owed = (await buyer.get(`/api/demand/billing?month=${CURRENT}`)).body;
      expect(campaigns(owed)).to.deep.equal([campaign, null, null]);
      const asCsv = { Accept: 'text/csv' };
      const csv = (await seller.get(`/api/source/billing?month=${CURRENT}`, asCsv)).body.split('\n');
      expect(csv[0]).to.contain('invalid_impressions');
      expect(csv[1]).to.contain('-122');
      // Its session has ended by then.
      wallMs = NOW_MS;
      const { statements } = (await operator.get(`/api/statements?month=${CURRENT}`)).body;
      for (const one of statements) {
        expect(one).to.include({ adjustments: 900, adjusted_gross_cents: 135, gross_cents: 0, due_cents: 0 });
        expect(one.due_after_adjustments_cents).to.equal(one.source_type === 'publisher' ? -122 : -142);
      }
    });

    it('stand beside the invalid traffic that both sides and operators see by its reasons', async () => {
      wallMs = NOW_MS;
      const shown = {
        ...{ total: 3, billed_later: 1, gross_cents: 0.45, billed_later_cents: 0.15 },
        reasons: [
          { reason: 'data-centre', count: 2, billed_later: 1 },
          { reason: 'self-fired', count: 1, billed_later: 0 },
        ],
      };
      const without = ({ reasons, ...rest }: { reasons: { description: string }[] }) => ({
        ...rest,
        reasons: reasons.map(({ description, ...reason }) => {
          expect(description).to.match(/\.$/);
          return reason;
        }),
      });
      const billed = (await seller.get(`/api/source/billing?month=${PAST}`)).body;
      expect(without(billed.invalid_traffic)).to.deep.equal(shown);
      wallMs = CURRENT_MS - DAY_MS + 60_000;
      for (const path of [`/api/supply/sources/${publisher}/funnel`, `/api/demand/sources/${dsp}/funnel`]) {
        const { body } = await own.api.get(`${path}?period=1h`);
        expect(without(body.invalid_traffic), path).to.deep.equal(shown);
        expect(body.rendered).to.equal(1_000);
      }
      wallMs = NOW_MS;
      const { body } = await operator.get('/api/metrics/invalid?period=1h');
      expect(body.invalid_traffic).to.deep.include({ total: 0, reasons: [] });
      expect(errorOf(await own.api.get('/api/metrics/invalid'))).to.equal('403 FORBIDDEN');
    });

    it('take back exactly what was billed, to the nano-dollar', async () => {
      wallMs = NOW_MS;
      const made = async (path: string, body: object) => (await own.api.post(path, body)).body.id as string;
      const site = { domain: 'exact.example', type: 'web', name: 'Exact' };
      const exactly = {
        publisher_id: await made('/api/supply/sources', site),
        dsp_id: await made('/api/demand/sources', { name: 'Exact buyer', mode: 'delegate' }),
      };
      const pair = [exactly.publisher_id, exactly.dsp_id] as const;
      await heard(CURRENT_MS - DAY_MS, pair, { impressions: 24, grossNanos: 79_450_923, feeNanos: 7_945_093 });
      const tooMuch = await book({ ...exactly, impressions: 24, gross_cents: 7.9451 });
      expect(errorOf(tooMuch)).to.equal('409 CONFLICT');
      expect(tooMuch.body.error.message).to.contain('Only 24 impressions of 7.9450923 cents are left');
      for (const gross of [2.345_678, 5.599_414_3]) {
        const { status, body } = await book({ ...exactly, impressions: 12, gross_cents: gross });
        expect(status, JSON.stringify(body)).to.equal(201);
        expect(body.gross_cents).to.equal(gross);
      }
      const spent = await book({ ...exactly, impressions: 1, gross_cents: 0.000_000_1 });
      expect(spent.body.error.message).to.contain('Only 0 impressions of 0 cents are left');
      const { body } = await operator.get(`/api/adjustments?publisher_id=${exactly.publisher_id}`);
      const shown = body.adjustments as { gross_cents: number; publisher_fee_cents: number }[];
      expect(shown.map(({ gross_cents: cents }) => cents)).to.deep.equal([2.345_678, 5.599_414_3]);
      expect(shown.map(({ publisher_fee_cents: cents }) => Math.round(cents * 1e7))).to.deep.equal([
        2_345_678, 5_599_415,
      ]);
      const billing = `/api/supply/sources/${exactly.publisher_id}/billing`;
      const { body: billed } = await own.api.get(billing);
      expect(billed.adjustments.map((line: { gross_cents: number }) => line.gross_cents)).to.deep.equal([
        2.345_678, 5.599_414_3,
      ]);
      expect(billed.adjustments.map((line: { amount_cents: number }) => line.amount_cents)).to.deep.equal([
        -2.111_110_2, -5.039_472_8,
      ]);
      const past = reportWindowOfMonth(PAST)!;
      const { differences } = await auditBooks(running.store, { fromMs: past.fromMs, toMs: past.toMs });
      expect(differences.map(({ check }) => check)).not.to.include('adjustments within what was traded');
    });
  });
