import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { PROVIDER_PAIRS } from '#test/support/exchange';
import { errorOf, type ManagementClient } from '../management-client.ts';
import { type RunningManagement, startManagement, type UserClient } from '../running-management.ts';
import { MovedClock } from './moved-clock.ts';

const password = 'a password of some length';
const hourMs = 3_600_000;

for (const pair of PROVIDER_PAIRS)
  describe(`gateways/management/auth: invitations, on ${pair}`, () => {
    const clock = new MovedClock();
    let running: RunningManagement;
    let member: UserClient;
    let operator: UserClient;

    before(async function () {
      running = await startManagement(this, pair, { clock });
    });
    beforeEach(async () => {
      member = await running.newUser(running.accountId);
      operator = await running.newUser(running.accountId, 'operator');
    });
    after(() => running?.close());

    const newEmail = () => `${randomUUID()}@people.example`;
    const newPublisher = async (fields: object = {}, client = running.api): Promise<string> => {
      const body = { name: randomUUID(), domain: 'd.example', type: 'web', ...fields };
      const answer = await client.post('/api/supply/sources', body);
      expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
      return answer.body.id;
    };
    const toPublisher = async () => ({ role: 'source', source: { type: 'publisher', id: await newPublisher() } });
    const invite = async (fields: object = { role: 'member' }, by: UserClient = member) => {
      const answer = await by.api.post('/api/invitations', { email: newEmail(), ...fields });
      expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
      return answer.body as { id: string; email: string; url: string; expires_at: string; source: object | null };
    };
    const tokenOf = ({ url }: { url: string }) => url.split('#')[1]!;
    const lookUp = (invited: { url: string }) =>
      running.anonymous.post('/api/invitations/look-up', { token: tokenOf(invited) });
    const accept = (invited: { url: string }, fields: object = {}) =>
      running.anonymous.post('/api/invitations/accept', { token: tokenOf(invited), password, ...fields });
    const cookieOf = ({ headers }: { headers: Headers }) => headers.getSetCookie()[0]!.split(';', 1)[0]!;
    const dead = '404 NOT_FOUND';

    it('make a user who is logged in, of the source that they are to', async () => {
      const body = await toPublisher();
      const invited = await invite({ ...body, name: 'Ann' });
      expect(invited.url).to.match(/^http:\/\/localhost:8080\/invitation#[0-9a-f-]{36}\.[\w-]{22}$/);
      expect(invited).to.deep.include({ role: 'source', state: 'open', name: 'Ann' });
      const shown = await lookUp(invited);
      expect(shown.body).to.deep.include({
        ...{ exchange: 'localhost', account: running.accountId, role: 'source', email: invited.email, name: 'Ann' },
        expires_at: invited.expires_at,
      });
      expect(shown.body.source).to.include({ type: 'publisher' });

      const accepted = await accept(invited);
      expect(accepted.status, JSON.stringify(accepted.body)).to.equal(201);
      expect(accepted.headers.get('cache-control')).to.equal('no-store');
      expect(accepted.body.user).to.deep.include({
        ...{ email: invited.email, name: 'Ann', role: 'source', source: body.source, account_id: running.accountId },
      });
      const ann = running.anonymous.as({ Cookie: cookieOf(accepted) });
      const session = await ann.get('/api/auth/session');
      expect(session.body.source).to.deep.include({ ...body.source, sandbox: false });
      const again = await running.anonymous.post('/api/auth/login', { email: invited.email, password });
      expect(again.body.user).to.deep.equal(accepted.body.user);
    });

    it('make members and operators as well, under the name that they choose', async () => {
      for (const role of ['member', 'operator'] as const) {
        const accepted = await accept(await invite({ role, name: 'Ann' }, operator), { name: 'Anna' });
        expect(accepted.body.user).to.deep.include({ role, source: null, name: 'Anna' });
        const { status } = await running.anonymous.as({ Cookie: cookieOf(accepted) }).get('/api/users');
        expect(status).to.equal(role === 'operator' ? 200 : 403);
      }
    });

    it('are good once', async () => {
      const invited = await invite();
      expect((await accept(invited)).status).to.equal(201);
      expect(errorOf(await accept(invited))).to.equal(dead);
      expect(errorOf(await lookUp(invited))).to.equal(dead);
      const { body } = await member.api.get('/api/invitations');
      expect(body.invitations.map(({ id }: { id: string }) => id)).not.to.include(invited.id);
    });

    it('are good once where several accept at the same moment, with their own passwords', async () => {
      const invited = await invite();
      const passwords = ['the first password', 'the second password', 'the third password'];
      const answers = await Promise.all(passwords.map((own) => accept(invited, { password: own })));
      expect(answers.filter(({ status }) => status === 201)).to.have.length(1);
      for (const { status } of answers) expect(status).to.be.oneOf([201, 404, 409]);
      const logIns = await Promise.all(
        passwords.map((own) => running.anonymous.post('/api/auth/login', { email: invited.email, password: own })),
      );
      expect(logIns.map(({ status }) => status === 200)).to.deep.equal(answers.map(({ status }) => status === 201));
    });

    it('answer a request that comes twice twice, with one user', async () => {
      const invited = await invite();
      const headers = { 'Idempotency-Key': randomUUID() };
      const body = { email: newEmail(), role: 'member' };
      const [first, second] = [
        await member.api.post('/api/invitations', body, headers),
        await member.api.post('/api/invitations', body, headers),
      ];
      expect([first.status, second.body]).to.deep.equal([201, first.body]);
      expect((await accept(invited)).status).to.equal(201);
    });

    it('are dead when they have expired, by default after 72 hours', async () => {
      const [brief, plain] = [await invite({ role: 'member', expires_in_hours: 1 }), await invite()];
      expect(Date.parse(plain.expires_at) - Date.parse(brief.expires_at)).to.be.closeTo(71 * hourMs, 60_000);
      clock.move(hourMs);
      expect(errorOf(await accept(brief))).to.equal(dead);
      expect(errorOf(await member.api.post(`/api/invitations/${brief.id}/renew`, {}))).to.equal(dead);
      expect((await lookUp(plain)).status).to.equal(200);
    });

    it('are dead when they are revoked', async () => {
      const invited = await invite();
      const path = `/api/invitations/${invited.id}`;
      expect((await member.api.delete(path)).status).to.equal(204);
      expect([errorOf(await lookUp(invited)), errorOf(await accept(invited))]).to.deep.equal([dead, dead]);
      expect(errorOf(await member.api.delete(path))).to.equal(dead);
    });

    it('get another link when they are renewed, and the one before is dead', async () => {
      const invited = await invite();
      const renewed = await member.api.post(`/api/invitations/${invited.id}/renew`, { expires_in_hours: 100 });
      expect([renewed.status, renewed.body.id]).to.deep.equal([201, invited.id]);
      expect(Date.parse(renewed.body.expires_at)).to.be.greaterThan(Date.parse(invited.expires_at));
      expect(errorOf(await accept(invited))).to.equal(dead);
      expect((await accept(renewed.body)).status).to.equal(201);
    });

    it('are dead when the source is archived, and to none that is', async () => {
      const body = await toPublisher();
      const invited = await invite(body);
      await running.api.delete(`/api/supply/sources/${body.source.id}`);
      expect([errorOf(await lookUp(invited)), errorOf(await accept(invited))]).to.deep.equal([dead, dead]);
      const { invitations } = (await member.api.get('/api/invitations')).body;
      expect(invitations.find(({ id }: { id: string }) => id === invited.id)).to.include({ state: 'void' });
      expect(errorOf(await member.api.post(`/api/invitations/${invited.id}/renew`, {}))).to.equal('409 CONFLICT');
      const another = await member.api.post('/api/invitations', { email: newEmail(), ...body });
      expect(errorOf(another)).to.equal('400 VALIDATION_ERROR source');
    });

    it('are void when the inviter may no longer invite, until a user who may renews them', async () => {
      const byMember = await invite();
      const byOperator = await invite({ role: 'operator' }, operator);
      const keeper = await running.newUser(running.accountId, 'operator');
      await keeper.api.put(`/api/users/${member.userId}`, { status: 'disabled' });
      await keeper.api.put(`/api/users/${operator.userId}`, { role: 'member' });
      expect([errorOf(await accept(byMember)), errorOf(await accept(byOperator))]).to.deep.equal([dead, dead]);
      const renewed = await keeper.api.post(`/api/invitations/${byMember.id}/renew`, {});
      expect((await accept(renewed.body)).status).to.equal(201);
    });

    it('are refused where the email is a user’s, or invited already', async () => {
      const taken = { email: member.email.toUpperCase(), role: 'member' };
      expect(errorOf(await member.api.post('/api/invitations', taken))).to.equal('409 CONFLICT');
      const { email } = await invite();
      const again = { email: email.toUpperCase(), role: 'member' };
      expect(errorOf(await member.api.post('/api/invitations', again))).to.equal('409 CONFLICT');
    });

    it('are made once where many invite an email at the same moment', async () => {
      const email = newEmail();
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          member.api.post('/api/invitations', { email: index % 2 === 0 ? email : email.toUpperCase(), role: 'member' }),
        ),
      );
      const made = answers.filter(({ status }) => status === 201);
      expect(made).to.have.length(1);
      for (const answer of answers) if (answer !== made[0]) expect(errorOf(answer)).to.equal('409 CONFLICT');
      const { invitations } = (await member.api.get('/api/invitations?per_page=200')).body;
      const open = invitations.filter((one: { email: string }) => one.email.toLowerCase() === email);
      expect(open.map(({ id }: { id: string }) => id)).to.deep.equal([made[0]!.body.id]);
    });

    it('are made anew as soon as the one before was revoked, has expired or was refused', async () => {
      const invited = await invite();
      const again = { email: invited.email, role: 'member', expires_in_hours: 1 };
      expect(errorOf(await member.api.post('/api/invitations', again))).to.equal('409 CONFLICT');
      await member.api.delete(`/api/invitations/${invited.id}`);
      expect((await member.api.post('/api/invitations', again)).status).to.equal(201);
      clock.move(hourMs);
      const last = await invite(again);
      expect((await accept(last)).status).to.equal(201);
      expect(errorOf(await member.api.post('/api/invitations', again))).to.equal('409 CONFLICT');
    });

    it('make no second user of an email that has become one’s since', async () => {
      const invited = await invite();
      await operator.api.post('/api/users', { email: invited.email, password });
      expect(errorOf(await accept(invited))).to.equal('409 CONFLICT');
      expect((await lookUp(invited)).status).to.equal(200);
    });

    it('are to own sources and the own account, and of operators to any', async () => {
      const other = await running.newAccount();
      const source = { type: 'publisher', id: await newPublisher({}, other.api) };
      const body = { email: newEmail(), role: 'source', source };
      expect(errorOf(await member.api.post('/api/invitations', body))).to.equal('400 VALIDATION_ERROR source');
      const elsewhere = { email: newEmail(), role: 'member', account_id: other.accountId };
      expect(errorOf(await member.api.post('/api/invitations', elsewhere))).to.equal('403 FORBIDDEN');
      const asOperator = { email: newEmail(), role: 'operator' };
      expect(errorOf(await member.api.post('/api/invitations', asOperator))).to.equal('403 FORBIDDEN');

      const invited = await invite({ role: 'source', source }, operator);
      expect((await accept(invited)).body.user).to.deep.include({ account_id: other.accountId, source });
      expect((await accept(await invite(elsewhere, operator))).body.user.account_id).to.equal(other.accountId);
    });

    it('are listed without their links, those to operators for operators', async () => {
      const [toMember, toOperator] = [await invite(), await invite({ role: 'operator' }, operator)];
      const listed = async (client: ManagementClient) => (await client.get('/api/invitations?per_page=200')).body;
      const ids = ({ invitations }: { invitations: { id: string }[] }) => invitations.map(({ id }) => id);
      const seen = await listed(member.api);
      expect(JSON.stringify(seen)).not.to.match(/[0-9a-f]\.[\w-]{22}/);
      expect(seen.total).to.equal(seen.invitations.length);
      const { url: _, ...shown } = toMember;
      expect(seen.invitations).to.deep.include(shown);
      expect(ids(seen)).not.to.include(toOperator.id);
      expect(ids(await listed(operator.api))).to.include.members([toMember.id, toOperator.id]);
      expect(errorOf(await member.api.delete(`/api/invitations/${toOperator.id}`))).to.equal(dead);
    });

    it('are limited to the sources of the partner that the inviter acts for', async () => {
      const partner = (await running.api.post('/api/partners', { name: randomUUID() })).body.id;
      const acting = member.api.as({ 'X-User-Partner-ID': partner });
      const own = { type: 'publisher', id: await newPublisher({}, running.api.as({ 'X-User-Partner-ID': partner })) };
      const beside = await invite(await toPublisher());
      const toOwn = await acting.post('/api/invitations', { email: newEmail(), role: 'source', source: own });
      expect(toOwn.status, JSON.stringify(toOwn.body)).to.equal(201);
      expect(errorOf(await acting.post('/api/invitations', { email: newEmail(), role: 'member' }))).to.equal(
        '403 FORBIDDEN',
      );
      const { invitations } = (await acting.get('/api/invitations')).body;
      expect(invitations.map(({ id }: { id: string }) => id)).to.deep.equal([toOwn.body.id]);
      expect(errorOf(await acting.delete(`/api/invitations/${beside.id}`))).to.equal(dead);
    });

    const refused: readonly (readonly [body: object, error: string])[] = [
      [{ role: 'member' }, '400 INVALID_PARAMS email'],
      [{ email: 'a@b.example' }, '400 INVALID_PARAMS role'],
      [{ email: 'a@b.example', role: 'owner' }, '400 VALIDATION_ERROR role'],
      [{ email: 'a@b.example', role: 'source' }, '400 VALIDATION_ERROR source'],
      [
        { email: 'a@b.example', role: 'member', source: { type: 'dsp', id: '6b1f9f0e-2c4d-4a4e-9d5c-0b7a3e1f5c11' } },
        '400 VALIDATION_ERROR source',
      ],
      [{ email: 'a@b.example', role: 'member', expires_in_hours: 169 }, '400 VALIDATION_ERROR expires_in_hours'],
      [{ email: 'a@b.example', role: 'member', password }, '400 VALIDATION_ERROR password'],
    ];
    for (const [body, error] of refused) {
      it(`are not made of ${JSON.stringify(body)}: ${error}`, async () =>
        expect(errorOf(await member.api.post('/api/invitations', body))).to.equal(error));
    }

    it('hold passwords to the rules of all others', async () => {
      const invited = await invite();
      expect(errorOf(await accept(invited, { password: 'elevenchars' }))).to.equal('400 VALIDATION_ERROR password');
      expect((await accept(invited)).status).to.equal(201);
    });

    it('are accepted on behalf of no other site', async () => {
      const invited = await invite();
      const body = { token: tokenOf(invited), password };
      const headers = { Origin: 'https://elsewhere.example', 'Sec-Fetch-Site': 'cross-site' };
      expect(errorOf(await running.anonymous.post('/api/invitations/accept', body, headers))).to.equal('403 FORBIDDEN');
    });

    it('answer 429 past fifty links that are none from one network, and tell nothing of which is which', async () => {
      const { url } = await invite();
      const made = `${tokenOf({ url }).slice(0, 37)}${'A'.repeat(22)}`;
      const guess = (token: string) => running.anonymous.post('/api/invitations/look-up', { token });
      const [wrong, none] = [await guess(made), await guess('no token at all')];
      expect([errorOf(wrong), errorOf(none)]).to.deep.equal([dead, dead]);
      expect(wrong.body.error.message).to.equal(none.body.error.message);
      const answers: number[] = [];
      for (let count = 0; count < 60; count++) answers.push((await guess(made)).status);
      expect(answers.at(-1)).to.equal(429);
      clock.move(hourMs);
    });
  });
