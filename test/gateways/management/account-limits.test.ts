import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { type LimitOverrides, limitsOf } from '#actors/account/limits';
import { dsp } from '#actors/dsp/dsp';
import type { PublisherProjection } from '#actors/publisher/fields';
import { publisher } from '#actors/publisher/publisher';
import { publisherNameId } from '#actors/publisher/reduce';
import { quota, quotaId } from '#actors/quota/quota';
import { PackedDomains } from '#exchange/packed-domains';
import { withClaimedName } from '#gateways/management/changes/claim-name';
import { closeDelegate } from '#gateways/management/changes/close-delegate';
import { moveHoldings } from '#gateways/management/quotas/delegate-holdings';
import { quotaHolderId } from '#gateways/management/quotas/holder-id';
import { recountQuota } from '#gateways/management/quotas/recount';
import { withinQuota } from '#gateways/management/quotas/within-quota';
import { ActorTimeout, Parked } from '#runtime/actor/errors';
import type { Messenger } from '#runtime/actor/messenger';
import { type CreativeOrigin, file, startCreativeOrigin } from '../../support/creative-origin.ts';
import { eventually } from '../../support/eventually.ts';
import { PROVIDER_PAIRS } from '../../support/exchange.ts';
import { PNG_300_250 } from '../../support/sample-media.ts';
import { type Answer, errorOf, type ManagementClient } from './management-client.ts';
import { type AccountClients, type RunningManagement, startManagement } from './running-management.ts';

/** As many domains as a source may block, of 44 characters each. */
const LISTED = Array.from({ length: 1000 }, (_, index) => `${String(index).padStart(36, 'd')}.example`);
const LIST_BYTES = 1_024 + 1000 * (44 + 3);

for (const pair of PROVIDER_PAIRS)
  describe(`gateways/management/account-limits on ${pair}`, () => {
    let running: RunningManagement;
    let operator: ManagementClient;

    before(async function () {
      running = await startManagement(this, pair, {});
      operator = (await running.newUser(running.accountId, 'operator')).api;
    });
    after(() => running?.close());

    const accountWith = async (limits: LimitOverrides, sandboxLimits: LimitOverrides = {}): Promise<AccountClients> => {
      const own = await running.newAccount();
      const answer = await operator.put(`/api/accounts/${own.accountId}`, { limits, sandbox_limits: sandboxLimits });
      expect(answer.status).to.equal(200);
      expect(answer.body.limits.live).to.include(limits);
      await eventually('the limits are followed', () =>
        expect(running.node.replica.get<{ limits?: LimitOverrides }>('account', own.accountId)?.limits).to.deep.equal(
          limits,
        ),
      );
      return own;
    };
    /** Tried again where the servers are busy, as callers are told to. */
    const source = (api: ManagementClient, name: string, more = {}) =>
      eventually('an answer that is not 503', async () => {
        const answer = await api.post('/api/supply/sources', { name, domain: 'news.example', type: 'web', ...more });
        return answer.status === 503 ? null : answer;
      });

    it('lets 50 creations at once make no more of anything than the limit', async () => {
      const own = await accountWith({ supply_sources: 10, demand_sources: 10, pools: 10, partners: 10, webhooks: 10 });
      const made: Record<string, (index: number) => Promise<{ status: number }>> = {
        supply_sources: (index) => source(own.api, `Source ${index}`),
        demand_sources: (index) => own.api.post('/api/demand/sources', { name: `D ${index}`, mode: 'delegate' }),
        pools: (index) => own.api.post('/api/supply/pools', { name: `Pool ${index}` }),
        partners: (index) => own.api.post('/api/partners', { name: `Partner ${index}` }),
        webhooks: (index) =>
          own.api.post('/api/webhooks', { url: `https://hooks.example/${index}`, events: ['pool.dsp_joined'] }),
      };
      for (const [name, make] of Object.entries(made)) {
        const statuses = await Promise.all(Array.from({ length: 50 }, async (_, index) => (await make(index)).status));
        expect(statuses.filter((status) => status === 201).length, name).to.equal(10);
        expect(statuses.filter((status) => status === 409).length, name).to.equal(40);
      }
      const { usage } = (await own.api.get('/api/account')).body;
      for (const name of Object.keys(made)) expect(usage.live[name], name).to.equal(10);
      const refused = await source(own.api, 'One more');
      expect(refused.body.error.message).to.equal(
        'An account has at most 10 supply sources. The operator of the exchange can raise the limit.',
      );
      expect((await source(own.sandboxApi, 'In the sandbox')).status).to.equal(201);
    });

    it('refuses more than 65,536 characters of blocked domains of a source', async () => {
      const long = Array.from({ length: 400 }, (_, index) => `${String(index).padStart(200, 'd')}.example`);
      const refused = await source(running.api, 'Long', { blocked_domains: long });
      expect(errorOf(refused)).to.equal('400 VALIDATION_ERROR blocked_domains');
    });

    it('has room again for what was archived, ten times the limit in all', async () => {
      const own = await accountWith({ supply_sources: 1 });
      for (let index = 0; index < 10; index++) {
        const { body } = await source(own.api, `Source ${index}`);
        expect(errorOf(await source(own.api, 'Second'))).to.equal('409 CONFLICT');
        expect((await own.api.delete(`/api/supply/sources/${body.id}`)).status).to.equal(200);
      }
      const refused = await source(own.api, 'The eleventh');
      expect(refused.body.error.message).to.include('at most 10 archived supply sources');
    });

    it('counts what an older release made before the first creation', async () => {
      const own = await accountWith({ supply_sources: 2 });
      for (const name of ['First', 'Second']) {
        const id = randomUUID();
        const of = { accountId: own.accountId, sandbox: false, name };
        const claiming = { nameId: publisherNameId(of), holder: `${publisher.kind}/${id}`, claim: id };
        await withClaimedName(running.parts, claiming, (nameClaim) =>
          running.node.messenger.ask(publisher, id, 'create', {
            ...of,
            ...{ partnerId: null, domain: 'news.example', type: 'web', poolId: null, floorCpmMicros: 0 },
            ...{ contentGenre: null, blockedCategories: [], blockedDomains: [], nameClaim },
          }),
        );
      }
      expect(errorOf(await source(own.api, 'Third'))).to.equal('409 CONFLICT');
    });

    it('has room for a source again whose place was reserved when the answer was lost', async () => {
      const own = await accountWith({ supply_sources: 1 });
      const { messenger } = running.parts;
      const quotaKey = { accountId: own.accountId, sandbox: false, resource: 'supply_sources' } as const;
      const ask: Messenger['ask'] = async (kind, id, type, ...more) => {
        const reply = await messenger.ask(kind, id, type, ...more);
        if (type === 'take') throw new ActorTimeout('lost');
        return reply;
      };
      await recountQuota(running.parts, quotaKey);
      const parts = { ...running.parts, messenger: { ...messenger, ask } };
      const creating = withinQuota(parts, { ...quotaKey, id: randomUUID(), bytes: 1 }, async () => ({}));
      expect(await creating.catch((error: unknown) => error)).to.be.instanceOf(ActorTimeout);
      expect((await source(own.api, 'In its place')).status).to.equal(201);
    });

    it('needs room among the live ones for a source that leaves the sandbox', async () => {
      const own = await accountWith({ supply_sources: 1 }, { supply_sources: 1 });
      const { body } = await source(own.sandboxApi, 'Rehearsed');
      const live = (await source(own.api, 'Live')).body;
      const leave = () => own.api.put(`/api/supply/sources/${body.id}`, { sandbox: false });
      expect(errorOf(await leave())).to.equal('409 CONFLICT');
      await own.api.delete(`/api/supply/sources/${live.id}`);
      expect((await leave()).status).to.equal(200);
      expect((await source(own.sandboxApi, 'The next')).status).to.equal(201);
    });

    describe('of campaigns and strategies', () => {
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
        await eventually('nothing of the archived delegate counts', async () =>
          expect(await usageOf(api)).to.deep.equal([0, 0, 0, 0]),
        );
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
          await eventually('nothing of the archived delegate counts', async () =>
            expect(await usageOf(api)).to.deep.equal([0, 0, 0, 0]),
          );
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
        await running.node.messenger.ask(dsp, dspId, 'archive', {
          scope: { accountId, partnerId: null, sandboxOnly: false },
        });
        expect((await api.get('/api/campaigns?status=active')).body.total).to.equal(1);
        await recountQuota(running.parts, { accountId, sandbox: false, resource: 'campaigns' });
        expect((await api.get('/api/campaigns?status=retired')).body.total).to.equal(1);
      });

      it('make room when an archiving that was interrupted is repeated', async () => {
        const { api, accountId } = await accountWith({ campaigns: 2 });
        const dspId = await delegate(api, 'Archived twice', false);
        expect(await create(api, dspId, 'a')).to.deep.equal([201]);
        expect((await uploadStrategy(api, dspId)).status).to.equal(200);
        const archived = await running.node.messenger.ask(dsp, dspId, 'archive', {
          scope: { accountId, partnerId: null, sandboxOnly: false },
        });
        await closeDelegate(running.parts, dspId, archived);
        expect(await usageOf(api)).to.deep.equal([1, 1, 0, 0]);
        expect((await api.delete(`/api/demand/sources/${dspId}`)).status).to.equal(200);
        await eventually('nothing of the archived delegate counts', async () =>
          expect(await usageOf(api)).to.deep.equal([0, 0, 0, 0]),
        );
      });

      it('of an archived delegate that cannot be closed are counted, and hold up no recount', async () => {
        const { api, accountId } = await accountWith({ campaigns: 2 });
        const stuck = await delegate(api, 'Stuck', false);
        const closable = await delegate(api, 'Closable', false);
        const scope = { accountId, partnerId: null, sandboxOnly: false };
        for (const dspId of [stuck, closable]) {
          const { id } = (await api.post('/api/campaigns', campaign(dspId, 'a'))).body;
          const forgotten = { holder: quotaHolderId(id), archived: false };
          await running.node.messenger.ask(quota, quotaId(accountId, false, 'campaigns'), 'drop', forgotten);
          await running.node.messenger.ask(dsp, dspId, 'archive', { scope });
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
        const forgotten = { holder: quotaHolderId(id), archived: false };
        await running.node.messenger.ask(quota, quotaId(accountId, false, 'campaigns'), 'drop', forgotten);
        expect((await usageOf(api))[0]).to.equal(0);
        await recountQuota(running.parts, quotaKey);
        expect((await usageOf(api))[0]).to.equal(1);
      });
    });

    it('holds the bytes of campaigns and of strategies to their limits', async () => {
      const own = await accountWith({ campaigns_bytes: 3_000, strategies_bytes: 3_000 });
      const dspId = (await own.api.post('/api/demand/sources', { name: 'D', mode: 'delegate' })).body.id;
      const campaign = (name: string, characters: number) => ({
        ...{ campaign_id: name, campaign_name: name, bidding: { base_cpm: 1 } },
        creative: { creative_id: 'c', html: 'x'.repeat(characters) },
      });
      const create = (name: string, characters: number) =>
        own.api.post('/api/campaigns', { dsp_id: dspId, ...campaign(name, characters) });
      const small = await create('small', 100);
      expect(small.status).to.equal(201);
      expect(errorOf(await create('large', 3_000))).to.equal('422 QUOTA_EXCEEDED');
      const grow = { creative: { creative_id: 'c', html: 'x'.repeat(3_000) } };
      expect(errorOf(await own.api.put(`/api/campaigns/${small.body.id}`, grow))).to.equal('422 QUOTA_EXCEEDED');
      expect((await own.api.put(`/api/campaigns/${small.body.id}`, { campaign_name: 'renamed' })).status).to.equal(200);
      const strategy = (characters: number) =>
        own.api.put(`/api/demand/sources/${dspId}/strategy`, {
          ...{ version: '1.0', dsp_id: dspId, default_bid: 1, rules: [] },
          campaigns: [campaign('of the strategy', characters)],
        });
      expect((await strategy(100)).status).to.equal(200);
      expect(errorOf(await strategy(3_000))).to.equal('422 QUOTA_EXCEEDED');
    });

    it("leaves an account's limits to operators", async () => {
      const own = await running.newAccount();
      const member = (await running.newUser(own.accountId)).api;
      for (const api of [own.api, member]) {
        expect(errorOf(await api.put('/api/account', { limits: { supply_sources: 9_999 } }))).to.equal('403 FORBIDDEN');
      }
      expect(errorOf(await operator.put(`/api/accounts/${own.accountId}`, { limits: { nothing: 1 } }))).to.include(
        '400',
      );
    });

    // The last: the test server reads through all sources for whatever is asked of one account, and these are of 47 KB each.
    it('holds what a sandbox key can have in memory to 2 MiB of block lists', async () => {
      const own = await running.newAccount();
      const most = limitsOf({ tier: 'standard' }, true).supply_sources_bytes;
      const answers: Answer[] = [];
      // Ten at once: the test servers have little room for documents of 47 KB.
      for (let first = 0; first < 60; first += 10) {
        const names = Array.from({ length: 10 }, (_, index) => `Source ${first + index}`);
        answers.push(
          ...(await Promise.all(names.map((name) => source(own.sandboxApi, name, { blocked_domains: LISTED })))),
        );
      }
      const made = answers.filter(({ status }) => status === 201);
      expect(made.length).to.equal(Math.floor(most / LIST_BYTES));
      const [refused] = answers.filter(({ status }) => status !== 201);
      expect(errorOf(refused!)).to.equal('422 QUOTA_EXCEEDED');
      await eventually('the sources are followed', () => {
        const held = made.map(({ body }) => running.node.replica.get<PublisherProjection>(publisher.kind, body.id));
        const lists = held.map((view) => view?.blockedDomains);
        expect(
          lists.every((list) => list instanceof PackedDomains),
          'packed',
        ).to.equal(true);
        // Equal ones are one.
        return new Set(lists).size === 1;
      });
      const shrunk = await own.sandboxApi.put(`/api/supply/sources/${made[0]!.body.id}`, { blocked_domains: [] });
      expect(shrunk.status).to.equal(200);
      expect((await source(own.sandboxApi, 'In its place', { blocked_domains: LISTED })).status).to.equal(201);
      const again = await own.sandboxApi.put(`/api/supply/sources/${made[0]!.body.id}`, { blocked_domains: LISTED });
      expect(errorOf(again)).to.equal('422 QUOTA_EXCEEDED');
    });
  });
