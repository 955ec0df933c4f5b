import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { creative } from '#actors/creative/creative';
import { MOST_PUBLISHERS } from '#actors/creative/reduce';
import { creativePolicy } from '#actors/creative-policy/creative-policy';
import { creativeRule } from '#actors/creative-rule/creative-rule';
import { creativeRuleId } from '#actors/creative-rule/rule-id';
import { webhookQueue } from '#actors/webhook-queue/webhook-queue';
import { eventually } from '#test/support/eventually';
import { PROVIDER_PAIRS } from '#test/support/exchange';
import { loadCreativeState, type Seen, tellSeen } from '#test/support/seen-creative';
import { bookLedgers } from '../book-ledgers.ts';
import { errorOf, type ManagementClient } from '../management-client.ts';
import {
  type AccountClients,
  type RunningManagement,
  startManagement,
  type UserClient,
} from '../running-management.ts';

const DAY_MS = 86_400_000;
const ABSENT = 'f'.repeat(32);

for (const pair of PROVIDER_PAIRS)
  describe(`gateways/management/creatives on ${pair}`, () => {
    let running: RunningManagement;
    let own: AccountClients;
    let api: ManagementClient;
    let operator: UserClient;
    let poolId: string;
    let publisherId: string;
    let dspId: string;

    before(async function () {
      running = await startManagement(this, pair);
    });
    after(() => running?.close());
    beforeEach(async () => {
      own = await running.newAccount();
      api = own.api;
      operator = await running.newUser(own.accountId, 'operator');
      poolId = await made(api.post('/api/supply/pools', { name: 'Pool' }));
      publisherId = await made(api.post('/api/supply/sources', { name: 'News', domain: 'n.example', type: 'web' }));
      await api.put(`/api/supply/pools/${poolId}/assign`, { publisher_id: publisherId });
      dspId = await makeDsp();
    });

    async function made(answering: ReturnType<ManagementClient['post']>): Promise<string> {
      const { status, body } = await answering;
      expect(status, JSON.stringify(body)).to.equal(201);
      return body.id;
    }
    const makeDsp = (headers: Record<string, string> = {}) =>
      made(
        api.post(
          '/api/demand/sources',
          { name: `Bidder ${Math.random()}`, mode: 'rtb', endpoint_url: 'https://bidder.example/bid' },
          headers,
        ),
      );
    const see = (fields: Partial<Seen> = {}) =>
      tellSeen(running.parts, { accountId: own.accountId, dspId, publisherIds: [publisherId], ...fields });
    const idsOf = async (query: string, client = api) => {
      const { status, body } = await client.get(`/api/creatives?${query}`);
      expect(status, JSON.stringify(body)).to.equal(200);
      return body.creatives.map(({ id }: { id: string }) => id) as string[];
    };
    /** Waits until what was decided is seen at the creative itself. */
    const decidedAt = (id: string, decision: string | null) =>
      eventually('the creative to be told', async () => {
        const state = await loadCreativeState(running.parts, id);
        return (state?.decisions[0]?.decision ?? null) === decision;
      });
    const standingsOf = async (id: string, client = api, path = '/api/creatives') => {
      const { status, body } = await client.get(`${path}/${id}`);
      expect(status, JSON.stringify(body)).to.equal(200);
      return Object.fromEntries(
        body.review.map(({ scope, state }: { scope: string; state: string }) => [scope, state]),
      ) as Record<string, string>;
    };

    describe('are listed', () => {
      it('by every filter, and never with their markup', async () => {
        const banner = await see({ crid: 'Spring-Sale', advertiserDomains: ['brand.example'] });
        const video = await see({ crid: 'b', formats: ['video'], advertiserDomains: ['autumn.example'] });
        const scan = { domains: [], redirects: 0, wrappers: 0, loadMs: 1, bytes: 1 };
        await running.node.messenger.ask(creative, video, 'scanned', {
          report: { ...scan, landingDomain: null, screenshot: null },
          findings: [{ code: 'plain-http', message: 'It loads http://a.example.', url: 'http://a.example/' }],
          media: [],
          againInMs: DAY_MS,
        });
        await running.node.messenger.ask(creative, video, 'not-hosted', { reason: 'It is a wrapper.' });
        await api.post(`/api/creatives/${banner}/block`, { scope: 'account', reason: 'x' });
        await decidedAt(banner, 'block');
        const found = async (query: string) => {
          const ids = await idsOf(query);
          return [ids.includes(banner) && 'banner', ids.includes(video) && 'video'].filter(Boolean).join();
        };
        expect(await found('')).to.equal('banner,video');
        expect(await found('q=spring-sale')).to.equal('banner');
        expect(await found('q=TUMN.exa')).to.equal('video');
        expect(await found('q=.*')).to.equal('');
        expect(await found('advertiser_domain=Brand.example')).to.equal('banner');
        expect(await found('format=video')).to.equal('video');
        expect(await found('scan_status=flagged')).to.equal('video');
        expect(await found('scan_status=pending')).to.equal('banner');
        expect(await found('hosting_status=not-hosted')).to.equal('video');
        expect(await found('decision=blocked')).to.equal('banner');
        expect(await found('decision=approved')).to.equal('');
        expect(await found('decision=undecided')).to.equal('video');
        expect(await found(`dsp_id=${dspId}`)).to.equal('banner,video');
        expect(await found(`dsp_id=${poolId}`)).to.equal('');
        expect(await found(`publisher_id=${publisherId}`)).to.equal('banner,video');
        const [entry] = (await api.get('/api/creatives?q=spring')).body.creatives;
        expect(entry).to.not.have.any.keys('markup', 'review', 'publishers');
        expect(errorOf(await api.get(`/api/creatives?publisher_id=${dspId}`))).to.equal('404 NOT_FOUND');
        expect(errorOf(await api.get('/api/creatives?format=gif'))).to.match(/^400 INVALID_PARAMS/);
        expect(errorOf(await api.get('/api/creatives?page=101'))).to.match(/^400 INVALID_PARAMS/);
      });

      it('in pages, in either order of each field', async () => {
        const ids: string[] = [];
        for (let index = 0; index < 5; index++) ids.push(await see({ crid: `c${index}`, wins: 5 - index }));
        expect(await idsOf('sort=-wins')).to.deep.equal(ids);
        expect(await idsOf('sort=wins')).to.deep.equal([...ids].reverse());
        expect(await idsOf('sort=-wins&page=2&per_page=2')).to.deep.equal(ids.slice(2, 4));
        const { body, headers } = await api.get('/api/creatives?sort=-wins&page=3&per_page=2');
        expect(body).to.include({ total: 5, page: 3, per_page: 2 });
        expect([body.creatives.length, headers.get('x-total-count')]).to.deep.equal([1, '5']);
        // Those that were told of within one millisecond are in the order of their ids.
        const seen = (await api.get('/api/creatives')).body.creatives.map(
          (one: { last_seen_at: string }) => one.last_seen_at,
        );
        expect(seen).to.deep.equal([...seen].sort().reverse());
      });

      it('of the environment and the partner of the call; operators see those of every account', async () => {
        const live = await see();
        const sandbox = await see({ sandbox: true, crid: 's' });
        const partnerId = await made(api.post('/api/partners', { name: 'P' }));
        const partners = await see({ partnerId, crid: 'p', publisherIds: [] });
        const other = await running.newAccount();
        const others = await tellSeen(running.parts, { accountId: other.accountId });
        const asPartner = api.as({ 'X-User-Partner-ID': partnerId });
        expect((await idsOf('')).sort()).to.deep.equal([live, partners].sort());
        expect(await idsOf('', own.sandboxApi)).to.deep.equal([sandbox]);
        expect(await idsOf('', asPartner)).to.deep.equal([partners]);
        expect(await idsOf(`q=spring&dsp_id=${(await loadCreativeState(running.parts, others))!.dspId}`)).to.deep.equal(
          [],
        );
        expect(await idsOf('per_page=100', operator.api)).to.include.members([live, others]);
      });

      it('of other partners too, where they were offered to a supply source of the partner', async () => {
        const partnerId = await made(api.post('/api/partners', { name: 'P' }));
        const asPartner = api.as({ 'X-User-Partner-ID': partnerId });
        const site = await made(
          asPartner.post('/api/supply/sources', { name: 'Site', domain: 's.example', type: 'web' }),
        );
        const offered = await see({ publisherIds: [site, publisherId], crid: 'offered', campaignId: randomUUID() });
        await see({ crid: 'offered' });
        const ownDsp = await makeDsp({ 'X-User-Partner-ID': partnerId });
        const whole = { dspId: ownDsp, partnerId, crid: 'whole', campaignId: randomUUID() };
        const ownCreative = await see({ ...whole, publisherIds: [site, publisherId] });
        const scope = { scope: 'publisher', scope_id: publisherId, reason: 'A secret of the account' };
        expect((await api.post(`/api/creatives/${offered}/block`, scope)).status).to.equal(200);
        await decidedAt(offered, 'block');
        expect((await api.post(`/api/creatives/${ownCreative}/block`, scope)).status).to.equal(200);
        await decidedAt(ownCreative, 'block');
        for (const id of [offered, ownCreative]) {
          expect((await api.post(`/api/creatives/${id}/report`, { reason: 'other' })).status).to.equal(201);
        }
        const hidden = await see({ crid: 'hidden' });
        const listed = async (query = '') =>
          (await idsOf(`publisher_id=${site}&sort=first_seen_at${query}`, asPartner)).map((id) =>
            id === offered ? 'offered' : id === ownCreative ? 'own' : id,
          );
        expect(await listed()).to.deep.equal(['offered', 'own']);
        const { status, body } = await asPartner.get(`/api/creatives/${offered}`);
        expect(status).to.equal(200);
        expect(body.publishers, 'nothing of other partners').to.deep.equal([
          { publisher_id: site, publisher_name: 'Site' },
        ]);
        expect(body).to.include({ campaign_id: null, report_count: 0 });
        expect(body.decisions).to.deep.equal([]);
        expect(body.reports).to.deep.equal([]);
        expect(body.versions).to.deep.equal([]);
        expect(body.figures).to.equal(null);
        const expectListedAsRead = async () => {
          const { creatives } = (await asPartner.get(`/api/creatives?publisher_id=${site}`)).body;
          expect(creatives).to.have.lengthOf(2);
          for (const entry of creatives) {
            const read = (await asPartner.get(`/api/creatives/${entry.id}`)).body;
            expect(entry).to.deep.equal(Object.fromEntries(Object.keys(entry).map((key) => [key, read[key]])));
          }
        };
        await expectListedAsRead();
        expect(await listed('&decision=blocked'), 'whose decision it sees').to.deep.equal(['own']);
        expect(await listed('&decision=undecided')).to.deep.equal(['offered']);
        expect(await listed('&decision=approved')).to.deep.equal([]);

        await api.post(`/api/creatives/${offered}/approve`, { scope: 'account' });
        await decidedAt(offered, 'approve');
        expect(await listed('&decision=approved'), 'for the whole account').to.deep.equal(['offered']);
        await asPartner.post(`/api/creatives/${offered}/block`, { scope: 'publisher', scope_id: site });
        await decidedAt(offered, 'block');
        expect(await listed('&decision=blocked'), 'by itself').to.deep.equal(['offered', 'own']);
        expect(await listed('&decision=blocked&page=2&per_page=1')).to.deep.equal(['own']);
        expect(await listed('&decision=undecided')).to.deep.equal([]);
        await expectListedAsRead();
        const reported = await asPartner.post(`/api/creatives/${offered}/report`, { reason: 'other' });
        expect(reported.body.report_count, 'of the same key').to.equal(2);
        expect(errorOf(await asPartner.get(`/api/creatives/${hidden}`))).to.equal('404 NOT_FOUND');
        expect(errorOf(await asPartner.get(`/api/creatives?publisher_id=${publisherId}`))).to.equal('404 NOT_FOUND');
      });
    });

    describe('are read', () => {
      it('with their markup, publishers, versions, and what the books have of their crid', async () => {
        const id = await see({ crid: 'cr1', fingerprint: 'a'.repeat(32) });
        const version = await see({ crid: 'cr1', fingerprint: 'b'.repeat(32) });
        await see({ crid: 'cr2' });
        await bookLedgers(running, [{ scope: 'dsp', id: dspId, counterparty: publisherId }]);
        const { body } = await api.get(`/api/creatives/${id}`);
        expect(body.markup).to.include('https://cdn.example/spring.png');
        expect(body.publishers).to.deep.equal([{ publisher_id: publisherId, publisher_name: 'News' }]);
        expect(body.versions.map((one: { id: string }) => one.id)).to.deep.equal([version]);
        expect(body.figures).to.deep.equal({
          period: '30d',
          bids: 1500,
          wins: 1200,
          impressions: 1000,
          spend_cents: 250,
        });
        expect(body).to.include({ dsp_id: dspId, crid: 'cr1', scan_status: 'pending', stability: 'unknown' });
        expect((await api.get(`/api/creatives/${id}?period=1h`)).body.figures.impressions).to.equal(1000);
        expect(errorOf(await api.get(`/api/creatives/${ABSENT}`))).to.equal('404 NOT_FOUND');
        expect(errorOf(await api.get('/api/creatives/none'))).to.equal('404 NOT_FOUND');
        const stranger = await running.newAccount();
        expect(errorOf(await stranger.api.get(`/api/creatives/${id}`))).to.equal('404 NOT_FOUND');
      });
    });

    describe('are decided about', () => {
      it('in every scope: a block anywhere above blocks, and each mode must be met', async () => {
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

    describe('of a source', () => {
      it('are decided about by the people of the publisher, for it alone', async () => {
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
        expect((await person.api.get(`/api/source/creatives/${id}`)).body.decisions, 'of wider scopes').to.deep.equal(
          [],
        );

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
        expect(errorOf(await person.api.get(`/api/source/creatives/${id}`)), 'not of its pool').to.equal(
          '404 NOT_FOUND',
        );
        expect((await api.post(`/api/demand/sources/${dspId}/pools/${poolId}`)).status).to.equal(200);
        expect((await person.api.get(`/api/source/creatives/${id}`)).status).to.equal(200);
        expect((await person.api.post(`/api/source/creatives/${id}/block`, {})).status).to.equal(200);
        expect((await person.api.post(`/api/source/creatives/${id}/report`, { reason: 'other' })).status).to.equal(201);
        const rule = { subject: 'creative', value: id, decision: 'block' };
        expect((await person.api.post('/api/source/creatives/rules', rule)).status).to.equal(201);
        expect(errorOf(await outsider.api.get(`/api/source/creatives/${id}`))).to.equal('404 NOT_FOUND');
      });

      it('are read, and only read, by the people of the demand source', async () => {
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

    describe('that need somebody', () => {
      const matters = async (client: ManagementClient) =>
        ((await client.get('/api/attention')).body.matters as { kind: string; subject: { id: string } | null }[])
          .filter(({ kind }) => kind.startsWith('creative-'))
          .map(({ kind, subject }) => `${kind} ${subject?.id}`);

      it('are those that were reported, until something is decided', async () => {
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
      const id = await see();
      const { body: rule } = await api.post(`/api/creatives/${id}/block`, { scope: 'account', reason: 'Loud' });
      const resource = encodeURIComponent(`${creativeRule.kind}/${rule.id}`);
      await eventually('the entry', async () => {
        const { body } = await operator.api.get(`/api/audit-trail?resource=${resource}`);
        return body.entries?.length > 0;
      });
    });
  });
