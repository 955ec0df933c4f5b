import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { firstSandbox, syntheticDspId } from '../../gateways/management/bootstrap/account-sandbox.ts';
import { ExchangeProcess, Installation } from '../composition/installation.ts';
import { eventually } from '../support/eventually.ts';
import { callJson, realProviders } from '../support/exchange.ts';
import { type Ended, EXCHANGE, exchangeCommand } from '../support/exchange-command.ts';
import { freePort } from '../support/free-port.ts';

const KEY = { BOOTSTRAP_API_KEY: 'pk_live_of-this-test', BOOTSTRAP_SANDBOX_API_KEY: 'pk_sandbox_of-this-test' };
const USER = { ADMIN_EMAIL: 'admin@exchange.test', ADMIN_PASSWORD: 'a password of this test' };

describe('the commands of the management API', () => {
  let installation: Installation;
  let caller: Record<string, string>;
  let inSandbox: Record<string, string>;

  before(async () => {
    installation = await Installation.make({ ...KEY, ...USER });
    await installation.start();
    caller = {
      EXCHANGE_URL: installation.baseUrl,
      EXCHANGE_API_KEY: KEY.BOOTSTRAP_API_KEY,
      EXCHANGE_EMAIL: USER.ADMIN_EMAIL,
      EXCHANGE_PASSWORD: USER.ADMIN_PASSWORD,
    };
    inSandbox = { ...caller, EXCHANGE_API_KEY: KEY.BOOTSTRAP_SANDBOX_API_KEY };
  });
  after(() => installation.remove());

  const run = (...args: string[]) => exchangeCommand(caller, ...args);
  const sandbox = (...args: string[]) => exchangeCommand(inSandbox, ...args);
  function done({ code, stdout, stderr }: Ended): string {
    expect(code, stderr).to.equal(0);
    return stdout;
  }
  const json = async (running: Promise<Ended>) => JSON.parse(done(await running));

  /** An ad request to the sandbox; resolves with the answer. */
  const ask = (fields: object = {}) =>
    callJson('POST', `${installation.edgeUrl}/rtb`, {
      id: 'of-the-test',
      imp: [{ id: '1', banner: { w: 300, h: 250 }, ...fields }],
      site: { id: firstSandbox.publisherId },
    });

  it('make, read, change, list and archive resources, in tables, in JSON and by one field', async () => {
    const pool = done(await run('pools', 'create', '--name', 'Premium', '--floor', '0.5', '--field', 'id')).trim();
    const made = await json(
      run(...'publishers create --name News --domain news.example --type web --json --pool'.split(' '), pool),
    );
    expect(made).to.include({ name: 'News', pool_id: pool });
    const changed = await json(run('publishers', 'update', made.id, '--floor', '1.25', '--json'));
    expect(changed.floor_price_cpm).to.equal(1.25);
    const people = done(await run('publishers', 'list'));
    expect(people.split('\n')[0]).to.match(/^ID {2,}NAME {2,}DOMAIN/);
    expect(people).to.include(made.id);
    expect(done(await run('publishers', 'list', '--field', 'domain'))).to.equal('news.example\n');
    expect((await json(run('publishers', 'list', '--search', 'nothing', '--json'))).publishers).to.deep.equal([]);
    const demand = done(await run('demand', 'create', '--name', 'Buyer', '--mode', 'delegate', '--field', 'id')).trim();
    await json(run('demand', 'subscribe', demand, pool, '--json'));
    expect(done(await run('demand', 'pools', demand))).to.include(pool);
    expect(done(await run('publishers', 'get', made.id))).to.match(/^floor_price_cpm +1\.25$/m);
    expect((await json(run('publishers', 'archive', made.id, '--json'))).status).to.equal('archived');
  });

  it('make a body of JSON, of a file and of standard input, options first', async () => {
    const file = join(installation.folder, 'pool.json');
    await writeFile(file, JSON.stringify({ name: 'Of a file', floor_price_cpm: 2 }));
    const made = await json(run('pools', 'create', '--data', `@${file}`, '--floor', '3', '--json'));
    expect(made).to.include({ name: 'Of a file', floor_price_cpm: 3 });
    const broken = await run('pools', 'create', '--data', '{');
    expect(broken).to.include({ code: 2, stdout: '' });
    expect(broken.stderr).to.match(/^--data is no JSON: /);
    const nothing = await run('pools', 'create');
    expect(nothing).to.include({ code: 2, stderr: 'Nothing is given to be written: see --help.\n' });
  });

  it('say what the exchange refuses with 1, and that it does not answer with 3', async () => {
    const missing = await run('publishers', 'get', randomUUID(), '--json');
    expect(missing).to.include({ code: 1, stdout: '' });
    expect(JSON.parse(missing.stderr).error).to.deep.equal({
      code: 'NOT_FOUND',
      message: 'The supply source does not exist.',
    });
    const faulty = await run('publishers', 'create', '--type', 'web');
    expect(faulty).to.deep.equal({ code: 1, stdout: '', stderr: 'name is required.\n  domain: domain is required.\n' });
    const wrongKey = await exchangeCommand({ ...caller, EXCHANGE_API_KEY: 'pk_live_no-such-key' }, 'pools', 'list');
    expect(wrongKey).to.deep.equal({
      code: 1,
      stdout: '',
      stderr: 'The API key is missing or invalid. The credential is that of EXCHANGE_API_KEY.\n',
    });
    const given = await run('pools', 'list', '--key', 'pk_live_no-such-key');
    expect(given.stderr).to.equal('The API key is missing or invalid. The credential is that of --key.\n');
    const away = await run('pools', 'list', '--url', `http://localhost:${await freePort()}`);
    expect(away).to.include({ code: 3, stdout: '' });
    expect(away.stderr).to.match(/does not answer: .* Is the exchange running/);
    const portal = createServer((_, response) => response.end('<h1>Log in to the network</h1>'));
    const portalPort = await new Promise<number>((resolve) => {
      portal.listen(0, '127.0.0.1', () => resolve((portal.address() as AddressInfo).port));
    });
    const ofPortal = await run('pools', 'list', '--json', '--url', `http://127.0.0.1:${portalPort}`);
    portal.close();
    expect(ofPortal).to.include({ code: 3, stdout: '' });
    expect(JSON.parse(ofPortal.stderr).error).to.deep.equal({
      code: 'UNKNOWN',
      message: "The answer is 200 and not the exchange's.",
    });
    const nobody = { EXCHANGE_URL: installation.baseUrl, DATA_DIR: join(installation.folder, 'none') };
    const withoutKey = await exchangeCommand(nobody, 'pools', 'list');
    expect(withoutKey.code).to.equal(2);
    expect(withoutKey.stderr).to.match(/^A credential is missing: set EXCHANGE_API_KEY/);
    expect(await exchangeCommand({ ...nobody, EXCHANGE_API_KEY: '' }, 'pools', 'list')).to.deep.equal(withoutKey);
    const withDots = await exchangeCommand({ ...nobody, EXCHANGE_API_KEY: 'pk_sandbox_…' }, 'pools', 'list');
    expect(withDots).to.deep.equal({
      ...{ code: 2, stdout: '' },
      stderr:
        'What EXCHANGE_API_KEY has is no API key: it has other characters than one. The first start shows two keys.\n',
    });
    const withoutUser = await exchangeCommand({ ...nobody, EXCHANGE_API_KEY: KEY.BOOTSTRAP_API_KEY }, 'keys', 'list');
    expect(withoutUser.code).to.equal(2);
    expect(withoutUser.stderr).to.match(/^This is for users and not for keys/);
  });

  it('find the credentials of a first start on this machine', async () => {
    const own = await Installation.make();
    try {
      await own.start();
      const environment = { PORT: own.environment.PORT!, DATA_DIR: own.environment.DATA_DIR! };
      expect(done(await exchangeCommand(environment, 'publishers', 'list'))).to.equal('There are no publishers.\n');
      const unset = { ...environment, EXCHANGE_API_KEY: '', EXCHANGE_EMAIL: '', EXCHANGE_PASSWORD: '' };
      expect(done(await exchangeCommand(unset, 'publishers', 'list'))).to.equal('There are no publishers.\n');
      expect(done(await exchangeCommand(environment, 'publishers', 'list', '--sandbox'))).to.include(
        'Sandbox publisher',
      );
      expect(done(await exchangeCommand(environment, 'users', 'list', '--field', 'role'))).to.equal('operator\n');
    } finally {
      await own.remove();
    }
  });

  it('find the exchange and the credentials in the file of --settings, what the environment has first', async () => {
    const file = join(installation.folder, 'settings');
    await writeFile(file, `EXCHANGE_URL=${installation.baseUrl}\nEXCHANGE_API_KEY=${KEY.BOOTSTRAP_API_KEY}\n`);
    const nowhere = { PORT: String(await freePort()), DATA_DIR: join(installation.folder, 'none') };
    const list = ['pools', 'list', '--json', '--settings', file];
    expect(JSON.parse(done(await exchangeCommand(nowhere, ...list)))).to.have.property('pools');
    const given = await exchangeCommand({ ...nowhere, EXCHANGE_API_KEY: 'pk_live_no-such-key' }, ...list);
    expect(given.code, given.stderr).to.equal(1);
  });

  it('act as a user where the API is for users, and leave no session behind', async () => {
    const key = done(await run('keys', 'create', '--name', 'Server', '--environment', 'live', '--field', 'key')).trim();
    expect(key).to.match(/^pk_live_/);
    expect(done(await exchangeCommand({ ...caller, EXCHANGE_API_KEY: key }, 'pools', 'list', '--json'))).to.include(
      'pools',
    );
    const { keys } = await json(run('keys', 'list', '--json'));
    const { id } = keys.find(({ name }: { name: string }) => name === 'Server');
    expect(done(await run('keys', 'revoke', id))).to.equal('The key is revoked.\n');
    expect((await exchangeCommand({ ...caller, EXCHANGE_API_KEY: key }, 'pools', 'list')).code).to.equal(1);
    expect(done(await run('users', 'list'))).to.include(USER.ADMIN_EMAIL);
    expect(done(await run('statements', 'list', '--csv'))).to.match(/^id,source_type,source_id,/);
    const credentials = { email: USER.ADMIN_EMAIL, password: USER.ADMIN_PASSWORD };
    const login = await callJson('POST', `${installation.baseUrl}/api/auth/login`, credentials);
    const Cookie = login.headers.get('set-cookie')!.split(';', 1)[0]!;
    const sessions = await callJson('GET', `${installation.baseUrl}/api/auth/sessions`, undefined, { Cookie });
    expect(sessions.body.sessions, 'that of this test alone').to.have.length(1);
    const statement = await json(sandbox('statements', 'get', firstSandbox.publisherId, '--json'));
    expect(statement.status).to.equal('in_progress');
    expect(done(await sandbox('statements', 'get', syntheticDspId(0), '--csv'))).to.match(/^dsp,dsp_id,month/);
  });

  it('wait for the run of a job that was asked for, and show what that came to', async () => {
    const ran = () => json(run('jobs', 'run', 'reseal-secrets', '--json'));
    const first = await ran();
    const asked = await json(run('jobs', 'run', 'reseal-secrets', '--wait', '0', '--json'));
    expect(asked.last_run, 'the answer of the API is of the run before').to.deep.equal(first.last_run);
    const second = await ran();
    expect(second.last_run.started_at > first.last_run.started_at, 'a later run').to.equal(true);
    const outcome = done(await run('jobs', 'run', 'reseal-secrets', '--field', 'last_run.outcome'));
    expect(outcome).to.match(/^\d+ sealed anew, 0 that no SECRET_KEY opens\n$/);
    const unknown = await run('jobs', 'run', 'wash-up');
    expect(unknown).to.include({ code: 1, stdout: '', stderr: 'There is no such job here.\n' });
  });

  it('end when the run of a job has not ended in time, where no process runs jobs', async function () {
    const own = await Installation.make({ ...USER, ...(realProviders(this) as Record<string, string>) });
    try {
      const all = await own.start();
      const environment = { EXCHANGE_URL: own.baseUrl, EXCHANGE_EMAIL: USER.ADMIN_EMAIL, DATA_DIR: own.folder };
      const command = (...args: string[]) =>
        exchangeCommand({ ...environment, EXCHANGE_PASSWORD: USER.ADMIN_PASSWORD }, 'jobs', 'run', ...args);
      const before = done(await command('audit', '--field', 'last_run.outcome'));
      expect(before).to.match(/balance/);
      all.signal('SIGTERM');
      await all.exited;
      await own.start({ ROLES: 'management,actors,edge' });
      const late = await command('audit', '--wait', '1');
      expect(late).to.deep.equal({
        code: 3,
        stdout: '',
        stderr:
          'The run of audit that was asked for has not begun, and has not ended within 1 s: exchange jobs list shows when it has.\n',
      });
    } finally {
      await own.remove();
    }
  });

  it('say why an auction ended as it did, for each imp and each bidder, with the remedy', async () => {
    // Above what the random bidder bids.
    expect((await ask({ bidfloor: 20 })).status).to.equal(200);
    expect((await ask({ bidfloor: 999 })).status).to.equal(204);
    await eventually('both auctions to be recorded', async () => {
      const { auctions } = await json(sandbox('auctions', 'list', '--json'));
      return auctions.length === 2;
    });
    const filled = done(await sandbox('auctions', 'why', '--outcome', 'filled'));
    expect(filled).to.match(/^Filled at 24 CPM/);
    expect(filled).to.match(
      /\nImp 1: banner 300x250, floor 20 USD CPM \(request\)\nBIDDER +OUTCOME +BID +CLEARS +TO WIN/,
    );
    expect(filled)
      .to.match(/\nHighBidder +won +24/)
      .and.match(/\nSold to HighBidder for 24 USD CPM; the impression: awaited\.\n/);
    const unfilled = done(await sandbox('auctions', 'why', '--outcome', 'unfilled'));
    expect(unfilled).to.match(/LowBidder +below-floor +1\.25 .*The bid was below the floor\..*floor_price_cpm/);
    const record = await json(sandbox('auctions', 'why', '--outcome', 'unfilled', '--json'));
    expect(record).to.include({ outcome: 'unfilled', auction_id: 'of-the-test' });
    expect(done(await sandbox('auctions', 'why', record.id))).to.equal(unfilled);
    const { reasons } = await json(sandbox('auctions', 'reasons', '--json'));
    expect(reasons.map(({ reason }: { reason: string }) => reason)).to.include('below-floor');
    const elsewhere = await run('auctions', 'why');
    expect(elsewhere).to.include({
      code: 1,
      stderr: 'No auction is recorded that the options leave; the sandbox has some: add --sandbox.\n',
    });
    const none = await sandbox('auctions', 'why', '--outcome', 'blocked');
    expect(none).to.include({
      code: 1,
      stderr: 'No auction is recorded that the options leave; a new one is recorded within seconds.\n',
    });
  });

  it('print nothing of what strangers named that would change the terminal', async () => {
    const hostile = 'seen\u001b[2J\u0007\u009b1A\rnever';
    const asked = { id: hostile, imp: [{ id: hostile, banner: { w: 300, h: 250 }, bidfloor: 999 }] };
    const site = { id: firstSandbox.publisherId };
    expect((await callJson('POST', `${installation.edgeUrl}/rtb`, { ...asked, site })).status).to.equal(204);
    const record = await eventually('the auction to be recorded', async () => {
      const { auctions } = await json(sandbox('auctions', 'list', '--json'));
      return auctions.find((one: { auction_id: string }) => one.auction_id === hostile);
    });
    const shown = [
      await sandbox('auctions', 'why', record.id),
      await sandbox('auctions', 'list'),
      await sandbox('auctions', 'list', '--field', 'auction_id'),
      await run('publishers', 'update', randomUUID(), '--data', JSON.stringify({ [hostile]: 1 })),
    ];
    for (const { stdout, stderr } of shown) {
      expect(`${stdout}${stderr}`).to.include('seen [2J  1A never');
      expect(`${stdout}${stderr}`).not.to.match(/(?!\n)\p{Cc}/u);
    }
  });

  it('simulate a delegate and a bidder, and test a strategy on what was recorded', async () => {
    const id = done(await sandbox('demand', 'create', '--name', 'Tried', '--mode', 'delegate', '--field', 'id')).trim();
    const strategy = {
      version: '1.0',
      dsp_id: id,
      default_bid: 1,
      rules: [],
      campaigns: [
        {
          campaign_id: 'spring',
          campaign_name: 'Spring',
          targeting: { countries: ['DE'] },
          bidding: { base_cpm: 4 },
          budget: { daily_cents: 5000 },
          creative: { creative_id: 'c1', html: '<b>Spring</b>', width: 300, height: 250 },
        },
      ],
    };
    const file = join(installation.folder, 'strategy.json');
    await writeFile(file, JSON.stringify(strategy));
    done(await sandbox('demand', 'set-strategy', id, '--data', `@${file}`));
    const without = done(await sandbox('simulate', id));
    expect(without).to.match(/^None of its campaigns bids\.\n\nCAMPAIGN /);
    const request = join(installation.folder, 'request.json');
    const imp = [{ id: '1', banner: { w: 300, h: 250 } }];
    await writeFile(request, JSON.stringify({ id: 'tried', imp, device: { geo: { country: 'DEU' } } }));
    const bids = await json(sandbox('simulate', id, '--request', request, '--json'));
    expect(bids).to.include({ campaign_id: 'spring', bid_cpm: 4, won: true });
    expect(done(await sandbox('simulate', syntheticDspId(0), '--scenario', 'web-us-news'))).to.match(/^outcome +win$/m);
    const mixed = await sandbox('simulate', syntheticDspId(0), '--request', request);
    expect(mixed).to.include({ code: 2, stdout: '' });
    done(await sandbox('demand', 'subscribe', id, firstSandbox.poolId));
    const tested = await json(sandbox('backtest', id, file, '--json'));
    expect(tested).to.include({ dsp_id: id });
    expect(tested.sample).to.be.an('object');
  });

  it('seed a market once, and traffic that is rendered, viewed and billed to the cent', async () => {
    const first = await json(sandbox('seed', '--no-traffic', '--json'));
    expect(first.made).to.include('Seed: Harbour News');
    const again = await json(sandbox('seed', '--rate', '40', '--seconds', '3', '--json'));
    expect(again.made).to.deep.equal([]);
    expect(again.publishers).to.deep.equal(first.publishers);
    const { traffic } = again;
    expect(traffic.failed).to.equal(0);
    expect(traffic.requests).to.be.at.least(traffic.sold);
    expect(traffic.sold).to.be.above(20);
    expect(traffic.rendered).to.be.within(1, traffic.sold);
    expect(traffic.viewed).to.be.within(1, traffic.rendered);
    await eventually('the books to have what was rendered', async () => {
      const all = await Promise.all(
        first.publishers.map((id: string) => json(sandbox('publishers', 'stats', id, '--period', 'today', '--json'))),
      );
      const sum = (field: string) => all.reduce((total, stats) => total + stats[field], 0);
      return sum('impressions') === traffic.rendered && Math.abs(sum('revenue_cents') / 100 - traffic.usd) < 0.01;
    });
  });

  it('seed again what was archived, and the strategy of a buyer that has none', async () => {
    const buyer = async () => {
      const { dsps } = await json(sandbox('demand', 'list', '--json'));
      return dsps.find(({ name, status }: { name: string; status: string }) => {
        return name === 'Seed: buyer' && status !== 'archived';
      })?.id;
    };
    await json(sandbox('seed', '--no-traffic', '--json'));
    done(await sandbox('demand', 'archive', await buyer()));
    expect((await json(sandbox('seed', '--no-traffic', '--json'))).made).to.deep.equal(['Seed: buyer']);
    done(await sandbox('demand', 'archive', await buyer()));
    done(await sandbox('demand', 'create', '--name', 'Seed: buyer', '--mode', 'delegate'));
    expect((await json(sandbox('seed', '--no-traffic', '--json'))).made).to.deep.equal(['Seed: buyer']);
    const { campaigns } = await json(sandbox('demand', 'strategy', await buyer(), '--json'));
    expect(campaigns).to.have.length(3);
    expect((await json(sandbox('seed', '--no-traffic', '--json'))).made).to.deep.equal([]);
  });

  it('end their traffic when they are told', async () => {
    const seeding = new ExchangeProcess(inSandbox, ['seed', '--rate', '20', '--seconds', '0'], EXCHANGE);
    await seeding.said(/^\d+ requests, \d+ sold/m);
    seeding.signal('SIGINT');
    expect(await seeding.exited, seeding.stderr).to.equal(0);
    expect(seeding.stdout).to.match(/\nrequests +\d+\n/);
    const wrong = await sandbox('seed', '--rate', '0');
    expect(wrong).to.include({ code: 2, stdout: '' });
  });
});
