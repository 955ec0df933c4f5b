import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { creative } from '#actors/creative/creative';
import { PROVIDER_PAIRS } from '#test/support/exchange';
import { loadCreativeState, tellSeen } from '#test/support/seen-creative';
import { bookLedgers } from '../book-ledgers.ts';
import { errorOf } from '../management-client.ts';
import { type RunningManagement, startManagement } from '../running-management.ts';
import { made, openReviewingAccount, type ReviewingAccount } from './reviewing-account.ts';

const DAY_MS = 86_400_000;
const ABSENT = 'f'.repeat(32);

for (const pair of PROVIDER_PAIRS)
  describe(`gateways/management/creatives on ${pair}`, () => {
    let running: RunningManagement;
    let reviewing: ReviewingAccount;

    before(async function () {
      running = await startManagement(this, pair);
    });
    after(() => running?.close());
    beforeEach(async () => {
      reviewing = await openReviewingAccount(running);
    });

    const idsOf = async (query: string, client = reviewing.api) => {
      const { status, body } = await client.get(`/api/creatives?${query}`);
      expect(status, JSON.stringify(body)).to.equal(200);
      return body.creatives.map(({ id }: { id: string }) => id) as string[];
    };

    describe('are listed', () => {
      it('by every filter, and never with their markup', async () => {
        const { api, poolId, publisherId, dspId, see, decidedAt } = reviewing;
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
        const { api, see } = reviewing;
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
        const { own, api, operator, see } = reviewing;
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
        const { api, publisherId, makeDsp, see, decidedAt } = reviewing;
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
        const { api, publisherId, dspId, see } = reviewing;
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
  });
