import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { dsp } from '#actors/dsp/dsp';
import { quota, quotaId } from '#actors/quota/quota';
import { closeDelegate } from '#gateways/management/changes/close-delegate';
import { moveHoldings } from '#gateways/management/quotas/delegate-holdings';
import { quotaHolderId } from '#gateways/management/quotas/holder-id';
import { recountQuota } from '#gateways/management/quotas/recount';
import { ActorTimeout, Parked } from '#runtime/actor/errors';
import type { Messenger } from '#runtime/actor/messenger';
import { type CreativeOrigin, file, startCreativeOrigin } from '../../support/creative-origin.ts';
import { eventually } from '../../support/eventually.ts';
import { PROVIDER_PAIRS } from '../../support/exchange.ts';
import { PNG_300_250 } from '../../support/sample-media.ts';
import { type LimitedManagement, startLimitedManagement } from './limited-management.ts';
import { errorOf, type ManagementClient } from './management-client.ts';
import type { RunningManagement } from './running-management.ts';

for (const pair of PROVIDER_PAIRS)
  describe(`campaigns and strategies in the limits of their account, on ${pair}`, () => {
    let running: RunningManagement;
    let accountWith: LimitedManagement['accountWith'];

    before(async function () {
      ({ running, accountWith } = await startLimitedManagement(this, pair));
    });
    after(() => running?.close());
    const campaign = (dspId: string, name: string) => ({
      ...{ dsp_id: dspId, campaign_id: name, campaign_name: name, bidding: { base_cpm: 1 } },
      creative: { creative_id: 'c', html: '<b>Hello</b>' },
    });
    const delegate = async (api: ManagementClient, name: string, sandbox: boolean): Promise<string> =>
      (await api.post('/api/demand/sources', { name, mode: 'delegate', sandbox })).body.id;
    const create = async (api: ManagementClient, dspId: string, ...names: string[]) => {
      const statuses: number[] = [];
      for (const name of names) statuses.push((await api.post('/api/campaigns', campaign(dspId, name))).status);
      return statuses;
    };
    const uploadStrategy = (api: ManagementClient, dspId: string) =>
      api.put(`/api/demand/sources/${dspId}/strategy`, {
        ...{ version: '1.0', dsp_id: dspId, default_bid: 1, campaigns: [], rules: [] },
      });
    const usageOf = async (api: ManagementClient) => {
      const { live, sandbox } = (await api.get('/api/account')).body.usage;
      return [live.campaigns, live.strategies, sandbox.campaigns, sandbox.strategies];
    };
    const nothingCounts = (api: ManagementClient) =>
      eventually('nothing of the archived delegate counts', async () =>
        expect(await usageOf(api)).to.deep.equal([0, 0, 0, 0]),
      );
    /** Archives it as a request does that is interrupted right afterwards. */
    const archiveAlone = (accountId: string, dspId: string) =>
      running.node.messenger.ask(dsp, dspId, 'archive', {
        scope: { accountId, partnerId: null, sandboxOnly: false },
      });
    const dropFromQuota = (accountId: string, campaignId: string) =>
      running.node.messenger.ask(quota, quotaId(accountId, false, 'campaigns'), 'drop', {
        ...{ holder: quotaHolderId(campaignId), archived: false },
      });

    for (const toSandbox of [false, true]) {
      it(`need room ${toSandbox ? 'in the sandbox' : 'among the live ones'} when their delegate moves there`, async () => {
        const own = await accountWith({ campaigns: 2 }, { campaigns: 2 });
        const { api } = own;
        const moved = await delegate(api, 'Moved', !toSandbox);
        const there = await delegate(api, 'There', toSandbox);
        expect(await create(api, moved, 'a', 'b')).to.deep.equal([201, 201]);
        expect((await uploadStrategy(api, moved)).status).to.equal(200);
        expect(await create(api, there, 'a')).to.deep.equal([201]);
        const before = await usageOf(api);
        const move = () => api.put(`/api/demand/sources/${moved}`, { sandbox: toSandbox });
        const refused = await move();
        expect(errorOf(refused)).to.equal('409 CONFLICT');
        expect(refused.body.error.message).to.include('at most 2 campaigns');
        await eventually('the room of the refused move is free', async () =>
          expect(await usageOf(api)).to.deep.equal(before),
        );

        await api.delete(`/api/demand/sources/${there}`);
        expect((await move()).body.sandbox).to.equal(toSandbox);
        await eventually('campaigns and strategy count where their delegate is', async () =>
          expect(await usageOf(api)).to.deep.equal(toSandbox ? [0, 0, 2, 1] : [2, 1, 0, 0]),
        );
        const next = await delegate(api, 'The next', toSandbox);
        expect(await create(api, next, 'a')).to.deep.equal([409]);
        const back = await delegate(api, 'Back', !toSandbox);
        expect(await create(api, back, 'a', 'b')).to.deep.equal([201, 201]);
      });
    }

    it('free the room that they reserved when a move fails before it is made', async () => {
      const { api, accountId } = await accountWith({ campaigns: 2 });
      const dspId = await delegate(api, 'Not moved', true);
      expect(await create(api, dspId, 'a', 'b')).to.deep.equal([201, 201]);
      expect((await uploadStrategy(api, dspId)).status).to.equal(200);
      const before = await usageOf(api);
      const { messenger } = running.parts;
      const strategies = quotaId(accountId, false, 'strategies');
      // The quota takes the strategy, and its answer is lost.
      const ask: Messenger['ask'] = async (kind, id, type, ...more) => {
        const reply = await messenger.ask(kind, id, type, ...more);
        if (id === strategies && type === 'take-all') throw new ActorTimeout('lost');
        return reply;
      };
      const parts = { ...running.parts, messenger: { ...messenger, ask } };
      for (const resource of ['campaigns', 'strategies'] as const) {
        await recountQuota(running.parts, { accountId, sandbox: false, resource });
      }
      let moved = false;
      const act = async () => {
        moved = true;
      };
      const moving = moveHoldings(parts, { accountId, id: dspId, sandbox: false }, act);
      expect(await moving.catch((error: unknown) => error)).to.be.instanceOf(ActorTimeout);
      expect(moved).to.equal(false);
      await eventually('the room of the failed move is free', async () =>
        expect(await usageOf(api)).to.deep.equal(before),
      );
    });

    it('have room for their bytes when their delegate moves', async () => {
      const { api } = await accountWith({ strategies_bytes: 10 });
      const dspId = await delegate(api, 'Moved', true);
      expect((await uploadStrategy(api, dspId)).status).to.equal(200);
      const refused = await api.put(`/api/demand/sources/${dspId}`, { sandbox: false });
      expect(errorOf(refused)).to.equal('422 QUOTA_EXCEEDED');
      expect((await api.get(`/api/demand/sources/${dspId}`)).body.sandbox).to.equal(true);
    });

    it('make room again when their delegate is archived', async () => {
      const { api } = await accountWith({ campaigns: 2 });
      const first = await delegate(api, 'First', false);
      expect(await create(api, first, 'a', 'b', 'c')).to.deep.equal([201, 201, 409]);
      expect((await uploadStrategy(api, first)).status).to.equal(200);
      await api.delete(`/api/demand/sources/${first}`);
      await nothingCounts(api);
      const { campaigns } = (await api.get('/api/campaigns')).body;
      expect(campaigns.map(({ status }: { status: string }) => status)).to.deep.equal(['retired', 'retired']);
      const second = await delegate(api, 'Second', false);
      expect(await create(api, second, 'a', 'b', 'c')).to.deep.equal([201, 201, 409]);
    });

    describe('whose write is under way while their delegate is archived', () => {
      let creatives: CreativeOrigin;
      let delegateId: string;
      let api: ManagementClient;
      before(async () => {
        creatives = await startCreativeOrigin();
        // The file is fetched after the delegate was found open, and before anything is written.
        creatives.answer('/late.png', async (request, response) => {
          await api.delete(`/api/demand/sources/${delegateId}`);
          file(PNG_300_250, 'image/png')(request, response);
        });
      });
      after(() => creatives.close());
      const withImage = () => {
        const creative = { creative_id: 'c', image_url: creatives.url(`/late.png?${randomUUID()}`) };
        return { ...campaign(delegateId, 'a'), creative: { ...creative, landing_url: 'https://shop.example/' } };
      };
      const expectNothingOpen = async () => {
        await nothingCounts(api);
        const { campaigns } = (await api.get('/api/campaigns')).body;
        expect(campaigns.filter(({ status }: { status: string }) => status !== 'retired')).to.deep.equal([]);
      };
      beforeEach(async () => {
        ({ api } = await accountWith({ campaigns: 2 }));
        delegateId = await delegate(api, 'Archived meanwhile', false);
      });

      it('are refused and retired, of the Campaign API', async () => {
        const refused = await api.post('/api/campaigns', withImage());
        expect(errorOf(refused)).to.equal('409 CONFLICT');
        await expectNothingOpen();
      });

      it('are refused, of a strategy', async () => {
        const { dsp_id, ...ofStrategy } = withImage();
        const document = { version: '1.0', dsp_id, default_bid: 1, campaigns: [ofStrategy], rules: [] };
        const refused = await api.put(`/api/demand/sources/${delegateId}/strategy`, document);
        expect(errorOf(refused)).to.equal('409 CONFLICT');
        await expectNothingOpen();
      });
    });

    it('that an interrupted archiving left behind are retired by a recount', async () => {
      const { api, accountId } = await accountWith({ campaigns: 2 });
      const dspId = await delegate(api, 'Left behind', false);
      expect(await create(api, dspId, 'a')).to.deep.equal([201]);
      await archiveAlone(accountId, dspId);
      expect((await api.get('/api/campaigns?status=active')).body.total).to.equal(1);
      await recountQuota(running.parts, { accountId, sandbox: false, resource: 'campaigns' });
      expect((await api.get('/api/campaigns?status=retired')).body.total).to.equal(1);
    });

    it('make room when an archiving that was interrupted is repeated', async () => {
      const { api, accountId } = await accountWith({ campaigns: 2 });
      const dspId = await delegate(api, 'Archived twice', false);
      expect(await create(api, dspId, 'a')).to.deep.equal([201]);
      expect((await uploadStrategy(api, dspId)).status).to.equal(200);
      const archived = await archiveAlone(accountId, dspId);
      await closeDelegate(running.parts, dspId, archived);
      expect(await usageOf(api)).to.deep.equal([1, 1, 0, 0]);
      expect((await api.delete(`/api/demand/sources/${dspId}`)).status).to.equal(200);
      await nothingCounts(api);
    });

    it('of an archived delegate that cannot be closed are counted, and hold up no recount', async () => {
      const { api, accountId } = await accountWith({ campaigns: 2 });
      const stuck = await delegate(api, 'Stuck', false);
      const closable = await delegate(api, 'Closable', false);
      for (const dspId of [stuck, closable]) {
        const { id } = (await api.post('/api/campaigns', campaign(dspId, 'a'))).body;
        await dropFromQuota(accountId, id);
        await archiveAlone(accountId, dspId);
      }
      const { messenger } = running.parts;
      const ask: Messenger['ask'] = (kind, id, type, ...more) =>
        id === stuck ? Promise.reject(new Parked('stuck')) : messenger.ask(kind, id, type, ...more);
      const parts = { ...running.parts, messenger: { ...messenger, ask } };
      await recountQuota(parts, { accountId, sandbox: false, resource: 'campaigns' });
      expect((await api.get('/api/campaigns?status=active')).body.total).to.equal(1);
      expect((await usageOf(api))[0]).to.equal(1);
    });

    it('of a delegate that became a bidder are counted by a recount', async () => {
      const { api, accountId } = await accountWith({ campaigns: 2 });
      const dspId = await delegate(api, 'Changed', false);
      const { id } = (await api.post('/api/campaigns', campaign(dspId, 'a'))).body;
      const changed = { mode: 'rtb', endpoint_url: 'https://bidder.example/bid' };
      expect((await api.put(`/api/demand/sources/${dspId}`, changed)).status).to.equal(200);
      const quotaKey = { accountId, sandbox: false, resource: 'campaigns' } as const;
      await dropFromQuota(accountId, id);
      expect((await usageOf(api))[0]).to.equal(0);
      await recountQuota(running.parts, quotaKey);
      expect((await usageOf(api))[0]).to.equal(1);
    });
  });
