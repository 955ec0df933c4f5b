import { readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { callJson } from '../support/exchange.ts';
import { freePort } from '../support/free-port.ts';
import { Installation } from './installation.ts';

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

  it('shows keys once, where the API is described, and a request that is answered when it is pasted', async () => {
    const first = await installation.start();
    const { url, headers, body } = printedRequest(first.stdout);
    const answer = await callJson('POST', url, body, headers);
    console.log(`      first auction answered ${Math.round(performance.now() - first.startedAt)} ms after the start`);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    expect(answer.body.seatbid[0].bid[0].adm).to.be.a('string');

    const keys = [...first.stdout.matchAll(/pk_(?:live|sandbox)_\S+/g)].map(([key]) => key);
    expect(keys.map((key) => key.split('_')[1])).to.deep.equal(['live', 'sandbox']);
    const works = async () => {
      for (const key of keys) {
        const sources = await callJson('GET', `${installation.baseUrl}/api/supply/sources`, undefined, {
          'X-API-Key': key,
        });
        expect(sources.status, key).to.equal(200);
      }
    };
    await works();
    const [, email, password] = /The first user, shown this once:\n +(\S+) +(\S+)\n/.exec(first.stdout) ?? [];
    const logIn = () => callJson('POST', `${installation.baseUrl}/api/auth/login`, { email, password });
    expect((await logIn()).body.user).to.include({ email: 'admin@localhost', role: 'operator' });
    const [, loginUrl, login] = /curl -s -c cookies\.txt (\S+) -H .*\n +-d '([^']+)'/.exec(first.stdout) ?? [];
    expect(loginUrl).to.equal(`${installation.baseUrl}/api/auth/login`);
    expect(JSON.parse(login!)).to.deep.equal({ email, password });
    const [, docsUrl] = /API docs +(\S+)/.exec(first.stdout) ?? [];
    const docs = await fetch(docsUrl!);
    expect(docs.headers.get('content-type'), docsUrl).to.match(/^text\/html/);
    await docs.body?.cancel();
    first.signal('SIGTERM');
    expect(await first.exited).to.equal(0);

    const second = await installation.start();
    expect(second.stdout).to.contain(docsUrl).and.not.to.contain('shown this once').and.not.to.contain('curl');
    expect((await logIn()).status).to.equal(200);
    expect((await callJson('POST', url, body, headers)).status).to.equal(200);
    await works();
    expect(first.stderr + second.stderr).to.equal('');
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

  for (const name of PORTS) {
    it(`says so when ${name} is taken, ends with 1 and leaves nothing behind`, async () => {
      const other = createServer().listen(Number(installation.environment[name]));
      try {
        const run = installation.run();
        expect(await run.exited).to.equal(1);
        const problem = `port ${installation.environment[name]} (${name}) is in use by another program`;
        expect(run.stderr).to.equal(`The exchange could not start: ${problem}\n`);
        expect(run.stdout).not.to.contain('The exchange is running');
      } finally {
        await new Promise((resolve) => other.close(resolve));
      }
      expect(await readdir(installation.environment.DATA_DIR!)).not.to.match(/lock\.\d/);
      const again = await installation.start();
      expect(again.stdout).to.contain('The exchange is running');
      // What nobody was shown is not made yet.
      expect(again.stdout).to.contain('API keys, shown this once').and.to.contain('The first user, shown this once');
    });
  }

  it('says so when its data folder cannot be opened', async () => {
    const file = join(installation.folder, 'a file');
    await writeFile(file, '');
    const run = installation.run({ DATA_DIR: join(file, 'data') });
    expect(await run.exited).to.equal(1);
    expect(run.stderr).to.match(
      /^The exchange could not start: the data folder .*a file\/data cannot be opened: .*\n$/,
    );
  });

  it('may be stopped while it starts', async () => {
    const run = installation.run();
    await eventually('the start to be under way', () => readdir(installation.environment.DATA_DIR!), { everyMs: 1 });
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
    const { url, headers, body } = printedRequest(holder.stdout);
    expect((await callJson('POST', url, body, headers)).status).to.equal(200);
  });
});
