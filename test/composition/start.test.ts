import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { readVersion } from '../../version.ts';
import { eventually } from '../support/eventually.ts';
import { callJson } from '../support/exchange.ts';
import { freePort } from '../support/free-port.ts';
import { redisUrl } from '../support/real-servers.ts';
import { skipWithReason } from '../support/skipped-tests.ts';
import { Installation } from './installation.ts';

const FIRST_REQUEST = {
  id: 'first',
  imp: [{ id: '1', banner: { w: 300, h: 250 } }],
  site: { id: '00000000-0000-4000-8000-00000000000a', domain: 'sandbox.example' },
};
const PORTS = ['PORT', 'EDGE_PORT', 'OPS_PORT'] as const;

/** The request of the curl line that the program prints for pasting. */
function printedRequest(stdout: string): { url: string; headers: Record<string, string>; body: string } {
  const [, url, name, value, body] = /curl -s (\S+) -H '([^:]+): ([^']+)' \\\n +-d '([^']+)'/.exec(stdout) ?? [];
  expect(body, stdout).to.be.a('string');
  return { url: url!, headers: { [name!]: value! }, body: body! };
}

describe('the program, started', () => {
  let installation: Installation;
  beforeEach(async () => {
    installation = await Installation.make();
  });
  afterEach(() => installation.remove());

  const works = async ({ live_key, sandbox_key, email, password }: Record<string, string>) => {
    for (const key of [live_key!, sandbox_key!]) {
      const sources = await callJson('GET', `${installation.baseUrl}/api/supply/sources`, undefined, {
        'X-API-Key': key,
      });
      expect(sources.status, key).to.equal(200);
    }
    const login = await callJson('POST', `${installation.baseUrl}/api/auth/login`, { email, password });
    expect(login.body.user).to.include({ email: 'admin@localhost', role: 'operator' });
  };

  const gone = () =>
    eventually('the file of first credentials to be gone', async () => {
      return !(await readdir(installation.environment.DATA_DIR!)).includes('first-credentials.json');
    });

  it('shows keys once on a terminal, where the API is described, and a request that is answered when it is pasted', async function () {
    if (spawnSync('script', ['--version']).status !== 0)
      skipWithReason(this, 'there is no `script` that makes a terminal');
    const first = await installation.startOnTerminal();
    const shown = first.stdout.replaceAll('\r', '');
    const { url, headers, body } = printedRequest(shown);
    const answer = await callJson('POST', url, body, headers);
    console.log(`      first auction answered ${Math.round(performance.now() - first.startedAt)} ms after the start`);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    expect(answer.body.seatbid[0].bid[0].adm).to.be.a('string');

    const [live_key = '', sandbox_key = ''] = [...shown.matchAll(/pk_(?:live|sandbox)_\S+/g)].map(([key]) => key);
    expect(live_key).to.match(/^pk_live_/);
    expect(sandbox_key).to.match(/^pk_sandbox_/);
    const [, email = '', password = ''] = /The first user, shown this once:\n +(\S+) +(\S+)\n/.exec(shown) ?? [];
    await works({ live_key, sandbox_key, email, password });
    const [, loginUrl, login] = /curl -s -c cookies\.txt (\S+) -H .*\n +-d '([^']+)'/.exec(shown) ?? [];
    expect(loginUrl).to.equal(`${installation.baseUrl}/api/auth/login`);
    expect(JSON.parse(login!)).to.deep.equal({ email, password });
    const [, docsUrl] = /documentation +(\S+)/.exec(shown) ?? [];
    const docs = await fetch(docsUrl!);
    expect(docs.headers.get('content-type'), docsUrl).to.match(/^text\/html/);
    await docs.body?.cancel();
    await gone();
    first.type('\u0003');
    expect(await first.exited).to.equal(0);

    const second = await installation.startOnTerminal();
    expect(second.stdout).to.contain(docsUrl).and.not.to.contain('shown this once').and.not.to.contain('curl');
    expect((await callJson('POST', url, body, headers)).status).to.equal(200);
    await works({ live_key, sandbox_key, email, password });
  });

  it('writes JSON alone where it is not on a terminal: what serves where, and the file that holds the first credentials', async () => {
    const first = await installation.start();
    const [serving] = first.log.filter(({ msg }) => msg === 'serving');
    const { PORT, EDGE_PORT, OPS_PORT } = installation.environment;
    expect(serving).to.include({
      ...{ level: 30, region: 'fra', pid: first.pid },
      ...{ port: Number(PORT), edgePort: Number(EDGE_PORT), opsPort: Number(OPS_PORT) },
      firstCredentials: installation.firstCredentialsPath,
    });
    expect(serving!.roles).to.deep.equal(['management', 'edge', 'actors', 'scheduler']);
    expect((await stat(installation.firstCredentialsPath)).mode & 0o777).to.equal(0o600);
    const credentials = await installation.firstCredentials();
    await works(credentials);
    for (const secret of [credentials.live_key, credentials.sandbox_key, credentials.password])
      expect(first.stdout + first.stderr).not.to.include(secret);
    first.signal('SIGTERM');
    expect(await first.exited).to.equal(0);

    await rm(installation.firstCredentialsPath);
    const second = await installation.start();
    expect(second.log.at(-1)).to.include({ msg: 'serving' }).and.not.to.have.property('firstCredentials');
    await works(credentials);
    expect(first.stderr + second.stderr).to.equal('');
  });

  it('shows credentials on a terminal that an earlier start without one has made', async function () {
    if (spawnSync('script', ['--version']).status !== 0)
      skipWithReason(this, 'there is no `script` that makes a terminal');
    const first = await installation.start();
    const credentials = await installation.firstCredentials();
    first.signal('SIGTERM');
    await first.exited;
    const second = await installation.startOnTerminal();
    for (const secret of [credentials.live_key, credentials.sandbox_key, credentials.password])
      expect(second.stdout).to.include(secret);
    await gone();
  });

  it('opens its ports when the first keys are valid and the first ad is sold', async () => {
    const key = 'pk_live_of-this-test';
    const run = installation.run({ BOOTSTRAP_API_KEY: key });
    const answered = (url: string, ...rest: [string?, unknown?, Record<string, string>?]) =>
      callJson(rest[0] ?? 'GET', url, rest[1], rest[2]).catch(() => null);
    const once = { everyMs: 1, timeoutMs: 60_000 };
    const [sources, sold] = await Promise.all([
      eventually(
        'the API to answer',
        () => answered(`${installation.baseUrl}/api/supply/sources`, 'GET', undefined, { 'X-API-Key': key }),
        once,
      ),
      eventually('the edge to answer', () => answered(`${installation.edgeUrl}/rtb`, 'POST', FIRST_REQUEST), once),
    ]);
    expect(sources.status, 'the first answer to a valid key').to.equal(200);
    expect(sold.status, 'the first answer to an ad request').to.equal(200);
    await run.serving();
  });

  it('prints help and its version, and starts nothing then, nor for an argument or a setting that is misspelt', async () => {
    const called = async (args: string[], environment: Record<string, string> = {}) => {
      const run = installation.run(environment, args);
      return { code: await run.exited, stdout: run.stdout, stderr: run.stderr };
    };
    const help = await called(['--help']);
    expect(help).to.include({ code: 0, stderr: '' });
    expect(help.stdout).to.match(/^Usage: npm start/);
    expect(await called(['--version'])).to.deep.equal({ code: 0, stdout: `${await readVersion()}\n`, stderr: '' });
    for (const args of [['--prot', '9'], ['start']]) {
      const { code, stdout, stderr } = await called(args);
      expect(code, stderr).to.equal(2);
      expect(stdout).to.equal('');
      expect(stderr).to.include(args[0]!.split('=')[0]!).and.include('Usage: ').and.not.include('    at ');
    }
    const misspelt = await called([], { REDIS_ULR: 'redis://127.0.0.1:1', ROLE: 'edge' });
    expect(misspelt).to.deep.equal({
      code: 2,
      stdout: '',
      stderr:
        'The settings are wrong:\nREDIS_ULR is not a setting: REDIS_URL is meant, or unset it\nROLE is not a setting: ROLES is meant, or unset it\n',
    });
    expect(await readdir(installation.folder)).to.deep.equal([]);
  });

  it('names every wrong setting and ends with 2', async () => {
    const run = installation.run({ PORT: 'x', REGION: 'ams', ROLES: 'broker', REDIS_URL: 'redis' });
    expect(await run.exited).to.equal(2);
    expect(run.stdout).to.equal('');
    expect(run.stderr.split('\n')[0]).to.equal('The settings are wrong:');
    for (const name of ['PORT', 'REGION', 'ROLES', 'REDIS_URL'])
      expect(run.stderr).to.match(new RegExp(`^${name}\\b`, 'm'));
    expect(run.stderr).not.to.contain('    at ');
    expect(await readdir(installation.folder)).to.deep.equal([]);
  });

  for (const environment of [
    { MONGODB_URL: 'mongodb://127.0.0.1:1/exchange' } as Record<string, string>,
    { MONGODB_URL: 'mongodb://127.0.0.1:1/exchange', REDIS_URL: 'redis://127.0.0.1:1', EDGE_WORKERS: '2' },
  ]) {
    it(`ends with 2 when SECRET_KEY is missing with ${Object.keys(environment).join(', ')}`, async () => {
      const run = installation.run(environment);
      expect(await run.exited).to.equal(2);
      expect(run.stdout).to.equal('');
      expect(run.stderr).to.match(
        /^The settings are wrong:\nSECRET_KEY or SECRET_KEY_FILE must be set with MONGODB_URL: .*\n$/,
      );
      expect(await readdir(installation.folder)).to.deep.equal([]);
    });
  }

  for (const name of PORTS) {
    it(`says so when ${name} is taken, ends with 1 and leaves nothing behind`, async () => {
      const other = createServer().listen(Number(installation.environment[name]));
      try {
        const run = installation.run();
        expect(await run.exited).to.equal(1);
        const problem = `port ${installation.environment[name]} (${name}) is in use by another program`;
        expect(run.stderr).to.equal(`The exchange could not start: ${problem}\n`);
        expect(run.stdout).not.to.contain('serving');
      } finally {
        await new Promise((resolve) => other.close(resolve));
      }
      expect(await readdir(installation.folder)).to.deep.equal([]);
      await installation.start();
      // What was not announced is not made yet.
      await works(await installation.firstCredentials());
    });
  }

  for (const name of ['DATA_DIR', 'CREATIVES_DIR', 'ARCHIVE_DIR']) {
    it(`says so when ${name} cannot be written`, async () => {
      const file = join(installation.folder, 'a file');
      await writeFile(file, '');
      const run = installation.run({ [name]: join(file, 'data') });
      expect(await run.exited).to.equal(1);
      expect(run.stderr).to.match(
        new RegExp(
          `^The exchange could not start: the folder .*a file/data \\(${name}\\) cannot be written: ENOTDIR.*\\n$`,
        ),
      );
    });
  }

  it('refuses an empty Redis on a data folder that holds an exchange, says what to do, and writes nothing there', async function () {
    const REDIS_URL = redisUrl(this);
    const first = await installation.start();
    first.signal('SIGTERM');
    await first.exited;
    const REDIS_PREFIX = `test-${randomUUID()}`;
    const refused = installation.run({ REDIS_URL, REDIS_PREFIX });
    expect(await refused.exited).to.equal(1);
    expect(refused.stderr).to.match(
      /^The exchange could not start: DATA_DIR holds an exchange, and the Redis at REDIS_URL none: unset .*docs\/backup\.md.*\n$/,
    );
    const redis = new Redis(REDIS_URL);
    try {
      expect(await redis.keys(`${REDIS_PREFIX}*`)).to.deep.equal([]);
    } finally {
      redis.disconnect();
    }
  });

  it('may be stopped while it starts', async () => {
    const run = installation.run();
    await eventually('the start to be under way', () => readdir(installation.environment.DATA_DIR!), {
      everyMs: 1,
      timeoutMs: 60_000,
    });
    run.signal('SIGTERM');
    expect(await run.exited).to.equal(0);
    expect(run.stderr).to.equal('');
    await installation.start();
  });

  it('stops properly though one Ctrl-C comes twice, from the terminal and from npm', async () => {
    const run = await installation.start();
    run.signal('SIGINT');
    run.signal('SIGTERM');
    expect(await run.exited).to.equal(0);
    expect(run.stderr).to.equal('');
    expect(await readdir(installation.environment.DATA_DIR!)).not.to.match(/lock\.\d/);
  });

  it('leaves a data folder to the process that holds it', async () => {
    const holder = await installation.start();
    const ports = Object.fromEntries(await Promise.all(PORTS.map(async (name) => [name, String(await freePort())])));
    const second = installation.run(ports);
    expect(await second.exited).to.equal(1);
    expect(second.stderr).to.contain(installation.environment.DATA_DIR).and.contain(`process ${holder.pid}`);
    expect((await callJson('POST', `${installation.edgeUrl}/rtb`, FIRST_REQUEST)).status).to.equal(200);
  });
});
