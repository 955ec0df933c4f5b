import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { MOST_PUBLISHERS } from '#actors/creative/reduce';
import { creativeRuleId } from '#actors/creative-rule/rule-id';
import { eventually } from '#test/support/eventually';
import { PROVIDER_PAIRS } from '#test/support/exchange';
import { loadCreativeState } from '#test/support/seen-creative';
import { errorOf } from '../management-client.ts';
import { type RunningManagement, startManagement } from '../running-management.ts';
import { made, openReviewingAccount, type ReviewingAccount } from './reviewing-account.ts';

for (const pair of PROVIDER_PAIRS)
  describe(`gateways/management/creatives of a source on ${pair}`, () => {
    let running: RunningManagement;
    let reviewing: ReviewingAccount;

    before(async function () {
      running = await startManagement(this, pair);
    });
    after(() => running?.close());
    beforeEach(async () => {
      reviewing = await openReviewingAccount(running);
    });

    it('are decided about by the people of the publisher, for it alone', async () => {
      const { own, api, publisherId, dspId, makeDsp, see, decidedAt, standingsOf } = reviewing;
      const person = await running.newUserOf(own.accountId, { type: 'publisher', id: publisherId });
      const id = await see();
      const hidden = await see({ crid: 'hidden', publisherIds: [] });
      const listed = async (query = '') =>
        (await person.api.get(`/api/source/creatives${query}`)).body.creatives.map((one: { id: string }) => one.id);
      expect(await listed()).to.deep.equal([id]);
      expect(errorOf(await person.api.get(`/api/source/creatives/${hidden}`))).to.equal('404 NOT_FOUND');
      expect(errorOf(await person.api.post(`/api/source/creatives/${hidden}/block`, {}))).to.equal('404 NOT_FOUND');
      expect(errorOf(await person.api.get('/api/creatives'))).to.equal('403 FORBIDDEN');
      await api.post(`/api/creatives/${id}/approve`, { scope: 'account', reason: 'Between us' });
      await decidedAt(id, 'approve');
      expect((await person.api.get(`/api/source/creatives/${id}`)).body.decisions, 'of wider scopes').to.deep.equal([]);

      const blocked = await person.api.post(`/api/source/creatives/${id}/block`, { reason: 'Loud' });
      expect(blocked.body).to.include({
        scope: 'publisher',
        scope_id: publisherId,
        decided_by: `user/${person.userId}`,
      });
      await decidedAt(id, 'block');
      expect(await listed('?decision=blocked')).to.deep.equal([id]);
      expect(await listed('?decision=undecided')).to.deep.equal([]);
      expect((await standingsOf(id)).publisher).to.equal('blocked');
      expect((await standingsOf(id, person.api, '/api/source/creatives')).publisher).to.equal('blocked');
      expect((await person.api.delete(`/api/source/creatives/${id}/decision`)).status).to.equal(204);
      expect(errorOf(await person.api.delete(`/api/source/creatives/${id}/decision`))).to.equal('404 NOT_FOUND');
      expect((await standingsOf(id)).publisher).to.equal('approved');

      const rule = { subject: 'demand_source', value: dspId, decision: 'block' };
      const ruleId = await made(person.api.post('/api/source/creatives/rules', rule));
      const unknown = await person.api.post('/api/source/creatives/rules', { ...rule, value: await makeDsp() });
      expect(errorOf(unknown)).to.equal('400 VALIDATION_ERROR value');
      expect((await person.api.get('/api/source/creatives/rules')).body.total).to.equal(1);
      const accounts = creativeRuleId({ kind: 'account', id: own.accountId }, 'creative', id);
      expect(errorOf(await person.api.delete(`/api/source/creatives/rules/${accounts}`))).to.equal('404 NOT_FOUND');
      expect((await person.api.delete(`/api/source/creatives/rules/${ruleId}`)).status).to.equal(204);

      expect((await person.api.put('/api/source/creatives/policy', { mode: 'reviewed' })).body.mode).to.equal(
        'reviewed',
      );
      expect((await person.api.get('/api/source/creatives/policy')).body.mode).to.equal('reviewed');
      expect((await api.post(`/api/creatives/${id}/report`, { reason: 'malware' })).body.report_count).to.equal(1);
      const reported = await person.api.post(`/api/source/creatives/${id}/report`, { reason: 'offensive' });
      expect(reported.body.report_count, 'without those of others').to.equal(1);
      expect((await person.api.get(`/api/source/creatives/${id}`)).body.report_count).to.equal(0);
      expect((await person.api.get('/api/source/creatives')).body.creatives[0].report_count).to.equal(0);
      expect((await api.get(`/api/creatives/${id}`)).body.report_count, 'for the account').to.equal(2);
    });

    it('are decided about by a publisher, however many others they were offered to since', async () => {
      const { own, api, poolId, publisherId, dspId, see } = reviewing;
      const person = await running.newUserOf(own.accountId, { type: 'publisher', id: publisherId });
      const apart = await made(api.post('/api/supply/sources', { name: 'Apart', domain: 'a.example', type: 'web' }));
      const outsider = await running.newUserOf(own.accountId, { type: 'publisher', id: apart });
      const fields = { crid: 'everywhere', fingerprint: 'e'.repeat(32) };
      const id = await see({ ...fields, publisherIds: [publisherId, apart] });
      const offerTo = async (count: number) => {
        for (let left = count; left > 0; left -= 20) {
          const publisherIds = Array.from({ length: Math.min(left, 20) }, () => randomUUID());
          await see({ ...fields, publisherIds });
        }
        await eventually('all offers are saved', async () => {
          const kept = (await loadCreativeState(running.parts, id))!.publisherIds.length;
          return kept === Math.min(count + 2, MOST_PUBLISHERS);
        });
      };
      await offerTo(60);
      const listed = (await person.api.get('/api/source/creatives')).body.creatives;
      expect(listed.map((one: { id: string }) => one.id)).to.deep.equal([id]);
      const { body } = await api.get(`/api/creatives/${id}`);
      expect(body.publishers, 'the newest').to.have.lengthOf(50);

      await offerTo(MOST_PUBLISHERS);
      expect(errorOf(await person.api.get(`/api/source/creatives/${id}`)), 'not of its pool').to.equal('404 NOT_FOUND');
      expect((await api.post(`/api/demand/sources/${dspId}/pools/${poolId}`)).status).to.equal(200);
      expect((await person.api.get(`/api/source/creatives/${id}`)).status).to.equal(200);
      expect((await person.api.post(`/api/source/creatives/${id}/block`, {})).status).to.equal(200);
      expect((await person.api.post(`/api/source/creatives/${id}/report`, { reason: 'other' })).status).to.equal(201);
      const rule = { subject: 'creative', value: id, decision: 'block' };
      expect((await person.api.post('/api/source/creatives/rules', rule)).status).to.equal(201);
      expect(errorOf(await outsider.api.get(`/api/source/creatives/${id}`))).to.equal('404 NOT_FOUND');
    });

    it('are read, and only read, by the people of the demand source', async () => {
      const { own, api, publisherId, dspId, makeDsp, see } = reviewing;
      const person = await running.newUserOf(own.accountId, { type: 'dsp', id: dspId });
      const id = await see();
      const others = await see({ dspId: await makeDsp(), crid: 'other' });
      await api.post(`/api/creatives/${id}/block`, { scope: 'publisher', scope_id: publisherId, reason: 'Loud' });
      const { creatives } = (await person.api.get('/api/demand/creatives')).body;
      expect(creatives.map((one: { id: string }) => one.id)).to.deep.equal([id]);
      const { body } = await person.api.get(`/api/demand/creatives/${id}`);
      const ofPublisher = body.review.find((one: { scope: string }) => one.scope === 'publisher');
      expect(ofPublisher).to.deep.include({ scope_name: 'News', state: 'blocked', may_decide: false });
      expect(ofPublisher.cause.reason).to.equal('Loud');
      expect(body.review.map((one: { scope: string }) => one.scope)).to.deep.equal([
        'exchange',
        'account',
        'publisher',
      ]);
      expect(errorOf(await person.api.get(`/api/demand/creatives/${others}`))).to.equal('404 NOT_FOUND');
      expect(errorOf(await person.api.post(`/api/creatives/${id}/block`, { scope: 'account' }))).to.equal(
        '403 FORBIDDEN',
      );
      expect(errorOf(await person.api.post(`/api/source/creatives/${id}/block`, {}))).to.equal('403 FORBIDDEN');
    });
  });
