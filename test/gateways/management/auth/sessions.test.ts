import { expect } from 'chai';
import { session } from '#actors/session/session';
import { emailDigest } from '#gateways/management/identity/passwords/log-in';
import { createPasswordFailures } from '#gateways/management/identity/passwords/password-failures';
import { readSessionToken } from '#gateways/management/identity/session-token';
import type { RateCounters } from '#runtime/ports/rate-counters';
import { eventually } from '#test/support/eventually';
import { type Answer, errorOf } from '../management-client.ts';
import { type RunningManagement, startManagement, type UserClient } from '../running-management.ts';
import { MovedClock } from './moved-clock.ts';

const hourMs = 3_600_000;

describe('gateways/management/auth: sessions', () => {
  const clock = new MovedClock();
  let running: RunningManagement;
  let ann: UserClient;

  before(async function () {
    running = await startManagement(this, 'embedded', { clock });
  });
  after(() => running.close());
  beforeEach(async () => {
    ann = await running.newUser(running.accountId);
  });

  const cookieOf = (answer: Answer) =>
    answer.headers.getSetCookie().find((cookie) => cookie.includes('exchange_session=')) ?? '';
  const logIn = (email: string, password: string, headers: Record<string, string> = {}) =>
    running.anonymous.post('/api/auth/login', { email, password }, headers);
  const documentOf = async ({ cookie }: UserClient) => {
    const { sessionId } = readSessionToken(cookie.split('=')[1]!)!;
    const [document] = await running.store.load([{ kind: session.kind, id: sessionId }]);
    return document;
  };

  describe('logging in', () => {
    it('answers the user and the cookie', async () => {
      const answer = await logIn(ann.email, ann.password);
      expect(answer.status).to.equal(200);
      expect(answer.body.user).to.deep.include({
        id: ann.userId,
        account_id: running.accountId,
        email: ann.email,
        role: 'member',
        status: 'active',
      });
      expect(cookieOf(answer)).to.match(
        /^exchange_session=[\w.-]{59}; path=\/; expires=[^;]+ GMT; samesite=lax; httponly$/i,
      );
      expect(JSON.stringify(answer.body)).not.to.match(/scrypt|hash/i);
    });

    it('takes the email in other capitals', async () => {
      expect((await logIn(ann.email.toUpperCase(), ann.password)).status).to.equal(200);
    });

    it('says the same of a wrong password and of an unknown email', async () => {
      const wrong = await logIn(ann.email, 'not the password');
      const unknown = await logIn('nobody@users.example', ann.password);
      expect(errorOf(wrong)).to.equal('401 UNAUTHORIZED');
      expect(unknown.body.error.message).to.equal(wrong.body.error.message);
      expect([errorOf(unknown), cookieOf(wrong), cookieOf(unknown)]).to.deep.equal(['401 UNAUTHORIZED', '', '']);
    });

    it('ends the session that the browser had', async () => {
      await logIn(ann.email, ann.password, { Cookie: ann.cookie });
      expect(errorOf(await ann.api.get('/api/auth/session'))).to.equal('401 UNAUTHORIZED');
    });

    it('is not held up by a session that has ended', async () => {
      await ann.api.post('/api/auth/logout');
      expect((await logIn(ann.email, ann.password, { Cookie: ann.cookie })).status).to.equal(200);
    });

    const bodies: readonly (readonly [body: object, error: string])[] = [
      [{}, '400 INVALID_PARAMS email'],
      [{ email: 'a@b.example' }, '400 INVALID_PARAMS password'],
      [{ email: 'a@b.example', password: 7 }, '400 VALIDATION_ERROR password'],
      [{ email: 'a@b.example', password: 'x'.repeat(257) }, '400 VALIDATION_ERROR password'],
      [{ email: 'a@b.example', password: 'x', remember: true }, '400 VALIDATION_ERROR remember'],
    ];
    for (const [body, error] of bodies) {
      it(`answers ${error} to ${JSON.stringify(body).slice(0, 60)}`, async () =>
        expect(errorOf(await running.anonymous.post('/api/auth/login', body))).to.equal(error));
    }
  });

  describe('a session', () => {
    it('reaches what its account has, and nothing of another', async () => {
      const source = { name: `Of ${ann.userId}`, domain: 'd.example', type: 'web' };
      const created = await ann.api.post('/api/supply/sources', source);
      expect(created.status).to.equal(201);
      const path = `/api/supply/sources/${created.body.id}`;
      expect((await running.api.get(path)).status).to.equal(200);
      const other = await running.newUser((await running.newAccount()).accountId);
      expect(errorOf(await other.api.get(path))).to.equal('404 NOT_FOUND');
    });

    it('is in the sandbox when it says so', async () => {
      const source = { name: `Live of ${ann.userId}`, domain: 'd.example', type: 'web' };
      const { body } = await ann.api.post('/api/supply/sources', source);
      const answer = await ann.api.get(`/api/supply/sources/${body.id}`, { 'X-Sandbox': 'true' });
      expect(errorOf(answer)).to.equal('404 NOT_FOUND');
    });

    it('is kept as a hash', async () => {
      const document = await documentOf(ann);
      expect(document?.state).to.include({ userId: ann.userId });
      expect(JSON.stringify(document)).not.to.include(ann.cookie.split('.')[1]);
    });

    it('is invalid when the token is another’s or made up', async () => {
      const other = await running.newUser(running.accountId);
      const [, random] = ann.cookie.split('.');
      for (const cookie of [
        `exchange_session=${other.userId}.${random}`,
        `exchange_session=${ann.userId}.${'A'.repeat(22)}`,
      ]) {
        const answer = await running.anonymous.get('/api/auth/session', { Cookie: cookie });
        expect(errorOf(answer), cookie).to.equal('401 UNAUTHORIZED');
      }
    });

    it('yields to an API key that comes with it', async () => {
      const other = await running.newAccount();
      const path = '/api/account';
      const own = (await ann.api.get(path)).body;
      expect((await ann.api.get(path, { 'X-API-Key': other.liveKey })).body).not.to.deep.equal(own);
      expect(errorOf(await ann.api.get(path, { 'X-API-Key': 'pk_live_nobodys' }))).to.equal('401 UNAUTHORIZED');
    });

    it('ends when logged out, and its cookie goes', async () => {
      const answer = await ann.api.post('/api/auth/logout');
      expect(answer.status).to.equal(204);
      expect(cookieOf(answer)).to.match(/^exchange_session=; .*expires=Thu, 01 Jan 1970/i);
      expect(errorOf(await ann.api.get('/api/auth/session'))).to.equal('401 UNAUTHORIZED');
      expect((await ann.api.post('/api/auth/logout')).status).to.equal(204);
      expect((await running.anonymous.post('/api/auth/logout')).status).to.equal(204);
    });

    it('is Secure behind TLS, and of this very host: a host beside it plants none', async function () {
      const settings = { publicBaseUrl: 'https://exchange.example' };
      const behindTls = await startManagement(this, 'embedded', { settings });
      try {
        const { email, password } = await behindTls.newUser(behindTls.accountId);
        const answer = await behindTls.anonymous.post('/api/auth/login', { email, password });
        const cookie = cookieOf(answer);
        expect(cookie).to.match(/^__Host-exchange_session=[\w.-]{59}; path=\/;/);
        expect(cookie)
          .to.match(/; secure(;|$)/i)
          .and.not.match(/domain/i);

        const [pair = ''] = cookie.split(';', 1);
        const statusWith = async (Cookie: string) =>
          (await behindTls.anonymous.get('/api/auth/session', { Cookie })).status;
        expect(await statusWith(pair)).to.equal(200);
        expect(await statusWith(pair.replace('__Host-', ''))).to.equal(401);
        expect(await statusWith(`exchange_session=planted; ${pair}`)).to.equal(200);
        const gone = await behindTls.anonymous.post('/api/auth/logout', undefined, { Cookie: pair });
        expect(cookieOf(gone)).to.match(/^__Host-exchange_session=; .*; secure(;|$)/i);
        expect(await statusWith(pair)).to.equal(401);
      } finally {
        await behindTls.close();
      }
    });
  });

  describe('the end of a session', () => {
    it('comes after 24 hours without use, and its document goes', async () => {
      clock.move(24 * hourMs - 5_000);
      const { body } = await ann.api.get('/api/auth/session');
      expect(Date.parse(body.expires_at)).to.be.closeTo(clock.now() + 24 * hourMs, 5_000);
      await eventually('the use is written down', async () => {
        const state = (await documentOf(ann))?.state as { lastSeenAtMs: number } | undefined;
        return state && Math.abs(state.lastSeenAtMs - clock.now()) < 10_000;
      });
      clock.move(24 * hourMs + 1_000);
      expect(errorOf(await ann.api.get('/api/auth/session'))).to.equal('401 UNAUTHORIZED');
      await eventually('the document is gone', async () => (await documentOf(ann))?.deleted);
    });

    it('moves with each use, and the cookie with it, but not more than once a minute', async () => {
      const first = await ann.api.get('/api/auth/session');
      expect(cookieOf(first)).to.equal('');
      clock.move(61_000);
      const later = await ann.api.get('/api/auth/session');
      expect(cookieOf(later)).to.include(ann.cookie);
      expect(Date.parse(later.body.expires_at)).to.be.at.least(Date.parse(first.body.expires_at) + 60_000);
      await eventually('the use is written down', async () => {
        return cookieOf(await ann.api.get('/api/auth/session')) === '';
      });
    });
  });

  describe('changing one’s password', () => {
    const change = (current: string, next: string) =>
      ann.api.put('/api/auth/password', { current_password: current, new_password: next });

    it('ends all other sessions and goes on with this one', async () => {
      const elsewhere = (await logIn(ann.email, ann.password)).headers.get('set-cookie')!.split(';')[0]!;
      const answer = await change(ann.password, 'another password');
      expect(answer.status).to.equal(200);
      expect(answer.body.user.id).to.equal(ann.userId);
      const renewed = cookieOf(answer).split(';')[0]!;
      const statusOf = async (Cookie: string) => (await running.anonymous.get('/api/auth/session', { Cookie })).status;
      expect([await statusOf(renewed), await statusOf(ann.cookie), await statusOf(elsewhere)]).to.deep.equal([
        200, 401, 401,
      ]);
      expect((await logIn(ann.email, ann.password)).status).to.equal(401);
      expect((await logIn(ann.email, 'another password')).status).to.equal(200);
    });

    it('needs the present one, and a new one of twelve characters', async () => {
      expect(errorOf(await change('wrong', 'another password'))).to.equal('400 VALIDATION_ERROR current_password');
      expect(errorOf(await change(ann.password, 'elevenchars'))).to.equal('400 VALIDATION_ERROR new_password');
      expect((await ann.api.get('/api/auth/session')).status).to.equal(200);
    });

    it('is throttled like logging in', async () => {
      for (let attempt = 0; attempt < 10; attempt++) await change('wrong', 'another password');
      expect(errorOf(await change(ann.password, 'another password'))).to.equal('429 RATE_LIMITED');
    });
  });

  describe('the sessions of a user', () => {
    const list = async () => (await ann.api.get('/api/auth/sessions')).body.sessions;

    it('end 30 days after logging in, however much they are used', async () => {
      for (let hours = 20; hours < 30 * 24; hours += 20) {
        clock.move(20 * hourMs);
        expect((await ann.api.get('/api/auth/session')).status, `after ${hours} h`).to.equal(200);
        await eventually('the use to be written down', async () => {
          const state = (await documentOf(ann))?.state as { lastSeenAtMs: number };
          return clock.now() - state.lastSeenAtMs < hourMs;
        });
      }
      const { body } = await ann.api.get('/api/auth/session');
      const left = Date.parse(body.expires_at) - clock.now();
      expect(left)
        .to.be.greaterThan(0)
        .and.at.most(20 * hourMs);
      clock.move(left + 1_000);
      expect(errorOf(await ann.api.get('/api/auth/session'))).to.equal('401 UNAUTHORIZED');
    });

    it('are listed, and ended one by one', async () => {
      const elsewhere = cookieOf(await logIn(ann.email, ann.password)).split(';')[0]!;
      const [newest, own] = await list();
      expect([newest.current, own.current]).to.deep.equal([false, true]);
      expect(JSON.stringify([newest, own])).not.to.include(elsewhere.split('.')[1]);
      expect((await ann.api.delete(`/api/auth/sessions/${newest.id}`)).status).to.equal(204);
      const { status } = await running.anonymous.get('/api/auth/session', { Cookie: elsewhere });
      expect([status, (await list()).length]).to.deep.equal([401, 1]);
      expect(errorOf(await ann.api.delete(`/api/auth/sessions/${newest.id}`))).to.equal('404 NOT_FOUND');
    });

    it('cannot be ended by another user', async () => {
      const bob = await running.newUser(running.accountId, 'operator');
      const [own] = await list();
      expect(errorOf(await bob.api.delete(`/api/auth/sessions/${own.id}`))).to.equal('404 NOT_FOUND');
      expect((await ann.api.get('/api/auth/session')).status).to.equal(200);
    });
  });

  describe('another site', () => {
    const evil = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' };
    const source = () => ({ name: `Forged ${ann.userId}`, domain: 'd.example', type: 'web' });

    it('cannot write under a session, but read', async () => {
      expect(errorOf(await ann.api.post('/api/supply/sources', source(), evil))).to.equal('403 FORBIDDEN');
      expect(errorOf(await ann.api.post('/api/auth/logout', undefined, evil))).to.equal('403 FORBIDDEN');
      expect((await ann.api.get('/api/supply/sources', evil)).status).to.equal(200);
    });

    it('cannot log its visitors in', async () => {
      expect(errorOf(await logIn(ann.email, ann.password, evil))).to.equal('403 FORBIDDEN');
    });

    it('is none when the page is ours', async () => {
      const own = { 'Sec-Fetch-Site': 'same-origin', Origin: running.baseUrl };
      expect((await ann.api.post('/api/supply/sources', source(), own)).status).to.equal(201);
    });

    it('does not matter to an API key, which no browser sends by itself', async () => {
      expect((await running.api.post('/api/supply/sources', source(), evil)).status).to.equal(201);
    });
  });
});

describe('gateways/management/auth: too many wrong passwords', () => {
  let running: RunningManagement;
  const settings = { trustProxyHops: 1 };

  beforeEach(async function () {
    running = await startManagement(this, 'embedded', { settings });
  });
  afterEach(() => running.close());

  const logIn = (email: string, password: string, address: string) =>
    running.anonymous.post('/api/auth/login', { email, password }, { 'X-Forwarded-For': address });

  it('lets no network lock a user out: ten failures are 429 for it, and logging in from elsewhere works', async () => {
    const ann = await running.newUser(running.accountId);
    for (let attempt = 0; attempt < 10; attempt++) {
      expect((await logIn(ann.email, 'wrong', '198.51.100.1')).status).to.equal(401);
    }
    const beginsMs = Date.now();
    const refused = await logIn(ann.email, ann.password, '198.51.100.1');
    expect(errorOf(refused)).to.equal('429 RATE_LIMITED');
    expect(refused.body.error.reset_at * 1000)
      .to.be.greaterThan(beginsMs)
      .and.at.most(beginsMs + 15 * 60_000 + 1_000);
    const bob = await running.newUser(running.accountId);
    expect((await logIn(bob.email, bob.password, '198.51.100.1')).status).to.equal(200);
    expect((await logIn(ann.email, ann.password, '198.51.100.99')).status).to.equal(200);
  });

  it('delays guesses at one email that come from many networks, twice as long each time', async () => {
    const keys: (readonly [key: string, windowMs: number])[] = [];
    const { rates } = running.parts;
    const watched = {
      consume: (key: string, points: number, windowMs: number) => {
        if (/^login-email:[^:]+:\d+$/.test(key) && points > 0) keys.push([key.split(':')[2]!, windowMs]);
        // A delay is over at once, so that the test need not sit through it.
        const ended = /^login-email:[^:]+:\d+$/.test(key) && points === 0;
        return ended ? Promise.resolve({ consumed: 0, resetAtMs: 0 }) : rates.consume(key, points, windowMs);
      },
    };
    const email = 'ann@users.example';
    const digest = emailDigest(email);
    const tried = () =>
      createPasswordFailures({ rates: watched as RateCounters }, [
        { key: `login-email:${digest}`, beyondLimit: 'delay', allowed: 20 },
      ]);
    for (let failure = 1; failure <= 20; failure++) {
      await tried().refuseTooMany();
      await tried().failed();
    }
    for (let failure = 21; failure <= 33; failure++) {
      await tried().refuseTooMany();
      await expectLimited(tried().failed());
    }
    expect(keys.map(([, windowMs]) => windowMs / 1000)).to.deep.equal([
      1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900,
    ]);
  });

  it('lets a browser that is known log in while others guess at its email from everywhere', async () => {
    const ann = await running.newUser(running.accountId);
    const first = await logIn(ann.email, ann.password, '203.0.113.1');
    const device = first.headers.getSetCookie().find((cookie) => cookie.startsWith('exchange_device='))!;
    expect(device).to.match(/; samesite=lax; httponly$/i);
    for (let attempt = 0; attempt < 30; attempt++) await logIn(ann.email, 'wrong', `198.51.100.${attempt}`);
    expect(errorOf(await logIn(ann.email, ann.password, '198.51.100.99'))).to.equal('429 RATE_LIMITED');
    const asDevice = (email: string, password: string) =>
      running.anonymous.post('/api/auth/login', { email, password }, { Cookie: device.split(';', 1)[0]! });
    expect((await asDevice(ann.email, ann.password)).status).to.equal(200);
    for (let attempt = 0; attempt < 10; attempt++) await asDevice(ann.email, 'wrong');
    expect(errorOf(await asDevice(ann.email, ann.password))).to.equal('429 RATE_LIMITED');
  });

  it('takes the cookie of a browser for the email alone that it was made for', async () => {
    const [ann, bob] = [await running.newUser(running.accountId), await running.newUser(running.accountId)];
    const first = await logIn(ann.email, ann.password, '203.0.113.2');
    const device = first.headers.getSetCookie().find((cookie) => cookie.startsWith('exchange_device='))!;
    const from = { 'X-Forwarded-For': '203.0.113.3', Cookie: device.split(';', 1)[0]! };
    for (let attempt = 0; attempt < 10; attempt++) {
      await running.anonymous.post('/api/auth/login', { email: bob.email, password: 'wrong' }, from);
    }
    expect(errorOf(await logIn(bob.email, bob.password, '203.0.113.3'))).to.equal('429 RATE_LIMITED');
  });

  it('are 429 for a network past fifty, whatever the email; from elsewhere one logs in', async () => {
    const ann = await running.newUser(running.accountId);
    for (let attempt = 0; attempt < 50; attempt++) {
      expect((await logIn(`nobody-${attempt}@users.example`, 'wrong', '198.51.100.1')).status).to.equal(401);
    }
    expect(errorOf(await logIn(ann.email, ann.password, '198.51.100.1'))).to.equal('429 RATE_LIMITED');
    expect((await logIn(ann.email, ann.password, '198.51.100.2')).status).to.equal(200);
  });

  it('are failures alone: logging in again and again is not throttled', async () => {
    const ann = await running.newUser(running.accountId);
    for (let attempt = 0; attempt < 15; attempt++) {
      expect((await logIn(ann.email, ann.password, '198.51.100.1')).status).to.equal(200);
    }
  });

  it('let no guess through that was made at the same moment', async () => {
    const ann = await running.newUser(running.accountId);
    const guesses = [...Array.from({ length: 20 }, () => 'wrong'), ann.password];
    const statuses = await Promise.all(guesses.map((guess) => logIn(ann.email, guess, '198.51.100.1')));
    expect(statuses.filter(({ status }) => status === 200)).to.deep.equal([]);
  });

  it('answer wrong and right guesses alike once there were too many, made at the same moment or not', async () => {
    const ann = await running.newUser(running.accountId);
    const guesses = [...Array.from({ length: 20 }, () => 'wrong'), ann.password];
    const answers = await Promise.all(guesses.map((guess) => logIn(ann.email, guess, '198.51.100.1')));
    const refused = answers.filter(({ status }) => status !== 401);
    expect(refused.map(errorOf)).to.deep.equal(Array.from({ length: 11 }, () => '429 RATE_LIMITED'));
    expect(new Set(refused.map(({ body }) => body.error.message))).to.have.length(1);
  });
});

async function expectLimited(trying: Promise<void>): Promise<void> {
  const error = await trying.then(
    () => null,
    (failure: { code?: string }) => failure,
  );
  expect(error?.code).to.equal('RATE_LIMITED');
}
