import { createHash, createHmac, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Credential } from '#gateways/management/identity/caller';
import { deriveRequestIds, uuidOf } from '#gateways/management/identity/request-ids';
import { systemRandom } from '#runtime/providers/system/system-random';
import { errorOf } from '../management-client.ts';
import { type RunningManagement, startManagement } from '../running-management.ts';

const parts = { random: systemRandom, secretKey: 'a master secret' };
const byKey = (keyId: string): Credential => ({ kind: 'api-key', keyId });
const bySession = (userId: string): Credential => ({
  kind: 'session',
  userId,
  sessionId: randomUUID(),
  role: 'member',
  endsAtMs: 0,
});

describe('gateways/management/identity/request-ids', () => {
  const caller = { accountId: 'a', partnerId: null, sandbox: false, by: byKey('k') };
  const request = {
    idempotencyKey: 'once',
    caller,
    method: 'POST',
    path: '/api/users',
    body: { password: 'guess me' },
  };
  const idOf = (changes: object, of = parts) => deriveRequestIds({ ...request, ...changes }, of).newId;

  it('is the same for the same request of the same caller', () => {
    expect(idOf({})).to.equal(idOf({}));
    expect(idOf({ caller: { ...caller, by: byKey('the next key') } })).to.equal(idOf({}));
    const ann = { ...caller, by: bySession('ann') };
    expect(idOf({ caller: { ...ann, by: bySession('ann') } })).to.equal(idOf({ caller: ann }));
  });

  for (const [what, changes] of Object.entries({
    'another account': { caller: { ...caller, accountId: 'b' } },
    'a partner': { caller: { ...caller, partnerId: 'p' } },
    'the sandbox': { caller: { ...caller, sandbox: true } },
    'a user': { caller: { ...caller, by: bySession('ann') } },
    nobody: { caller: null },
    'another key': { idempotencyKey: 'twice' },
    'another method': { method: 'PUT' },
    'another path': { path: '/api/keys' },
    'another body': { body: {} },
    'a query': { query: { scope: 'account' } },
    'an expected revision': { expecting: [1] },
  })) {
    it(`is another for ${what}`, () => expect(idOf(changes)).not.to.equal(idOf({})));
  }

  it('is another for another query and another expected revision', () => {
    expect(idOf({ query: { scope: 'account' } })).not.to.equal(idOf({ query: { scope: 'pool' } }));
    expect(idOf({ expecting: [1] })).not.to.equal(idOf({ expecting: [2] }));
    expect(idOf({ expecting: [1] })).to.equal(idOf({ expecting: [1] }));
  });

  it('stays as it was for a request without a query and an expected revision', () => {
    const plain = { method: 'POST', path: '/api/users', body: {} };
    const before = createHmac('sha256', parts.secretKey)
      .update(`request:${JSON.stringify([['a', null, null, false], 'once', 'POST', '/api/users', {}])}`)
      .digest();
    expect(idOf({ ...plain, query: {}, expecting: undefined })).to.equal(uuidOf(before));
  });

  it('tells two users of an account apart', () => {
    const of = (userId: string) => idOf({ caller: { ...caller, by: bySession(userId) } });
    expect(of('ann')).not.to.equal(of('ben'));
  });

  it('reveals nothing of the body without the master secret', () => {
    const { newId, askId, claimId } = deriveRequestIds(request, parts);
    expect(idOf({}, { ...parts, secretKey: 'another' })).not.to.equal(newId);
    const { idempotencyKey, method, path, body } = request;
    const plain = createHash('sha256')
      .update(JSON.stringify(['a', idempotencyKey, method, path, body]))
      .digest();
    expect(uuidOf(plain)).not.to.equal(newId);
    expect(plain.toString('base64url')).not.to.be.oneOf([askId(), claimId]);
  });

  describe('of requests to the API', () => {
    let running: RunningManagement;
    before(async function () {
      running = await startManagement(this);
    });
    after(() => running.close());

    const once = { 'Idempotency-Key': 'a key that many callers use' };

    it('shows a sandbox key nothing of what was made live', async () => {
      const body = { name: 'Made twice', domain: 'd.example', type: 'web' };
      const live = await running.api.post('/api/supply/sources', body, once);
      const sandbox = await running.sandboxApi.post('/api/supply/sources', body, once);
      expect([live.body.sandbox, sandbox.body.sandbox]).to.deep.equal([false, true]);
      expect(sandbox.body.id).not.to.equal(live.body.id);
    });

    it("shows a partner nothing of another's, its signing secrets least of all", async () => {
      const partners = await Promise.all(
        ['One', 'Two'].map(async (name) => (await running.api.post('/api/partners', { name })).body.id),
      );
      const body = { url: 'https://partner.example/events', events: ['pool.dsp_joined'] };
      const [one, two] = await Promise.all(
        partners.map((id) => running.api.post('/api/webhooks', body, { ...once, 'X-User-Partner-ID': id })),
      );
      const answers = [one!, two!].sort((a, b) => a.status - b.status);
      expect(answers[0]!.body.secret).to.match(/^whsec_/);
      expect(errorOf(answers[1]!)).to.equal('409 CONFLICT');
      expect(JSON.stringify(answers[1]!.body)).not.to.include('whsec_');
    });

    it("gives no user another's API key", async () => {
      const { accountId } = await running.newAccount();
      const [ann, ben] = [await running.newUser(accountId), await running.newUser(accountId)];
      const body = { name: 'Server', environment: 'live' };
      const keys = await Promise.all(
        [ann, ben].map(async ({ api }) => (await api.post('/api/keys', body, once)).body.key),
      );
      expect(keys[0]).not.to.equal(keys[1]);
    });

    it('survives a body nested without end, which a handler was to check', async () => {
      const dsp = await running.api.post('/api/demand/sources', { name: 'Deep', mode: 'delegate' });
      const raw = `{"campaigns":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
      const answer = await running.api.request('PUT', `/api/demand/sources/${dsp.body.id}/strategy`, {
        raw,
        headers: { ...once, 'Content-Type': 'application/json' },
      });
      expect(errorOf(answer)).to.equal('400 VALIDATION_ERROR');
    });
  });
});
