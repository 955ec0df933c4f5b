import { expect } from 'chai';
import { creative } from '#actors/creative/creative';
import { creativePolicy } from '#actors/creative-policy/creative-policy';
import { creativeRule } from '#actors/creative-rule/creative-rule';
import { webhookQueue } from '#actors/webhook-queue/webhook-queue';
import { eventually } from '#test/support/eventually';
import { PROVIDER_PAIRS } from '#test/support/exchange';
import { loadCreativeState, tellSeen } from '#test/support/seen-creative';
import { errorOf, type ManagementClient } from '../management-client.ts';
import { type RunningManagement, startManagement } from '../running-management.ts';
import { made, openReviewingAccount, type ReviewingAccount } from './reviewing-account.ts';

const DAY_MS = 86_400_000;

for (const pair of PROVIDER_PAIRS)
  describe(`gateways/management/creatives under review on ${pair}`, () => {
    let running: RunningManagement;
    let reviewing: ReviewingAccount;

    before(async function () {
      running = await startManagement(this, pair);
    });
    after(() => running?.close());
    beforeEach(async () => {
      reviewing = await openReviewingAccount(running);
    });

    describe('are decided about', () => {
      it('in every scope: a block anywhere above blocks, and each mode must be met', async () => {
        const { own, api, poolId, publisherId, dspId, see, decidedAt, standingsOf } = reviewing;
        const id = await see();
        const admitted = { exchange: 'admitted', account: 'admitted', pool: 'admitted', publisher: 'admitted' };
        expect(await standingsOf(id)).to.deep.equal(admitted);
        const block = { scope: 'pool', scope_id: poolId, reason: 'Loud' };
        const { status, body: rule } = await api.post(`/api/creatives/${id}/block`, block);
        expect([status, rule.decision, rule.value, rule.dsp_id]).to.deep.equal([200, 'block', id, dspId]);
        expect(await standingsOf(id)).to.deep.equal({ ...admitted, pool: 'blocked', publisher: 'blocked' });
        await decidedAt(id, 'block');
        expect((await api.get(`/api/creatives/${id}`)).body.decisions).to.have.lengthOf(1);
        await api.post(`/api/creatives/${id}/approve`, { scope: 'publisher', scope_id: publisherId });
        expect((await standingsOf(id)).publisher, 'a block above still holds').to.equal('blocked');
        expect((await api.delete(`/api/creatives/${id}/decision?scope=pool&scope_id=${poolId}`)).status).to.equal(204);
        expect(errorOf(await api.delete(`/api/creatives/${id}/decision?scope=pool&scope_id=${poolId}`))).to.equal(
          '404 NOT_FOUND',
        );
        expect(await standingsOf(id)).to.deep.equal({ ...admitted, publisher: 'approved' });

        await api.put('/api/creatives/policies', { scope: 'account', mode: 'reviewed' });
        const refused = { account: 'not-approved', pool: 'not-approved', publisher: 'not-approved' };
        expect(await standingsOf(id)).to.deep.equal({ exchange: 'admitted', ...refused });
        const { review } = (await api.get(`/api/creatives/${id}`)).body;
        expect(review.find((one: { scope: string }) => one.scope === 'publisher').cause).to.include({
          ...{ kind: 'mode', scope: 'account', scope_id: own.accountId, mode: 'reviewed', rule_id: null },
        });
        await api.post(`/api/creatives/${id}/approve`, { scope: 'account', by: 'demand_source' });
        const approved = { account: 'approved', pool: 'approved', publisher: 'approved' };
        expect(await standingsOf(id)).to.deep.equal({ exchange: 'admitted', ...approved });
      });

      it('by what they have in common, as auctions read it', async () => {
        const { api, dspId, see, standingsOf } = reviewing;
        const id = await see({
          ...{ advertiserDomains: ['www.Shop.Brand.example', 'other.example'], categories: ['iab25-3'] },
          attributes: [13],
        });
        const ofAccount = { scope: 'account' };
        const decide = async (subject: string, value: string, decision: string) => {
          const rule = { ...ofAccount, subject, value, decision };
          const ruleId = await made(api.post('/api/creatives/rules', rule));
          const { account } = await standingsOf(id);
          expect((await api.delete(`/api/creatives/rules/${ruleId}`)).status).to.equal(204);
          expect(errorOf(await api.delete(`/api/creatives/rules/${ruleId}`))).to.equal('404 NOT_FOUND');
          return account;
        };
        expect(await decide('advertiser', 'brand.example', 'block')).to.equal('blocked');
        expect(await decide('advertiser', 'and.example', 'block')).to.equal('admitted');
        expect(await decide('category', 'iab25', 'block')).to.equal('blocked');
        expect(await decide('category', 'IAB2', 'block')).to.equal('admitted');
        expect(await decide('attribute', '13', 'block')).to.equal('blocked');
        expect(await decide('attribute', '1', 'block')).to.equal('admitted');
        expect(await decide('demand_source', dspId, 'block')).to.equal('blocked');
        const { fingerprint } = (await loadCreativeState(running.parts, id))!;
        expect(await decide('fingerprint', fingerprint, 'block')).to.equal('blocked');
        expect(await decide('creative', id, 'block')).to.equal('blocked');
        expect(await decide('advertiser', 'brand.example', 'approve'), 'one of two advertisers').to.equal('admitted');
        await api.post(`/api/creatives/${id}/approve`, { ...ofAccount, by: 'advertiser', value: 'other.example' });
        expect(await decide('advertiser', 'brand.example', 'approve')).to.equal('approved');
      });

      it('by what a creative names: not by what it does not have', async () => {
        const { api, see } = reviewing;
        const id = await see({ fingerprint: '', advertiserDomains: ['a.example', 'b.example'] });
        const block = (body: object) => api.post(`/api/creatives/${id}/block`, { scope: 'account', ...body });
        expect(errorOf(await block({ by: 'fingerprint' }))).to.equal('400 VALIDATION_ERROR by');
        expect(errorOf(await block({ by: 'advertiser' }))).to.equal('400 VALIDATION_ERROR value');
        expect(errorOf(await block({ by: 'advertiser', value: 'c.example' }))).to.equal('400 VALIDATION_ERROR value');
        expect((await block({ by: 'advertiser', value: 'B.example' })).body.value).to.equal('b.example');
        const bare = await see({ advertiserDomains: [], crid: 'bare' });
        const nameless = await api.post(`/api/creatives/${bare}/block`, { scope: 'account', by: 'advertiser' });
        expect(errorOf(nameless)).to.equal('400 VALIDATION_ERROR by');
        expect(errorOf(await block({ by: 'category' }))).to.match(/^400 VALIDATION_ERROR/);
        expect(errorOf(await block({ reason: 'x'.repeat(501) }))).to.equal('400 VALIDATION_ERROR reason');
      });

      it('by an internationalised domain, in its own letters or in ASCII', async () => {
        const { api, see, standingsOf } = reviewing;
        const id = await see({ advertiserDomains: ['shop.bücher.example'] });
        const rule = { scope: 'account', subject: 'advertiser', value: 'Bücher.example', decision: 'block' };
        const { body } = await api.post('/api/creatives/rules', rule);
        expect(body.value).to.equal('xn--bcher-kva.example');
        expect((await standingsOf(id)).account).to.equal('blocked');
        const found = await api.get(`/api/creatives/rules?value=${encodeURIComponent('bücher.example')}`);
        expect(found.body.rules.map(({ id }: { id: string }) => id)).to.deep.equal([body.id]);
        expect((await api.delete(`/api/creatives/rules/${body.id}`)).status).to.be.below(300);
      });

      it('with rules that name something that there is', async () => {
        const { api, publisherId, dspId } = reviewing;
        const rule = async (subject: string, value: string, decision = 'block', scope: object = { scope: 'account' }) =>
          errorOf(await api.post('/api/creatives/rules', { ...scope, subject, value, decision }));
        const other = await running.newAccount();
        const theirs = await tellSeen(running.parts, { accountId: other.accountId });
        expect(await rule('category', 'IAB25', 'approve')).to.equal('400 VALIDATION_ERROR decision');
        expect(await rule('attribute', '3', 'approve')).to.equal('400 VALIDATION_ERROR decision');
        expect(await rule('category', '150')).to.equal('400 VALIDATION_ERROR value');
        expect(await rule('attribute', 'x')).to.equal('400 VALIDATION_ERROR value');
        expect(await rule('advertiser', 'https://')).to.equal('400 VALIDATION_ERROR value');
        expect(await rule('fingerprint', 'abc')).to.equal('400 VALIDATION_ERROR value');
        expect(await rule('creative', theirs)).to.equal('400 VALIDATION_ERROR value');
        expect(await rule('demand_source', publisherId)).to.equal('400 VALIDATION_ERROR value');
        for (const scope of ['pool', 'publisher']) {
          const missing = await rule('attribute', '3', 'block', { scope, scope_id: dspId });
          expect(missing).to.equal('400 VALIDATION_ERROR scope_id');
        }
        const foreign = await rule('attribute', '3', 'block', { scope: 'account', scope_id: other.accountId });
        expect(foreign).to.equal('400 VALIDATION_ERROR scope_id');
      });

      it('for the whole exchange and every account by operators alone', async () => {
        const { api, operator, see, standingsOf } = reviewing;
        const id = await see();
        const forAll = { scope: 'exchange', reason: 'Malware' };
        expect(errorOf(await api.post(`/api/creatives/${id}/block`, forAll))).to.equal('403 FORBIDDEN');
        expect(errorOf(await api.put('/api/creatives/policies', { scope: 'exchange', mode: 'open' }))).to.equal(
          '403 FORBIDDEN',
        );
        expect(errorOf(await api.get('/api/creatives/rules?scope=exchange'))).to.equal('403 FORBIDDEN');
        const { body: rule } = await operator.api.post(`/api/creatives/${id}/block`, forAll);
        expect(rule.decided_by).to.equal(`user/${operator.userId}`);
        expect((await standingsOf(id)).exchange).to.equal('blocked');
        const listed = (await operator.api.get('/api/creatives/rules?scope=exchange&per_page=100')).body.rules;
        expect(listed.map((one: { id: string }) => one.id)).to.include(rule.id);
        expect(errorOf(await api.delete(`/api/creatives/rules/${rule.id}`))).to.equal('404 NOT_FOUND');
        expect((await operator.api.delete(`/api/creatives/rules/${rule.id}`)).status).to.equal(204);
        const other = await running.newAccount();
        const scoped = { scope: 'account', scope_id: other.accountId };
        const theirs = await tellSeen(running.parts, { accountId: other.accountId });
        expect((await operator.api.post(`/api/creatives/${theirs}/block`, scoped)).status).to.equal(200);
        expect((await standingsOf(theirs, other.api)).account).to.equal('blocked');
      });

      it('not beyond the context of the call', async () => {
        const { own, api, poolId, publisherId, see } = reviewing;
        const partnerId = await made(api.post('/api/partners', { name: 'P' }));
        const id = await see({ partnerId });
        const asPartner = api.as({ 'X-User-Partner-ID': partnerId });
        const block = (client: ManagementClient, creativeId: string, scope: object) =>
          client.post(`/api/creatives/${creativeId}/block`, scope);
        expect(errorOf(await block(asPartner, id, { scope: 'account' }))).to.equal('403 FORBIDDEN');
        const forPool = await block(asPartner, id, { scope: 'pool', scope_id: poolId });
        expect(errorOf(forPool), 'sources of all partners are in a pool').to.equal('403 FORBIDDEN');
        const elsewhere = await block(asPartner, id, { scope: 'publisher', scope_id: publisherId });
        expect(errorOf(elsewhere)).to.equal('400 VALIDATION_ERROR scope_id');
        const sandbox = await see({ sandbox: true, crid: 's' });
        expect(errorOf(await block(own.sandboxApi, sandbox, { scope: 'account' }))).to.equal('403 FORBIDDEN');
        const inPool = await block(own.sandboxApi, sandbox, { scope: 'pool', scope_id: poolId });
        expect(errorOf(inPool)).to.equal('403 FORBIDDEN');
      });

      it('once in a scope: each decision takes the place of the one before', async () => {
        const { api, see } = reviewing;
        const id = await see();
        const block = () => api.post(`/api/creatives/${id}/block`, { scope: 'account', reason: 'a' });
        const [first, second] = [await block(), await block()];
        expect(second.body.id).to.equal(first.body.id);
        const rules = await api.get(`/api/creatives/rules?value=${id}`);
        expect(rules.body.total).to.equal(1);
        const approval = await api.post(`/api/creatives/${id}/approve`, { scope: 'account' });
        expect(approval.body).to.include({ id: first.body.id, decision: 'approve' });
      });

      it('and the rules of a scope are listed by what they are', async () => {
        const { own, api, poolId, publisherId } = reviewing;
        const block = (scope: object, subject: string, value: string) =>
          made(api.post('/api/creatives/rules', { ...scope, subject, value, decision: 'block' }));
        const ofAccount = await block({ scope: 'account' }, 'attribute', '3');
        const ofPool = await block({ scope: 'pool', scope_id: poolId }, 'category', 'IAB7');
        const ofPublisher = await block({ scope: 'publisher', scope_id: publisherId }, 'advertiser', 'Rival.example');
        const listed = async (query: string, client = api) => {
          const { body } = await client.get(`/api/creatives/rules?${query}`);
          return body.rules.map(({ id }: { id: string }) => id) as string[];
        };
        expect((await listed('')).sort()).to.deep.equal([ofAccount, ofPool, ofPublisher].sort());
        expect(await listed('scope=pool')).to.deep.equal([ofPool]);
        expect(await listed(`scope_id=${publisherId}`)).to.deep.equal([ofPublisher]);
        expect(await listed('subject=attribute')).to.deep.equal([ofAccount]);
        expect(await listed('value=RIVAL.example')).to.deep.equal([ofPublisher]);
        expect(await listed('decision=approve')).to.deep.equal([]);
        expect(await listed('per_page=1&page=4')).to.deep.equal([]);
        const partnerId = await made(api.post('/api/partners', { name: 'P' }));
        const asPartner = api.as({ 'X-User-Partner-ID': partnerId });
        expect((await listed('', asPartner)).sort(), 'no other partner’s').to.deep.equal([ofAccount, ofPool].sort());
        expect(await listed(`scope_id=${publisherId}`, asPartner)).to.deep.equal([]);
        expect((await listed('', own.sandboxApi)).sort()).to.deep.equal([ofAccount, ofPool].sort());
        expect(await listed('', (await running.newAccount()).api)).to.deep.equal([]);
      });
    });

    describe('modes', () => {
      it('are set and listed by scope', async () => {
        const { own, api, poolId } = reviewing;
        const { body } = await api.put('/api/creatives/policies', {
          scope: 'pool',
          scope_id: poolId,
          mode: 'reviewed',
        });
        expect(body).to.include({ scope: 'pool', scope_id: poolId, mode: 'reviewed' });
        await api.put('/api/creatives/policies', { scope: 'account', mode: 'scanned' });
        const { policies, exchange, total } = (await api.get('/api/creatives/policies')).body;
        expect([exchange, total]).to.deep.equal(['open', 2]);
        expect(
          policies.map(({ scope, mode }: { scope: string; mode: string }) => `${scope} ${mode}`).sort(),
        ).to.deep.equal(['account scanned', 'pool reviewed']);
        expect((await api.get('/api/creatives/policies?scope=pool')).body.total).to.equal(1);
        expect(errorOf(await api.put('/api/creatives/policies', { scope: 'account', mode: 'shut' }))).to.equal(
          '400 VALIDATION_ERROR mode',
        );
        const [document] = await running.store.load([{ kind: creativePolicy.kind, id: `pool:${poolId}` }]);
        expect(document?.state).to.include({ accountId: own.accountId, mode: 'reviewed' });
      });
    });

    describe('that need somebody', () => {
      const matters = async (client: ManagementClient) =>
        ((await client.get('/api/attention')).body.matters as { kind: string; subject: { id: string } | null }[])
          .filter(({ kind }) => kind.startsWith('creative-'))
          .map(({ kind, subject }) => `${kind} ${subject?.id}`);

      it('are those that were reported, until something is decided', async () => {
        const { api, operator, see, decidedAt } = reviewing;
        const id = await see();
        expect(await matters(api)).to.deep.equal([]);
        const told = await api.post(`/api/creatives/${id}/report`, { reason: 'wrong_category', comment: 'Gambling' });
        expect([told.status, told.body]).to.deep.equal([201, { id, report_count: 1 }]);
        expect((await api.get(`/api/creatives/${id}`)).body.reports[0]).to.include({
          reason: 'wrong_category',
          comment: 'Gambling',
        });
        expect(await matters(api)).to.deep.equal([`creative-reported ${id}`]);
        expect(await matters(operator.api)).to.include(`creative-reported ${id}`);
        expect(await matters((await running.newAccount()).api)).to.deep.equal([]);
        await api.post(`/api/creatives/${id}/approve`, { scope: 'account' });
        await decidedAt(id, 'approve');
        expect(await matters(api)).to.deep.equal([]);
        expect(errorOf(await api.post(`/api/creatives/${id}/report`, { reason: 'dull' }))).to.equal(
          '400 VALIDATION_ERROR reason',
        );
      });

      it('are those that a scan has flagged and that are sold', async () => {
        const { api, see } = reviewing;
        const id = await see();
        const unsold = await see({ wins: 0, crid: 'unsold' });
        for (const flagged of [id, unsold]) {
          await running.node.messenger.ask(creative, flagged, 'scanned', {
            report: {
              domains: [],
              redirects: 9,
              wrappers: 0,
              loadMs: 1,
              bytes: 1,
              landingDomain: null,
              screenshot: null,
            },
            findings: [{ code: 'too-many-redirects', message: 'It redirects nine times.', url: null }],
            media: [],
            againInMs: DAY_MS,
          });
        }
        expect(await matters(api)).to.deep.equal([`creative-flagged ${id}`]);
      });
    });

    it('are told of to webhooks once while they are blocked', async () => {
      const { api, operator, see } = reviewing;
      const hook = await made(
        api.post('/api/webhooks', { url: 'https://hooks.example/x', events: ['creative.blocked'] }),
      );
      const id = await see();
      const block = () => api.post(`/api/creatives/${id}/block`, { scope: 'account', reason: 'Loud' });
      const { body: rule } = await block();
      await block();
      await operator.api.post(`/api/creatives/${id}/block`, { scope: 'exchange', reason: 'Malware' });
      const events = await eventually('both blocks to be told', async () => {
        const [document] = await running.store.load([{ kind: webhookQueue.kind, id: hook }]);
        const text = JSON.stringify(document?.state ?? {});
        return text.includes('Malware') ? text : null;
      });
      expect(events).to.include(rule.id);
      expect(events.split('"reason":"Loud"').length - 1, 'of the account’s block').to.equal(1);
    });

    it('leave an entry of every decision in the audit trail', async () => {
      const { api, operator, see } = reviewing;
      const id = await see();
      const { body: rule } = await api.post(`/api/creatives/${id}/block`, { scope: 'account', reason: 'Loud' });
      const resource = encodeURIComponent(`${creativeRule.kind}/${rule.id}`);
      await eventually('the entry', async () => {
        const { body } = await operator.api.get(`/api/audit-trail?resource=${resource}`);
        return body.entries?.length > 0;
      });
    });
  });
