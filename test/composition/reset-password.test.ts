import { expect } from 'chai';
import { codeAt } from '../gateways/management/second-factor-client.ts';
import { eventually } from '../support/eventually.ts';
import { callJson, startTestExchange, type TestExchange } from '../support/exchange.ts';
import { type Ended, exchangeCommand } from '../support/exchange-command.ts';
import { Installation } from './installation.ts';

const ADMIN = { email: 'admin@exchange.test', password: 'a password that is lost' };

const reset = (environment: Readonly<Record<string, string>>, ...args: string[]) =>
  exchangeCommand(environment, 'reset-password', ...args);

function passwordIn({ code, stdout, stderr }: Ended): string {
  expect(code, stderr).to.equal(0);
  const [, password] = /^The password of .* is now, shown this once:\n(\S+)\n/.exec(stdout) ?? [];
  expect(password, stdout).to.have.length.at.least(20);
  return password!;
}

const logIn = (baseUrl: string, body: object) => callJson('POST', `${baseUrl}/api/auth/login`, body);

async function trailOf(baseUrl: string, credentials: object) {
  const session = await logIn(baseUrl, credentials);
  const cookie = session.headers.get('set-cookie')!.split(';', 1)[0]!;
  return eventually('the entries of the command', async () => {
    const { body } = await callJson('GET', `${baseUrl}/api/audit-trail?actor=command/reset-password`, undefined, {
      Cookie: cookie,
    });
    return body.entries.length > 0 && body.entries;
  });
}

describe('exchange reset-password', () => {
  describe('with the embedded stores', () => {
    let installation: Installation;
    beforeEach(async () => {
      installation = await Installation.make({ ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password });
    });
    afterEach(() => installation.remove());

    it('gives a new password while the exchange is stopped, is refused while it runs, and leaves an entry in the trail', async () => {
      const first = await installation.start();
      const refused = await reset(installation.environment, ADMIN.email);
      expect(refused.code).to.equal(2);
      expect(refused.stderr).to.match(/^Nothing was reset: .*in use by process \d+.*\n$/);
      first.signal('SIGTERM');
      await first.exited;

      const unknown = await reset(installation.environment, 'nobody@exchange.test');
      expect(unknown).to.deep.equal({ code: 1, stdout: '', stderr: 'There is no user nobody@exchange.test.\n' });
      const password = passwordIn(await reset(installation.environment, 'Admin@exchange.test'));
      await installation.start();
      expect((await logIn(installation.baseUrl, ADMIN)).status).to.equal(401);
      const [entry] = await trailOf(installation.baseUrl, { ...ADMIN, password });
      expect(entry).to.include({ action: 'update', actor: 'command/reset-password' });
      expect(JSON.stringify(entry)).not.to.include(password);
    });

    it('tells how it is called, and refuses what it does not know', async () => {
      const help = await reset(installation.environment, '--help');
      expect(help).to.include({ code: 0, stderr: '' });
      expect(help.stdout).to.match(/^Usage: exchange reset-password/);
      for (const args of [[], ['a@b.test', 'more'], ['a@b.test', '--factor']]) {
        const wrong = await reset(installation.environment, ...args);
        expect(wrong).to.include({ code: 2, stdout: '' });
        expect(wrong.stderr).to.include('Usage: exchange reset-password').and.not.include('    at ');
      }
    });
  });

  describe('on Redis and MongoDB', () => {
    let running: TestExchange;
    beforeEach(async function () {
      running = await startTestExchange(this, 'redis-mongodb');
    });
    afterEach(() => running?.stop());

    it('gives an only operator a new password beside the running exchange, takes a lost second factor away and ends the sessions', async () => {
      const Cookie = await running.logIn();
      const { password: old, email } = running.admin;
      const call = (path: string, body: object) => callJson('POST', `${running.baseUrl}${path}`, body, { Cookie });
      const { body: enrolment } = await call('/api/auth/second-factor', { password: old });
      const confirmed = await call('/api/auth/second-factor/confirm', {
        code: codeAt(enrolment.secret, Date.now()),
      });
      expect(confirmed.status, JSON.stringify(confirmed.body)).to.be.below(300);
      expect((await logIn(running.baseUrl, running.admin)).status, 'a code is asked for').to.equal(400);

      const password = passwordIn(await reset(running.environment, email, '--second-factor'));
      expect((await logIn(running.baseUrl, running.admin)).status).to.equal(401);
      const session = await callJson('GET', `${running.baseUrl}/api/auth/session`, undefined, { Cookie });
      expect(session.status).to.equal(401);
      const entries = await trailOf(running.baseUrl, { email, password });
      const actions = entries.map(({ action }: { action: string }) => action);
      expect(actions).to.have.members(['update', 'reset-second-factor']);
    });
  });
});
