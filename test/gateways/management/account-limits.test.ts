import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { limitsOf } from '#actors/account/limits';
import type { PublisherProjection } from '#actors/publisher/fields';
import { publisher } from '#actors/publisher/publisher';
import { publisherNameId } from '#actors/publisher/reduce';
import { PackedDomains } from '#exchange/packed-domains';
import { withClaimedName } from '#gateways/management/changes/claim-name';
import { recountQuota } from '#gateways/management/quotas/recount';
import { withinQuota } from '#gateways/management/quotas/within-quota';
import { ActorTimeout } from '#runtime/actor/errors';
import type { Messenger } from '#runtime/actor/messenger';
import { eventually } from '../../support/eventually.ts';
import { PROVIDER_PAIRS } from '../../support/exchange.ts';
import { type LimitedManagement, startLimitedManagement } from './limited-management.ts';
import { type Answer, errorOf, type ManagementClient } from './management-client.ts';
import type { RunningManagement } from './running-management.ts';

/** As many domains as a source may block, of 44 characters each. */
const LISTED = Array.from({ length: 1000 }, (_, index) => `${String(index).padStart(36, 'd')}.example`);
const LIST_BYTES = 1_024 + 1000 * (44 + 3);

for (const pair of PROVIDER_PAIRS)
  describe(`gateways/management/account-limits on ${pair}`, () => {
    let running: RunningManagement;
    let operator: ManagementClient;
    let accountWith: LimitedManagement['accountWith'];

    before(async function () {
      ({ running, operator, accountWith } = await startLimitedManagement(this, pair));
    });
    after(() => running?.close());
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

    // The last: the test server reads through all sources for whatever is asked of one account, and these are of 47 KB
    // each.
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
