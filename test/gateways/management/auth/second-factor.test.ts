import { expect } from 'chai';
import { auditEntry } from '#actors/audit-entry/audit-entry';
import type { UserState } from '#actors/user/reduce';
import { user } from '#actors/user/user';
import { createManagement } from '#gateways/management/management';
import { resealSecretsOf } from '#gateways/management/secrets/reseal-secrets';
import { SILENT } from '#runtime/node/logger';
import { eventually } from '#test/support/eventually';
import { PROVIDER_PAIRS } from '#test/support/exchange';
import { errorOf, managementClient } from '../management-client.ts';
import { type RunningManagement, startManagement, type UserClient } from '../running-management.ts';
import { codeAt, type Enrolment, enrol, guarded } from '../second-factor-client.ts';
import { MovedClock } from './moved-clock.ts';

const STEP_MS = 30_000;
const enrolPath = '/api/auth/second-factor';
const confirmPath = '/api/auth/second-factor/confirm';

for (const pair of PROVIDER_PAIRS)
  describe(`gateways/management/auth: the second factor, on ${pair}`, () => {
    const clock = new MovedClock();
    let running: RunningManagement;
    let ann: UserClient;

    before(async function () {
      running = await startManagement(this, pair, { clock });
    });
    after(() => running?.close());
    beforeEach(async () => {
      ann = await running.newUser(running.accountId);
      // Each test begins with a step, so that no step ends between a code and its use.
      clock.move(STEP_MS - (clock.now() % STEP_MS));
    });

    const logIn = (code?: string, password = ann.password) =>
      running.anonymous.post('/api/auth/login', {
        email: ann.email,
        password,
        ...(code === undefined ? {} : { code }),
      });
    const codeOf = ({ secret }: Enrolment) => codeAt(secret, clock.now());
    /** Ann with a factor; the step of its first code has passed. */
    const guardAnn = async (): Promise<Enrolment> => {
      const { user: with2, enrolment } = await guarded(ann, running.anonymous, () => clock.now());
      ann = with2;
      clock.move(STEP_MS);
      return enrolment;
    };
    const stateOf = async () => {
      const [document] = await running.store.load([{ kind: user.kind, id: ann.userId }]);
      return document?.state as UserState;
    };
    const wrongCode = (right: string) => (right === '000000' ? '000001' : '000000');

    it('is asked for at log-in once a code has confirmed it, and not before', async () => {
      const enrolment = await enrol(ann);
      expect(enrolment.secret).to.match(/^[A-Z2-7]{32}$/);
      expect(enrolment.otpauth_url).to.match(/^otpauth:\/\/totp\/.*[?&]issuer=localhost&secret=[A-Z2-7]{32}&/);
      expect(new Set(enrolment.recovery_codes)).to.have.length(10);
      expect((await logIn()).body.user.second_factor).to.equal(false);

      const right = codeOf(enrolment);
      const wrong = await ann.api.post(confirmPath, { code: wrongCode(right) });
      expect(errorOf(wrong)).to.equal('400 VALIDATION_ERROR code');
      const recovery = await ann.api.post(confirmPath, { code: enrolment.recovery_codes[0] });
      expect(errorOf(recovery)).to.equal('400 VALIDATION_ERROR code');
      expect((await logIn()).status).to.equal(200);

      const confirmed = await ann.api.post(confirmPath, { code: right });
      expect([confirmed.status, confirmed.body.user.second_factor]).to.deep.equal([200, true]);
      const without = await logIn();
      expect([errorOf(without), without.headers.getSetCookie()]).to.deep.equal(['400 INVALID_PARAMS code', []]);
      expect(without.body.error.message).to.include('second factor');
      clock.move(STEP_MS);
      const answer = await logIn(codeOf(enrolment));
      expect([answer.status, answer.body.user.second_factor]).to.deep.equal([200, true]);
    });

    it('ends all other sessions when it is confirmed and goes on with this one', async () => {
      const elsewhere = (await logIn()).headers.getSetCookie()[0]!.split(';', 1)[0]!;
      const before = ann.cookie;
      await guardAnn();
      const statusOf = async (Cookie: string) => (await running.anonymous.get('/api/auth/session', { Cookie })).status;
      expect([await statusOf(elsewhere), await statusOf(before), await statusOf(ann.cookie)]).to.deep.equal([
        401, 401, 200,
      ]);
      expect((await ann.api.get('/api/auth/session')).body.user.second_factor).to.equal(true);
    });

    it('takes no code twice, that of the confirmation included, nor one of an earlier step', async () => {
      const { user: with2, enrolment } = await guarded(ann, running.anonymous, () => clock.now());
      ann = with2;
      const first = codeOf(enrolment);
      expect(errorOf(await logIn(first))).to.equal('401 UNAUTHORIZED');
      clock.move(STEP_MS);
      const [earlier, second] = [first, codeOf(enrolment)];
      expect((await logIn(second)).status).to.equal(200);
      expect(errorOf(await logIn(second))).to.equal('401 UNAUTHORIZED');
      expect(errorOf(await logIn(earlier))).to.equal('401 UNAUTHORIZED');
    });

    it('lets one of two processes alone take a code that both are shown at the same moment', async () => {
      const enrolment = await guardAnn();
      const other = createManagement(running.parts);
      try {
        const elsewhere = managementClient(`http://127.0.0.1:${await other.listen(0, '127.0.0.1')}`);
        for (const code of [codeOf(enrolment), enrolment.recovery_codes[0]]) {
          const body = { email: ann.email, password: ann.password, code };
          const answers = await Promise.all(
            [running.anonymous, elsewhere, running.anonymous, elsewhere].map((client) =>
              client.post('/api/auth/login', body),
            ),
          );
          expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 401, 401, 401]);
        }
      } finally {
        await other.close();
      }
    });

    it('takes codes of one step before and after, and none further away', async () => {
      const enrolment = await guardAnn();
      clock.move(4 * STEP_MS);
      const at = (steps: number) => codeAt(enrolment.secret, clock.now() + steps * STEP_MS);
      expect(errorOf(await logIn(at(-2)))).to.equal('401 UNAUTHORIZED');
      expect((await logIn(at(-1))).status).to.equal(200);
      const spaced = at(1).replace(/^(...)/, '$1 ');
      expect(errorOf(await logIn(at(3)))).to.equal('401 UNAUTHORIZED');
      expect((await logIn(spaced)).status).to.equal(200);
    });

    it('takes each recovery code once, however it is typed', async () => {
      const { recovery_codes: codes } = await guardAnn();
      expect((await logIn(codes[3])).status).to.equal(200);
      expect(errorOf(await logIn(codes[3]))).to.equal('401 UNAUTHORIZED');
      expect((await logIn(codes[4]!.toUpperCase().replaceAll('-', ' '))).status).to.equal(200);
      expect((await stateOf()).secondFactor!.recoveryHashes).to.have.length(8);
    });

    it('does not reveal without the password whether there is one, and uses no code up then', async () => {
      const enrolment = await guardAnn();
      const plain = await running.newUser(running.accountId);
      const code = codeOf(enrolment);
      const answers = [
        await logIn(code, 'not the password'),
        await logIn(undefined, 'not the password'),
        await running.anonymous.post('/api/auth/login', { email: plain.email, password: 'not the password', code }),
        await running.anonymous.post('/api/auth/login', { email: 'nobody@users.example', password: 'any', code }),
      ];
      expect(new Set(answers.map(errorOf))).to.deep.equal(new Set(['401 UNAUTHORIZED']));
      expect(new Set(answers.map(({ body }) => body.error.message))).to.have.length(1);
      expect((await logIn(code)).status).to.equal(200);
    });

    it('counts wrong codes like wrong passwords: past ten of one network nothing is right', async () => {
      const enrolment = await guardAnn();
      for (let attempt = 0; attempt < 10; attempt++) {
        const wrong = wrongCode(codeOf(enrolment));
        expect(errorOf(await logIn(wrong))).to.equal('401 UNAUTHORIZED');
      }
      expect(errorOf(await logIn(codeOf(enrolment)))).to.equal('429 RATE_LIMITED');
      expect(errorOf(await logIn(enrolment.recovery_codes[0]))).to.equal('429 RATE_LIMITED');
    });

    it('does not count that no code came: log-in asks for it', async () => {
      const enrolment = await guardAnn();
      for (let attempt = 0; attempt < 15; attempt++) {
        expect(errorOf(await logIn())).to.equal('400 INVALID_PARAMS code');
      }
      expect((await logIn(codeOf(enrolment))).status).to.equal(200);
    });

    it('is set up with the password, and not by a session alone', async () => {
      expect(errorOf(await ann.api.post(enrolPath, {}))).to.equal('400 INVALID_PARAMS password');
      expect(errorOf(await ann.api.post(enrolPath, { password: 'wrong' }))).to.equal('400 VALIDATION_ERROR password');
      expect(errorOf(await ann.api.post(confirmPath, { code: '123456' }))).to.equal('409 CONFLICT');
      expect((await stateOf()).secondFactor).to.equal(null);
      await guardAnn();
      expect(errorOf(await ann.api.post(enrolPath, { password: ann.password }))).to.equal('409 CONFLICT');
    });

    it('begins anew when it is set up again before it was confirmed', async () => {
      const [first, second] = [await enrol(ann), await enrol(ann)];
      expect(errorOf(await ann.api.post(confirmPath, { code: codeOf(first) }))).to.equal('400 VALIDATION_ERROR code');
      expect((await ann.api.post(confirmPath, { code: codeOf(second) })).status).to.equal(200);
      expect(errorOf(await logIn(first.recovery_codes[0]))).to.equal('401 UNAUTHORIZED');
    });

    it('is removed by its user with the password and a code, or a recovery code', async () => {
      const remove = (body: object) => ann.api.request('DELETE', enrolPath, { body });
      expect(errorOf(await remove({ password: ann.password, code: '123456' }))).to.equal('404 NOT_FOUND');
      const enrolment = await guardAnn();
      const code = codeOf(enrolment);
      expect(errorOf(await remove({ password: 'wrong', code }))).to.equal('400 VALIDATION_ERROR password');
      expect(errorOf(await remove({ password: ann.password, code: wrongCode(code) }))).to.equal(
        '400 VALIDATION_ERROR code',
      );
      expect((await remove({ password: ann.password, code })).status).to.equal(204);
      expect((await logIn()).body.user.second_factor).to.equal(false);

      const { recovery_codes: codes } = await guardAnn();
      expect((await logIn(codes[0])).status).to.equal(200);
      expect(errorOf(await remove({ password: ann.password, code: codes[0] }))).to.equal('400 VALIDATION_ERROR code');
      expect((await remove({ password: ann.password, code: codes[1] })).status).to.equal(204);
      expect((await logIn()).status).to.equal(200);
    });

    it('does not go by a code that has logged in', async () => {
      const enrolment = await guardAnn();
      const code = codeOf(enrolment);
      expect((await logIn(code)).status).to.equal(200);
      const answer = await ann.api.request('DELETE', enrolPath, { body: { password: ann.password, code } });
      expect(errorOf(answer)).to.equal('409 CONFLICT');
    });

    it('is removed only by an operator when the user has lost it', async () => {
      const operator = await running.newUser(running.accountId, 'operator');
      const colleague = await running.newUser(running.accountId);
      await guardAnn();
      const path = `/api/users/${ann.userId}/second-factor`;
      expect(errorOf(await colleague.api.delete(path))).to.equal('403 FORBIDDEN');
      expect(errorOf(await ann.api.delete(path))).to.equal('403 FORBIDDEN');
      expect((await operator.api.get(`/api/users/${ann.userId}`)).body.second_factor).to.equal(true);
      expect((await operator.api.delete(path)).status).to.equal(204);
      expect((await operator.api.delete(path)).status).to.equal(204);
      expect((await logIn()).body.user.second_factor).to.equal(false);
    });

    it('stays when the password changes, and logs in under the new one', async () => {
      const enrolment = await guardAnn();
      const change = { current_password: ann.password, new_password: 'another password' };
      expect((await ann.api.put('/api/auth/password', change)).status).to.equal(200);
      expect(errorOf(await logIn(undefined, 'another password'))).to.equal('400 INVALID_PARAMS code');
      expect((await logIn(codeOf(enrolment), 'another password')).status).to.equal(200);
    });

    it('is kept sealed and hashed, and leaves entries in the audit trail that show neither secret nor codes', async () => {
      const operator = await running.newUser(running.accountId, 'operator');
      const enrolment = await guardAnn();
      expect((await logIn(enrolment.recovery_codes[0])).status).to.equal(200);
      expect((await operator.api.delete(`/api/users/${ann.userId}/second-factor`)).status).to.equal(204);
      const second = await guardAnn();
      const { sealedSecret, recoveryHashes } = (await stateOf()).secondFactor!;
      expect(sealedSecret).to.match(/^v1\./);
      const entries = await eventually('the entries of the factor', async () => {
        const where = { resource: `user/${ann.userId}` };
        const { documents } = await running.store.query(auditEntry.kind, { where, orderBy: 'key' });
        return documents.length === 5 ? documents.map(({ state }) => state as { action: string }) : null;
      });
      expect(entries.map(({ action }) => action)).to.deep.equal([
        'enrol-second-factor',
        'confirm-second-factor',
        'reset-second-factor',
        'enrol-second-factor',
        'confirm-second-factor',
      ]);
      const told = JSON.stringify(entries);
      const kept = JSON.stringify(await stateOf());
      const secrets = [enrolment, second].flatMap(({ secret, recovery_codes: codes }) => [secret, ...codes]);
      for (const secret of secrets) {
        expect(told).not.to.include(secret);
        expect(kept).not.to.include(secret).and.not.to.include(secret.replaceAll('-', ''));
      }
      for (const hidden of [sealedSecret, ...recoveryHashes]) expect(told).not.to.include(hidden);
      expect(told).to.include('(withheld)');
    });

    it('is sealed anew under another master secret, and logs in without the earlier one then', async () => {
      const enrolment = await guardAnn();
      const { secretKey: earlier, store, messenger } = running.parts;
      const rotated = { ...running.parts, secretKey: 'another master secret that only tests know' };
      const clientOf = async (parts: typeof rotated) => {
        const management = createManagement(parts);
        const client = managementClient(`http://127.0.0.1:${await management.listen(0, '127.0.0.1')}`);
        return { client, close: () => management.close() };
      };
      const [overlap, after] = [
        await clientOf({ ...rotated, previousSecretKeys: [earlier] }),
        await clientOf({ ...rotated, previousSecretKeys: [] }),
      ];
      const logInAt = ({ client }: typeof overlap, code: string) =>
        client.post('/api/auth/login', { email: ann.email, password: ann.password, code });
      try {
        expect((await logInAt(overlap, codeOf(enrolment))).status).to.equal(200);
        clock.move(STEP_MS);
        expect(errorOf(await logInAt(after, codeOf(enrolment)))).to.equal('409 CONFLICT');
        expect((await logInAt(after, enrolment.recovery_codes[0]!)).status).to.equal(200);

        const reseal = { ...{ store, messenger, logger: SILENT }, secretKey: rotated.secretKey };
        const never = new AbortController().signal;
        const said = await resealSecretsOf({ ...reseal, previousSecretKeys: [earlier] }, never);
        expect(said).to.match(/^[1-9]\d* sealed anew, 0 that no SECRET_KEY opens$/);
        expect((await logInAt(after, codeOf(enrolment))).status).to.equal(200);
        expect(await resealSecretsOf(reseal, never)).to.equal('0 sealed anew, 0 that no SECRET_KEY opens');
        // As it was, for the tests that come.
        await resealSecretsOf({ ...reseal, secretKey: earlier, previousSecretKeys: [rotated.secretKey] }, never);
      } finally {
        await overlap.close();
        await after.close();
      }
    });
  });
