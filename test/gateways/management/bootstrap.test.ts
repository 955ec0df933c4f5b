import { expect } from 'chai';
import { account } from '#actors/account/account';
import { apiKey } from '#actors/api-key/api-key';
import type { ApiKeyState } from '#actors/api-key/reduce';
import { dsp } from '#actors/dsp/dsp';
import { type DspState, dspNameId } from '#actors/dsp/reduce';
import { name } from '#actors/name/name';
import { publisher } from '#actors/publisher/publisher';
import type { PublisherState } from '#actors/publisher/reduce';
import { emailNameId, type UserState } from '#actors/user/reduce';
import { user } from '#actors/user/user';
import { FILED_HOURS_ID, type WatermarkState, watermark } from '#actors/watermark/watermark';
import { actorKinds } from '#composition/actor-kinds';
import { syntheticUrl } from '#gateways/bidders/synthetic/in-process-channels';
import { syntheticBidders } from '#gateways/bidders/synthetic/synthetic-bidders';
import { credentialId } from '#gateways/http/credential-id';
import {
  createAccountSandbox,
  firstSandbox,
  syntheticDspId,
  testPublishersOf,
} from '#gateways/management/bootstrap/account-sandbox';
import { createMissingSandboxes } from '#gateways/management/bootstrap/create-missing-sandboxes';
import { bootstrapFirstAccount, firstAccountId } from '#gateways/management/bootstrap/first-account';
import { bootstrapFirstUser, firstUserId } from '#gateways/management/bootstrap/first-user';
import { withClaimedName } from '#gateways/management/changes/claim-name';
import { isPassword } from '#gateways/management/identity/passwords/password-hash';
import { SILENT } from '#runtime/node/logger';
import { systemClock } from '#runtime/providers/system/system-clock';
import { systemRandom } from '#runtime/providers/system/system-random';
import { type RunningActors, startActors } from './running-actors.ts';

describe('gateways/management/bootstrap', () => {
  let actors: RunningActors;

  beforeEach(async function () {
    actors = await startActors(this);
  });
  afterEach(() => actors.close());

  const stateOf = async <State>(kind: string, id: string): Promise<State | undefined> => {
    const [document] = await actors.store.load([{ kind, id }]);
    return document?.state as State | undefined;
  };
  const nowMs = Date.UTC(2026, 2, 1, 10, 20);
  const firstAccount = (liveKey: string | null = null, sandboxKey: string | null = null) =>
    bootstrapFirstAccount({
      messenger: actors.node.messenger,
      store: actors.store,
      random: systemRandom,
      clock: { ...systemClock, now: () => nowMs },
      liveKey,
      sandboxKey,
    });

  describe('the first account', () => {
    it('gets a key for each environment, shown once and kept as a hash', async () => {
      const made = await firstAccount();
      expect(made.live).to.match(/^pk_live_[\w-]{22}$/);
      expect(made.sandbox).to.match(/^pk_sandbox_[\w-]{22}$/);
      const state = await stateOf<ApiKeyState>(apiKey.kind, credentialId(made.live!));
      expect(state).to.include({ accountId: firstAccountId, environment: 'live', revokedAt: null });
      expect(JSON.stringify(state)).not.to.include(made.live);
      expect(await firstAccount()).to.deep.equal({ live: null, sandbox: null });
    });

    it('gets the keys that were handed in, and shows none', async () => {
      const keys = ['pk_live_handed-in', 'pk_sandbox_handed-in'] as const;
      expect(await firstAccount(...keys)).to.deep.equal({ live: null, sandbox: null });
      for (const key of keys) {
        expect(await stateOf<ApiKeyState>(apiKey.kind, credentialId(key))).to.include({ accountId: firstAccountId });
      }
    });

    it('gets no key again once its keys are revoked', async () => {
      const made = await firstAccount();
      for (const key of [made.live!, made.sandbox!]) {
        await actors.node.messenger.ask(apiKey, credentialId(key), 'revoke', { accountId: firstAccountId });
      }
      expect(await firstAccount()).to.deep.equal({ live: null, sandbox: null });
    });

    it('gets the key that a start cut short did not make', async () => {
      await actors.node.messenger.ask(account, firstAccountId, 'open', { name: 'First account', tier: 'standard' });
      expect((await firstAccount()).live).to.be.a('string');
    });

    it('begins the books a day before, so that reports ask for no earlier hours', async () => {
      await firstAccount();
      const filed = await stateOf<WatermarkState>(watermark.kind, FILED_HOURS_ID);
      expect(filed?.throughMs).to.equal(Date.UTC(2026, 1, 28, 10));
    });

    it('is not made beside others, whose books began before', async () => {
      await actors.node.messenger.ask(account, 'other', 'open', { name: 'Other', tier: 'standard' });
      expect(await firstAccount()).to.deep.equal({ live: null, sandbox: null });
      expect(await stateOf(account.kind, firstAccountId)).to.equal(undefined);
      expect(await stateOf(watermark.kind, FILED_HOURS_ID)).to.equal(undefined);
    });
  });

  describe('the first user', () => {
    const firstUser = (password: string | null = null, email = 'admin@localhost') =>
      bootstrapFirstUser({
        messenger: actors.node.messenger,
        store: actors.store,
        random: systemRandom,
        logger: SILENT,
        email,
        password,
      });
    const state = () => stateOf<UserState>(user.kind, firstUserId);

    it('is an operator of the first account, whose password is shown once and kept as a hash', async () => {
      await firstAccount();
      const made = await firstUser();
      expect(made?.email).to.equal('admin@localhost');
      expect(made?.password).to.match(/^[\w-]{22}$/);
      const kept = await state();
      expect(kept).to.include({ accountId: firstAccountId, role: 'operator', status: 'active' });
      expect(JSON.stringify(kept)).not.to.include(made!.password);
      expect(await isPassword(made!.password, kept!.passwordHash)).to.equal(true);
      expect(await firstUser()).to.equal(null);
      expect(await state()).to.deep.equal(kept);
    });

    it('has the password that was handed in, which is not shown', async () => {
      await firstAccount();
      expect(await firstUser('handed in by somebody')).to.equal(null);
      expect(await isPassword('handed in by somebody', (await state())!.passwordHash)).to.equal(true);
    });

    it('is made by one of several processes that start at once, which alone shows the password', async () => {
      await firstAccount();
      const made = await Promise.all([firstUser(), firstUser(), firstUser()]);
      const shown = made.filter((one) => one !== null);
      expect(shown).to.have.length(1);
      expect(await isPassword(shown[0]!.password, (await state())!.passwordHash)).to.equal(true);
    });

    it('is made after a start that was cut off with the email claimed', async () => {
      await firstAccount();
      const claim = { holder: `user/${firstUserId}`, claim: 'first-user' };
      await actors.node.messenger.ask(name, emailNameId('admin@localhost'), 'claim', claim);
      expect(await firstUser()).not.to.equal(null);
    });

    it('is left to a later start while the owner of its partition is of a release that knows no users', async function () {
      await actors.close();
      actors = await startActors(
        this,
        'embedded',
        actorKinds.filter(({ kind }) => kind !== user.kind),
      );
      await firstAccount();
      expect(await firstUser()).to.equal(null);
      expect(await state()).to.equal(undefined);
    });

    it('is not made without the first account', async () => {
      expect(await firstUser()).to.equal(null);
      expect(await state()).to.equal(undefined);
    });
  });

  describe('the first sandbox', () => {
    const parts = () => ({ messenger: actors.node.messenger, store: actors.store, logger: SILENT });
    const sandbox = (accountId = firstAccountId) => createAccountSandbox(parts(), accountId);
    const scope = { accountId: firstAccountId, partnerId: null, sandboxOnly: true };
    const high = syntheticDspId(0);

    it('is a publisher of each type in a pool that the synthetic DSPs take traffic from', async () => {
      await sandbox();
      for (const { id, type } of testPublishersOf(firstAccountId)) {
        expect(await stateOf<PublisherState>(publisher.kind, id)).to.include({
          status: 'sandbox',
          poolId: firstSandbox.poolId,
          type,
        });
      }
      for (const [index, persona] of syntheticBidders.entries()) {
        expect(await stateOf<DspState>(dsp.kind, syntheticDspId(index))).to.deep.include({
          status: 'sandbox',
          name: persona.name,
          endpointUrl: syntheticUrl(persona),
          poolIds: [firstSandbox.poolId],
          timeoutMs: syntheticBidders[index]!.timeoutMs,
        });
      }
    });

    it('is called in the process where release 0.4 called a port of its own, and where its user says otherwise not', async () => {
      await sandbox();
      const { messenger } = actors.node;
      const move = (id: string, endpointUrl: string) =>
        messenger.ask(dsp, id, 'update', { scope, changes: { endpointUrl } });
      await move(high, 'http://127.0.0.1:40123/high-bidder');
      await move(syntheticDspId(1), 'https://bid.example/low-bidder');
      await sandbox();
      expect(await stateOf<DspState>(dsp.kind, high)).to.deep.include({
        endpointUrl: 'synthetic:high-bidder',
        poolIds: [firstSandbox.poolId],
      });
      expect((await stateOf<DspState>(dsp.kind, syntheticDspId(1)))!.endpointUrl).to.equal(
        'https://bid.example/low-bidder',
      );
    });

    it('is made for each account that an earlier release opened, once, and by several processes at once', async () => {
      const accounts = ['00000000-0000-4000-8000-0000000000e1', '00000000-0000-4000-8000-0000000000e2'];
      const { messenger } = actors.node;
      for (const id of accounts) await messenger.ask(account, id, 'open', { name: 'Earlier', tier: 'standard' });
      const { signal } = new AbortController();
      const all = () => createMissingSandboxes(parts(), signal);
      await Promise.all([all(), all()]);
      const places = [0, 1, 2, 3];
      const revisions = () =>
        Promise.all(
          accounts.flatMap((id) =>
            places.map(async (index) => (await stateOf<DspState>(dsp.kind, syntheticDspId(index, id)))!.revision),
          ),
        );
      const made = await revisions();
      for (const id of accounts) {
        for (const { id: publisherId } of testPublishersOf(id)) {
          const { poolId } = (await stateOf<PublisherState>(publisher.kind, publisherId))!;
          expect(await stateOf<PublisherState>(publisher.kind, publisherId)).to.include({ accountId: id });
          expect(await stateOf<DspState>(dsp.kind, syntheticDspId(3, id))).to.deep.include({ poolIds: [poolId] });
        }
      }
      await all();
      expect(await revisions()).to.deep.equal(made);
    });

    it('does without a DSP if its user has given the name to another', async () => {
      const fields = { accountId: firstAccountId, sandbox: true, name: 'RandomBidder' };
      const claiming = { nameId: dspNameId(fields), holder: `${dsp.kind}/theirs`, claim: 'theirs' };
      await withClaimedName({ messenger: actors.node.messenger, logger: SILENT }, claiming, (nameClaim) =>
        actors.node.messenger.ask(dsp, 'theirs', 'create', {
          ...fields,
          partnerId: null,
          mode: 'delegate',
          endpointUrl: null,
          dailyBudgetCents: 0,
          timeoutMs: 150,
          openrtbVersion: '2.6',
          nameClaim,
        }),
      );
      await sandbox();
      expect(await stateOf(dsp.kind, syntheticDspId(2))).to.equal(undefined);
      expect(await stateOf<DspState>(dsp.kind, syntheticDspId(3))).to.include({ name: 'TimeoutDSP' });
    });

    it('leaves alone what its user has changed', async () => {
      await sandbox();
      const { messenger } = actors.node;
      await messenger.ask(dsp, high, 'unsubscribe', { scope, poolId: firstSandbox.poolId });
      await messenger.ask(dsp, syntheticDspId(1), 'archive', { scope });
      await messenger.ask(publisher, firstSandbox.publisherId, 'archive', { scope });
      await sandbox();
      expect(await stateOf<DspState>(dsp.kind, high)).to.deep.include({ poolIds: [] });
      expect(await stateOf<DspState>(dsp.kind, syntheticDspId(1))).to.include({
        status: 'archived',
      });
      expect(await stateOf<PublisherState>(publisher.kind, firstSandbox.publisherId)).to.include({
        status: 'archived',
      });
    });
  });
});
