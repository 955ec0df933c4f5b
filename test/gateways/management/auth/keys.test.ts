import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { apiKey } from '#actors/api-key/api-key';
import { eventually } from '#test/support/eventually';
import { errorOf } from '../management-client.ts';
import { type RunningManagement, startManagement, type UserClient } from '../running-management.ts';
import { MovedClock } from './moved-clock.ts';

describe('gateways/management/auth: API keys', () => {
  const clock = new MovedClock();
  let running: RunningManagement;
  let ann: UserClient;

  before(async function () {
    running = await startManagement(this, 'embedded', { clock });
  });
  after(() => running.close());
  beforeEach(async () => {
    const { accountId } = await running.newAccount();
    ann = await running.newUser(accountId);
  });

  const create = async (fields: object = {}) => {
    const answer = await ann.api.post('/api/keys', { name: 'A server', environment: 'live', ...fields });
    expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
    return answer.body;
  };
  const listed = async (id: string) => {
    const { body } = await ann.api.get('/api/keys');
    return body.keys.find((key: { id: string }) => key.id === id);
  };
  const statusWith = async (key: string) =>
    (await running.anonymous.get('/api/supply/sources', { 'X-API-Key': key })).status;
  const inSeconds = (seconds: number) => new Date(clock.now() + seconds * 1000).toISOString();

  /** Calls `act` before each ask of a key, until the function that it returns is called. */
  const intercepting = (act: (type: string) => Promise<void>) => {
    const { messenger } = running.node;
    const ask = messenger.ask.bind(messenger);
    messenger.ask = async (kind, id, type, body, options) => {
      if (kind.kind === apiKey.kind) await act(type);
      return ask(kind, id, type, body, options);
    };
    return () => {
      messenger.ask = ask;
    };
  };
  const failing = (which: (type: string) => boolean) =>
    intercepting(async (type) => {
      if (which(type)) throw new Error('the process has died');
    });
  const working = async () => {
    const { body } = await ann.api.get('/api/keys');
    return body.keys.filter((key: { revoked_at: string | null }) => key.revoked_at === null);
  };

  it('are shown once, and kept as a hash', async () => {
    const made = await create();
    expect(made).to.deep.include({ name: 'A server', environment: 'live', expires_at: null, revoked_at: null });
    expect(made.key).to.match(/^pk_live_[\w-]{32}$/);
    expect(made.hint).to.equal(made.key.slice(0, 12));
    expect(await statusWith(made.key)).to.equal(200);
    const { key, ...rest } = made;
    // Its use is noted in a moment of its own.
    const shown = await listed(made.id);
    expect(shown).to.deep.include({ ...rest, last_used_at: shown.last_used_at });
    const { documents } = await running.store.query(apiKey.kind, {});
    const kept = JSON.stringify(documents);
    expect(kept).not.to.include(key);
    expect(documents.map(({ id }) => id)).not.to.include(made.id);
  });

  it('of the sandbox do nothing live', async () => {
    const { key } = await create({ environment: 'sandbox' });
    expect(key).to.match(/^pk_sandbox_/);
    const live = { name: randomUUID(), domain: 'd.example', type: 'web', sandbox: false };
    const answer = await running.anonymous.post('/api/supply/sources', live, { 'X-API-Key': key });
    expect(errorOf(answer)).to.equal('403 FORBIDDEN');
  });

  it('are made by users, not by keys', async () => {
    for (const answer of [
      await running.api.get('/api/keys'),
      await running.api.post('/api/keys', { name: 'x', environment: 'live' }),
    ]) {
      expect(errorOf(answer)).to.equal('403 FORBIDDEN');
    }
  });

  it('come back when the same request comes again', async () => {
    const body = { name: 'Again', environment: 'live' };
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = await ann.api.post('/api/keys', body, headers);
    expect((await ann.api.post('/api/keys', body, headers)).body).to.deep.equal(first.body);
    expect((await ann.api.post('/api/keys', body)).body.key).not.to.equal(first.body.key);
  });

  it('are revoked at once and finally, and stay in the list', async () => {
    const { id, key } = await create();
    expect(await statusWith(key)).to.equal(200);
    expect((await ann.api.delete(`/api/keys/${id}`)).status).to.equal(204);
    expect(await statusWith(key)).to.equal(401);
    expect((await listed(id)).revoked_at).to.be.a('string');
    expect((await ann.api.delete(`/api/keys/${id}`)).status).to.equal(204);
  });

  it('expire at their time', async () => {
    const { id, key, expires_at: expiresAt } = await create({ expires_at: inSeconds(60) });
    expect(Date.parse(expiresAt)).to.be.closeTo(clock.now() + 60_000, 5_000);
    expect(await statusWith(key)).to.equal(200);
    clock.move(61_000);
    expect(await statusWith(key)).to.equal(401);
    expect((await listed(id)).expires_at).to.equal(expiresAt);
  });

  it('are rotated: the old one ends at once', async () => {
    const old = await create({ expires_at: inSeconds(3600) });
    const answer = await ann.api.post(`/api/keys/${old.id}/rotate`);
    expect(answer.status).to.equal(201);
    expect(answer.body).to.deep.include({ name: old.name, environment: 'live', expires_at: old.expires_at });
    expect([await statusWith(old.key), await statusWith(answer.body.key)]).to.deep.equal([401, 200]);
    expect(errorOf(await ann.api.post(`/api/keys/${old.id}/rotate`))).to.equal('409 CONFLICT');
  });

  it('are rotated with an overlap: the old one ends after it', async () => {
    const old = await create();
    const headers = { 'Idempotency-Key': randomUUID() };
    const rotate = () => ann.api.post(`/api/keys/${old.id}/rotate`, { overlap_seconds: 600 }, headers);
    const { body } = await rotate();
    expect([await statusWith(old.key), await statusWith(body.key)]).to.deep.equal([200, 200]);
    expect(Date.parse((await listed(old.id)).expires_at)).to.be.closeTo(clock.now() + 600_000, 5_000);
    clock.move(601_000);
    expect([await statusWith(old.key), await statusWith(body.key)]).to.deep.equal([401, 200]);
    expect((await rotate()).body.key, 'the same request again, once the old key has ended').to.equal(body.key);
  });

  it('are rotated once: the successor of one that is ending would end with it', async () => {
    const old = await create();
    const { body } = await ann.api.post(`/api/keys/${old.id}/rotate`, { overlap_seconds: 600 });
    expect(errorOf(await ann.api.post(`/api/keys/${old.id}/rotate`))).to.equal('409 CONFLICT');
    expect([await statusWith(old.key), await statusWith(body.key)]).to.deep.equal([200, 200]);
    const next = await ann.api.post(`/api/keys/${body.id}/rotate`);
    expect([next.status, next.body.expires_at]).to.deep.equal([201, null]);
  });

  for (const overlap of [0, 600]) {
    it(`are rotated once where many ask at the same moment, with an overlap of ${overlap} s`, async () => {
      const old = await create();
      const before = await working();
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => ann.api.post(`/api/keys/${old.id}/rotate`, { overlap_seconds: overlap })),
      );
      const made = answers.filter(({ status }) => status === 201);
      expect(made).to.have.length(1);
      for (const answer of answers) if (answer !== made[0]) expect(errorOf(answer)).to.equal('409 CONFLICT');
      expect(await working()).to.have.length(overlap === 0 ? before.length : before.length + 1);
      expect([await statusWith(old.key), await statusWith(made[0]!.body.key)]).to.deep.equal([
        overlap === 0 ? 401 : 200,
        200,
      ]);
    });
  }

  it('come back from a rotation that comes again at the same moment, and later', async () => {
    const old = await create();
    const headers = { 'Idempotency-Key': randomUUID() };
    const rotate = () => ann.api.post(`/api/keys/${old.id}/rotate`, {}, headers);
    const [first, second] = await Promise.all([rotate(), rotate()]);
    expect([first.status, second.body, (await rotate()).body]).to.deep.equal([201, first.body, first.body]);
    expect((await ann.api.delete(`/api/keys/${first.body.id}`)).status).to.equal(204);
    expect((await rotate()).body, 'once the new key is revoked').to.deep.equal(first.body);
  });

  it('are rotated by another request a minute after one has died half-way', async () => {
    const old = await create();
    const restore = failing((type) => type === 'create');
    const died = await ann.api.post(`/api/keys/${old.id}/rotate`);
    restore();
    expect([died.status, await statusWith(old.key)]).to.deep.equal([500, 200]);
    expect(errorOf(await ann.api.post(`/api/keys/${old.id}/rotate`))).to.equal('409 CONFLICT');
    clock.move(61_000);
    const { status, body } = await ann.api.post(`/api/keys/${old.id}/rotate`);
    expect([status, await statusWith(old.key), await statusWith(body.key)]).to.deep.equal([201, 401, 200]);
  });

  it('are rotated to the end by the same request when it has died half-way', async () => {
    const old = await create();
    const headers = { 'Idempotency-Key': randomUUID() };
    const rotate = () => ann.api.post(`/api/keys/${old.id}/rotate`, {}, headers);
    const restore = failing((type) => type === 'revoke');
    const died = await rotate();
    restore();
    expect([died.status, await statusWith(old.key)]).to.deep.equal([500, 200]);
    const { status, body } = await rotate();
    expect([status, await statusWith(old.key), await statusWith(body.key)]).to.deep.equal([201, 401, 200]);
  });

  it('leave none behind when another rotation has overtaken theirs', async () => {
    const old = await create();
    const before = await working();
    let overtaken: Awaited<ReturnType<typeof ann.api.post>> | undefined;
    const restore = intercepting(async (type) => {
      if (type !== 'revoke' || overtaken !== undefined) return;
      restore();
      clock.move(61_000);
      overtaken = await ann.api.post(`/api/keys/${old.id}/rotate`);
    });
    expect(errorOf(await ann.api.post(`/api/keys/${old.id}/rotate`))).to.equal('409 CONFLICT');
    expect([overtaken?.status, await statusWith(overtaken?.body.key)]).to.deep.equal([201, 200]);
    expect(await working()).to.have.length(before.length);
  });

  it('tell when they were last used, to the minute', async () => {
    const { id, key, last_used_at: never } = await create();
    expect(never).to.equal(null);
    await statusWith(key);
    const first = await eventually('the use is noted', async () => (await listed(id)).last_used_at);
    await statusWith(key);
    expect((await listed(id)).last_used_at).to.equal(first);
    clock.move(61_000);
    await statusWith(key);
    await eventually('the later use is noted', async () => (await listed(id)).last_used_at !== first);
  });

  it('of another account do not exist', async () => {
    const { id, key } = await create();
    const other = await running.newUser((await running.newAccount()).accountId);
    expect(errorOf(await other.api.delete(`/api/keys/${id}`))).to.equal('404 NOT_FOUND');
    expect(errorOf(await other.api.post(`/api/keys/${id}/rotate`))).to.equal('404 NOT_FOUND');
    expect((await other.api.get('/api/keys')).body.keys.map((one: { id: string }) => one.id)).not.to.include(id);
    expect(await statusWith(key)).to.equal(200);
  });

  const refused: readonly (readonly [body: object, error: string])[] = [
    [{ environment: 'live' }, '400 INVALID_PARAMS name'],
    [{ name: 'x' }, '400 INVALID_PARAMS environment'],
    [{ name: 'x', environment: 'test' }, '400 VALIDATION_ERROR environment'],
    [{ name: '', environment: 'live' }, '400 VALIDATION_ERROR name'],
    [{ name: 'x', environment: 'live', expires_at: 'soon' }, '400 VALIDATION_ERROR expires_at'],
    [{ name: 'x', environment: 'live', expires_at: '2100-06-30T23:59:60Z' }, '400 VALIDATION_ERROR expires_at'],
    [{ name: 'x', environment: 'live', expires_at: '2020-01-01T00:00:00Z' }, '400 VALIDATION_ERROR expires_at'],
  ];
  for (const [body, error] of refused) {
    it(`are not made of ${JSON.stringify(body)}: ${error}`, async () =>
      expect(errorOf(await ann.api.post('/api/keys', body))).to.equal(error));
  }

  for (const overlap of [-1, 604_801, 1.5, 'week']) {
    it(`are not rotated with an overlap of ${overlap}`, async () => {
      const { id } = await create();
      const answer = await ann.api.post(`/api/keys/${id}/rotate`, { overlap_seconds: overlap });
      expect(errorOf(answer)).to.equal('400 VALIDATION_ERROR overlap_seconds');
    });
  }
});
