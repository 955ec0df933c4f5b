import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { operatorsId } from '#actors/operators/messages';
import { operators } from '#actors/operators/operators';
import { user } from '#actors/user/user';
import { Rejected } from '#runtime/actor/errors';
import { eventually } from '#test/support/eventually';
import { PROVIDER_PAIRS } from '#test/support/exchange';
import { errorOf, type ManagementClient } from '../management-client.ts';
import { type RunningManagement, startManagement, type UserClient } from '../running-management.ts';

const password = 'a password of some length';

for (const pair of PROVIDER_PAIRS)
  describe(`gateways/management/auth: users, on ${pair}`, () => {
    let running: RunningManagement;
    let operator: UserClient;

    before(async function () {
      running = await startManagement(this, pair);
      operator = await running.newUser(running.accountId, 'operator');
    });
    after(() => running?.close());

    const newEmail = () => `${randomUUID()}@people.example`;
    const create = async (fields: object = {}) => {
      const answer = await operator.api.post('/api/users', { email: newEmail(), password, ...fields });
      expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
      return answer.body;
    };
    const logIn = async (email: string, withPassword = password): Promise<ManagementClient | number> => {
      const answer = await running.anonymous.post('/api/auth/login', { email, password: withPassword });
      const cookie = answer.headers.get('set-cookie')?.split(';')[0];
      return cookie === undefined ? answer.status : running.anonymous.as({ Cookie: cookie });
    };
    const loggedIn = async (email: string, withPassword = password): Promise<ManagementClient> => {
      const client = await logIn(email, withPassword);
      if (typeof client === 'number') throw new Error(`logging in was answered ${client}`);
      return client;
    };
    const path = (id: string) => `/api/users/${id}`;

    it('are made by an operator, for its own account, as members', async () => {
      const email = newEmail();
      const user = await create({ email, name: 'Ann' });
      expect(user).to.deep.include({
        email,
        name: 'Ann',
        role: 'member',
        status: 'active',
        account_id: running.accountId,
      });
      expect(user).not.to.have.any.keys('password', 'password_hash');
      const ann = await loggedIn(email);
      expect((await ann.get('/api/supply/sources')).status).to.equal(200);
      expect(errorOf(await ann.get('/api/users'))).to.equal('403 FORBIDDEN');
      expect(errorOf(await running.api.get('/api/users'))).to.equal('403 FORBIDDEN');
    });

    it('are made for another account when the operator says so', async () => {
      const other = await running.newAccount();
      const { email } = await create({ account_id: other.accountId });
      const { body } = await (await loggedIn(email)).get('/api/auth/session');
      expect(body.user.account_id).to.equal(other.accountId);
      const nobodys = { email: newEmail(), password, account_id: randomUUID() };
      expect(errorOf(await operator.api.post('/api/users', nobodys))).to.equal('400 VALIDATION_ERROR account_id');
    });

    it('have emails of their own in the whole exchange, capitals aside', async () => {
      const { email } = await create();
      const other = await running.newAccount();
      const same = { email: email.toUpperCase(), password, account_id: other.accountId };
      expect(errorOf(await operator.api.post('/api/users', same))).to.equal('409 CONFLICT');
    });

    it('are made once by a request that comes twice', async () => {
      const body = { email: newEmail(), password };
      const headers = { 'Idempotency-Key': randomUUID() };
      const first = await operator.api.post('/api/users', body, headers);
      const second = await operator.api.post('/api/users', body, headers);
      expect(second.body).to.deep.equal(first.body);
    });

    const refused: readonly (readonly [body: object, error: string])[] = [
      [{ password }, '400 INVALID_PARAMS email'],
      [{ email: 'a@b.example' }, '400 INVALID_PARAMS password'],
      [{ email: 'no email', password }, '400 VALIDATION_ERROR email'],
      [{ email: 'a@b.example', password: 'elevenchars' }, '400 VALIDATION_ERROR password'],
      [{ email: 'a@b.example', password, role: 'owner' }, '400 VALIDATION_ERROR role'],
      [{ email: 'a@b.example', password, status: 'disabled' }, '400 VALIDATION_ERROR status'],
    ];
    for (const [body, error] of refused) {
      it(`are not made of ${JSON.stringify(body)}: ${error}`, async () =>
        expect(errorOf(await operator.api.post('/api/users', body))).to.equal(error));
    }

    it('are listed, those of one account alone when asked', async () => {
      const other = await running.newAccount();
      const [first, second] = [
        await create({ account_id: other.accountId }),
        await create({ account_id: other.accountId }),
      ];
      const listed = await operator.api.get(`/api/users?account_id=${other.accountId}`);
      expect(listed.body).to.deep.equal({ users: [first, second], total: 2 });
      expect((await operator.api.get('/api/users')).body.users).to.deep.include.members([first, second]);
    });

    it('change field by field, under the revision that was seen', async () => {
      const { id, email } = await create({ name: 'Ann' });
      const read = await operator.api.get(path(id));
      const etag = read.headers.get('etag')!;
      const renamed = await operator.api.put(path(id), { name: 'Anna' }, { 'If-Match': etag });
      expect(renamed.body).to.deep.include({ name: 'Anna', email, role: 'member' });
      const stale = await operator.api.put(path(id), { name: 'Anne' }, { 'If-Match': etag });
      expect(errorOf(stale)).to.equal('412 PRECONDITION_FAILED');
    });

    it('take another email, and log in with that alone', async () => {
      const { id, email } = await create();
      const next = newEmail();
      expect((await operator.api.put(path(id), { email: next })).body.email).to.equal(next);
      expect(await logIn(email)).to.equal(401);
      expect((await (await loggedIn(next)).get('/api/auth/session')).status).to.equal(200);
      const taken = await create();
      expect(errorOf(await operator.api.put(path(id), { email: taken.email }))).to.equal('409 CONFLICT');
    });

    it('are out at once when disabled, and back with their password when enabled', async () => {
      const { id, email } = await create();
      const ann = await loggedIn(email);
      expect((await operator.api.put(path(id), { status: 'disabled' })).body.status).to.equal('disabled');
      expect(errorOf(await ann.get('/api/auth/session'))).to.equal('401 UNAUTHORIZED');
      expect(await logIn(email)).to.equal(401);
      await operator.api.put(path(id), { status: 'active' });
      expect(errorOf(await ann.get('/api/auth/session'))).to.equal('401 UNAUTHORIZED');
      expect((await (await loggedIn(email)).get('/api/auth/session')).status).to.equal(200);
    });

    it('are out at once when an operator resets their password', async () => {
      const { id, email } = await create();
      const ann = await loggedIn(email);
      await operator.api.put(path(id), { password: 'another password' });
      expect(errorOf(await ann.get('/api/auth/session'))).to.equal('401 UNAUTHORIZED');
      expect([await logIn(email), typeof (await logIn(email, 'another password'))]).to.deep.equal([401, 'object']);
    });

    it('have their new role at once', async () => {
      const { id, email } = await create();
      const ann = await loggedIn(email);
      await operator.api.put(path(id), { role: 'operator' });
      expect((await ann.get('/api/users')).status).to.equal(200);
      await operator.api.put(path(id), { role: 'member' });
      expect(errorOf(await ann.get('/api/users'))).to.equal('403 FORBIDDEN');
    });

    it('are gone when removed, and their email is free', async () => {
      const { id, email } = await create();
      const ann = await loggedIn(email);
      expect((await operator.api.delete(path(id))).status).to.equal(204);
      expect(errorOf(await ann.get('/api/auth/session'))).to.equal('401 UNAUTHORIZED');
      for (const answer of [await operator.api.get(path(id)), await operator.api.delete(path(id))]) {
        expect(errorOf(answer)).to.equal('404 NOT_FOUND');
      }
      await eventually('the email is free', async () => {
        const answer = await operator.api.post('/api/users', { email, password });
        return answer.status === 201;
      });
      expect((await operator.api.get('/api/users')).body.users.map((user: { id: string }) => user.id)).not.to.include(
        id,
      );
    });

    it('that never were are 404', async () => {
      for (const id of [randomUUID(), 'no-uuid']) {
        expect(errorOf(await operator.api.get(path(id)))).to.equal('404 NOT_FOUND');
        expect(errorOf(await operator.api.put(path(id), { name: 'x' }))).to.equal('404 NOT_FOUND');
      }
    });
  });

describe('gateways/management/auth: the last operator', () => {
  let running: RunningManagement;
  beforeEach(async function () {
    running = await startManagement(this);
  });
  afterEach(() => running.close());

  it('stays: neither removed, nor disabled, nor a member', async () => {
    const { userId, api } = await running.newUser(running.accountId, 'operator');
    const path = `/api/users/${userId}`;
    for (const answer of [
      await api.delete(path),
      await api.put(path, { status: 'disabled' }),
      await api.put(path, { role: 'member' }),
    ]) {
      expect(errorOf(answer)).to.equal('409 CONFLICT');
    }
    expect((await api.put(path, { name: 'Still here' })).body).to.include({ role: 'operator', name: 'Still here' });
  });

  async function twoOperators(): Promise<readonly [UserClient, UserClient]> {
    const [ann, bob] = [
      await running.newUser(running.accountId, 'operator'),
      await running.newUser(running.accountId, 'operator'),
    ];
    await eventually('both are on the roll', async () => {
      const [roll] = await running.store.load([{ kind: 'operators', id: 'all' }]);
      return (roll?.state as { userIds: string[] } | undefined)?.userIds.length === 2;
    });
    return [ann, bob];
  }

  it('is not one beside whom another stays, whose own going was refused', async () => {
    const [ann, bob] = await twoOperators();
    const path = `/api/users/${bob.userId}`;
    const member = { email: `${randomUUID()}@people.example`, password };
    expect((await ann.api.post('/api/users', member)).status).to.equal(201);
    const refused = await ann.api.put(path, { role: 'member', email: member.email });
    expect(errorOf(refused)).to.equal('409 CONFLICT');
    const etag = (await ann.api.get(path)).headers.get('etag');
    expect((await bob.api.put(`/api/users/${ann.userId}`, { status: 'disabled' })).body.status).to.equal('disabled');
    const read = await bob.api.get(path);
    expect(read.body).to.include({ role: 'operator', status: 'active' });
    expect(read.headers.get('etag'), 'bob was not changed').to.equal(etag);
    expect(errorOf(await bob.api.delete(path)), 'bob is the last').to.equal('409 CONFLICT');
  });

  it('stays, though the roll has agreed to its going before that of another', async () => {
    const [ann, bob] = await twoOperators();
    // The process that was about to change bob stands still, or has died.
    await running.parts.messenger.ask(operators, operatorsId, 'leave', { userId: bob.userId, term: 0 });
    expect((await bob.api.delete(`/api/users/${ann.userId}`)).status).to.equal(204);
    const late = { changes: { role: 'member' as const }, leavingInTerm: 0 };
    const outcome = await running.parts.messenger.ask(user, bob.userId, 'update', late).catch((error) => error);
    expect(outcome).to.be.instanceOf(Rejected).with.property('code', 'CONFLICT');
    expect((await bob.api.get('/api/users')).status).to.equal(200);
  });

  it('is one of two who go at the same moment', async () => {
    const [ann, bob] = await twoOperators();
    const answers = await Promise.all([
      ann.api.put(`/api/users/${bob.userId}`, { role: 'member' }),
      bob.api.put(`/api/users/${ann.userId}`, { role: 'member' }),
    ]);
    expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
    const left = [await ann.api.get('/api/users'), await bob.api.get('/api/users')];
    expect(left.map(({ status }) => status).sort()).to.deep.equal([200, 403]);
  });
});
